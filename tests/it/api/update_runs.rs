//! `fleets/updateRuns`: its wire form and the order of its checks; what runs do is in the scenarios.

use axum::http::Method;
use fleetplane::testing::app::{Backend, FLEET, TestApp};
use rstest::rstest;
use serde_json::json;

fn path() -> String {
    format!("{FLEET}/updateRuns/r1")
}

#[rstest]
#[tokio::test]
async fn a_run_shows_its_plan(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let app = TestApp::new(backend).await;
    super::with_fleet(&app).await;
    let _ = app.put(&format!("{FLEET}/members/m1"), super::member_body("c1")).await.expect(201);
    let made = app.put(&path(), super::run_body()).await.expect(201);
    insta::assert_snapshot!("update_run", made.text);
    assert_eq!(made.header("azure-asyncoperation"), "");
    assert_eq!(app.get(&path()).await.expect(200).text, made.text);
    let page = app.get(&format!("{FLEET}/updateRuns")).await.expect(200).json();
    assert_eq!(page["value"][0], made.json());
}

#[tokio::test]
async fn an_unsupported_cluster_is_skipped_when_the_run_starts() {
    let app = TestApp::new(Backend::Sqlite).await;
    super::with_fleet(&app).await;
    let _ = app.put(&format!("{FLEET}/members/m1"), super::member_body("c1")).await.expect(201);
    let _ = app.put(&path(), super::run_body()).await.expect(201);
    let started = app.post(&format!("{}/start", path())).await.expect(200);
    assert_eq!(started.json()["properties"]["status"]["status"]["state"], "Skipped");
    assert_eq!(started.header("etag"), started.json()["eTag"]);
    let again = app.post(&format!("{}/start", path())).await.expect(409);
    assert_eq!(again.code(), "OperationNotAllowed");
}

#[rstest]
#[tokio::test]
async fn actions_check_existence_then_etag_then_body_then_state(
    #[values("start", "stop", "skip")] action: &str,
) {
    let app = TestApp::new(Backend::Sqlite).await;
    super::with_fleet(&app).await;
    let action = format!("{}/{action}", path());
    assert_eq!(app.post(&action).await.expect(404).code(), "ResourceNotFound");
    let _ = app.put(&path(), super::run_body()).await.expect(201);
    let stale = app.request(Method::POST, &action).header("if-match", "xyz").send().await.expect(412);
    assert_eq!(stale.code(), "PreconditionFailed");
}

#[rstest]
#[case(json!({}), 400)]
#[case(json!({ "targets": [] }), 400)]
#[case(json!({ "targets": [{ "type": "Ship", "name": "x" }] }), 400)]
#[case(json!({ "targets": [{ "type": "Stage", "name": "nobody" }] }), 400)]
#[case(json!({ "targets": [{ "type": "stage", "name": "default" }] }), 200)]
#[tokio::test]
async fn skip_reads_its_targets(#[case] body: serde_json::Value, #[case] status: u16) {
    let app = TestApp::new(Backend::Sqlite).await;
    super::with_fleet(&app).await;
    let _ = app.put(&format!("{FLEET}/members/m1"), super::member_body("c1")).await.expect(201);
    let _ = app.put(&path(), super::run_body()).await.expect(201);
    let _ = app.request(Method::POST, &format!("{}/skip", path())).json(body).send().await.expect(status);
}

#[rstest]
#[case("2026-06-02-preview", "[0].version")]
#[case("2024-04-01", "")]
#[tokio::test]
async fn an_image_that_cannot_be_taken_is_one_fault(#[case] version: &str, #[case] place: &str) {
    let app = TestApp::new(Backend::Sqlite).await;
    super::with_fleet(&app).await;
    let mut body = super::run_body();
    body["properties"]["managedClusterUpdate"]["nodeImageSelection"] =
        json!({ "type": "Custom", "customNodeImageVersions": [{}] });
    let answer = app.put(&format!("{}?api-version={version}", path()), body).await.expect(400);
    let error = answer.json()["error"].clone();
    let faults = error["details"].as_array().cloned().unwrap_or_else(|| vec![error]);
    let target = format!("properties.managedClusterUpdate.nodeImageSelection.customNodeImageVersions{place}");
    assert_eq!(faults.iter().filter(|fault| fault["target"] == target).count(), 1, "{}", answer.text);
}
