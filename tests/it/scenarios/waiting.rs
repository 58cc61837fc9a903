//! Members that wait, say why, and start by themselves when the reason goes away.

use axum::http::Method;
use fleetplane::testing::app::{Backend, GROUP, TestApp};
use rstest::rstest;
use serde_json::{Value, json};

use super::{Rollout, full, members};

fn one_group() -> Value {
    json!({ "properties": { "strategy": { "stages": [
        { "name": "all", "groups": [{ "name": "all", "maxConcurrency": "5" }] }
    ] } } })
}

#[expect(clippy::needless_pass_by_value, reason = "tests write the body where they call")]
fn clusters(more: Value) -> Value {
    let mut body =
        json!({ "count": 2, "regions": ["westeurope"], "kubernetesVersion": "1.35", "groups": ["all"] });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

#[rstest]
#[tokio::test]
async fn a_closed_window_is_waited_for_to_the_minute(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    let rollout = Rollout::new(&app, clusters(json!({}))).await;
    let window = json!({ "properties": { "maintenanceWindow": {
        "schedule": { "weekly": { "intervalWeeks": 1, "dayOfWeek": "Saturday" } },
        "durationHours": 8, "utcOffset": "+01:00", "startTime": "22:00",
    } } });
    let cluster = format!("{GROUP}/providers/Microsoft.ContainerService/managedClusters/c0");
    let path =
        format!("{cluster}/maintenanceConfigurations/aksManagedAutoUpgradeSchedule?api-version=2026-08-01");
    let _ = app.put(&path, window).await.expect(201);
    rollout.start(&one_group(), full()).await;
    rollout.pass("PT2H").await;
    let status = rollout.status().await;
    assert_eq!(status["status"]["error"]["code"], "MembersPending");
    let waiting = members(&status)[0];
    assert_eq!(waiting["status"]["state"], "Pending");
    assert_eq!(waiting["status"]["error"]["code"], "MaintenanceWindowClosed");
    assert!(waiting["message"].as_str().unwrap().contains("2026-12-05T21:00:00Z"), "{waiting}");
    assert_eq!(members(&status)[1]["status"]["state"], "Completed");
    rollout.pass("P6D").await;
    let status = rollout.status().await;
    assert_eq!(status["status"]["state"], "Completed");
    assert!(members(&status)[0]["status"]["completedTime"].as_str().unwrap() > "2026-12-05T21:00:00Z");
}

#[rstest]
#[tokio::test]
async fn a_version_that_is_not_in_the_region_yet_is_waited_for(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    let rollout = Rollout::new(&app, clusters(json!({ "regions": ["westeurope", "eastus"] }))).await;
    publish(&app, json!({ "kind": "KubernetesVersion", "version": "1.36.77", "regions": ["eastus"] })).await;
    let update = json!({ "upgrade": { "type": "ControlPlaneOnly", "kubernetesVersion": "1.36.77" } });
    rollout.start(&one_group(), update).await;
    rollout.pass("P1D").await;
    let status = rollout.status().await;
    let waiting = members(&status)[0];
    assert_eq!(waiting["status"]["error"]["code"], "KubernetesVersionNotAvailable", "{waiting}");
    assert!(waiting["message"].as_str().unwrap().contains("It is available in eastus."), "{waiting}");
    assert_eq!(members(&status)[1]["status"]["state"], "Completed");
    publish(&app, json!({ "kind": "KubernetesVersion", "version": "1.36.77", "regions": ["westeurope"] }))
        .await;
    rollout.pass("PT1H").await;
    assert_eq!(rollout.status().await["status"]["state"], "Completed");
}

async fn publish(app: &TestApp, release: Value) {
    let _ = app.request(Method::POST, "/simulator/releases").json(release).send().await.expect(201);
}

#[rstest]
#[tokio::test]
async fn a_failed_member_stops_the_run_and_is_tried_again_by_the_next_start(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    let rollout = Rollout::new(&app, clusters(json!({}))).await;
    let cluster = format!("{GROUP}/providers/Microsoft.ContainerService/managedClusters/c1");
    let fails =
        json!({ "failures": [{ "at": "ControlPlane", "times": 1, "code": "Boom", "message": "It broke." }] });
    let behavior = app.request(Method::PUT, &format!("/simulator/behaviors{cluster}")).json(fails);
    let _ = behavior.send().await.expect(200);
    rollout.start(&one_group(), full()).await;
    rollout.pass("P1D").await;
    let status = rollout.status().await;
    assert_eq!(status["status"]["state"], "Failed");
    assert_eq!(status["failureCount"], 1);
    assert_eq!(status["status"]["error"]["code"], "MaxAllowedFailuresExceeded");
    let failed = members(&status)[1];
    assert_eq!(failed["status"]["error"], json!({ "code": "Boom", "message": "It broke." }));
    let first_attempt = failed["operationId"].clone();
    let start = format!("{}/{}/start", fleetplane::testing::app::FLEET, super::RUN);
    let _ = app.post(&start).await.expect(200);
    rollout.pass("P1D").await;
    let status = rollout.status().await;
    assert_eq!((&status["status"]["state"], &status["failureCount"]), (&json!("Completed"), &json!(0)));
    assert_ne!(members(&status)[1]["operationId"], first_attempt);
}
