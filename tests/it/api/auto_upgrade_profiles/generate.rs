//! `POST fleets/{fleet}/autoUpgradeProfiles/{profile}/generateUpdateRun`.

use axum::http::Method;
use fleetplane::testing::app::{Backend, FLEET, TestApp};
use rstest::rstest;
use serde_json::{Value, json};

use super::super::{member_body, strategy_body, with_fleet};
use super::{body, path};

const EXISTING: &str = "x-ms-fleetplane-existing";

fn generate() -> String {
    format!("{}/generateUpdateRun", path())
}

async fn with_profile(app: &TestApp, properties: Value) {
    with_fleet(app).await;
    let _ = app.put(&format!("{FLEET}/members/m1"), member_body("c1")).await.expect(201);
    let _ = app.put(&path(), body(properties)).await.expect(201);
}

#[rstest]
#[tokio::test]
async fn the_run_is_made_once_and_not_started_also_for_a_disabled_profile(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
    #[values(false, true)] disabled: bool,
) {
    let app = TestApp::new(backend).await;
    with_profile(&app, json!({ "channel": "Stable", "disabled": disabled })).await;
    let made = app.post(&generate()).await.expect(200);
    assert_eq!(made.header(EXISTING), "");
    assert_eq!(made.header("azure-asyncoperation"), "");
    let id = made.json()["id"].as_str().unwrap().to_owned();
    let name = id.rsplit('/').next().unwrap();
    assert!(name.starts_with("auto-p1-stable-1-36-4-") && name.len() <= 50, "{name}");
    app.tick().await;
    let run = app.get(&id).await.expect(200);
    let properties = &run.json()["properties"];
    assert_eq!(properties["status"]["status"]["state"], "NotStarted");
    assert_eq!(properties["autoUpgradeProfileId"], path());
    let update = json!({
        "upgrade": { "type": "Full", "kubernetesVersion": "1.36.4" },
        "nodeImageSelection": { "type": "Latest" },
    });
    assert_eq!(properties["managedClusterUpdate"], update);
    let again = app.post(&generate()).await.expect(200);
    assert_eq!((again.header(EXISTING), again.text.as_str()), ("true", made.text.as_str()));
    assert_eq!(app.get(&id).await.expect(200).text, run.text);
    let profile = app.get(&path()).await.expect(200).json();
    assert!(
        profile["properties"].get("autoUpgradeProfileStatus").is_none(),
        "asking is no trigger: {profile}"
    );
}

#[tokio::test]
async fn an_image_channels_run_carries_the_images_in_use() {
    let app = TestApp::new(Backend::Sqlite).await;
    with_fleet(&app).await;
    let clusters = json!({
        "subscriptionId": "11111111-2222-3333-4444-555555555555", "resourceGroup": "rg", "namePrefix": "c",
        "count": 1, "regions": ["westeurope"], "kubernetesVersion": "1.36", "fleet": "fleet1",
    });
    let _ = app.request(Method::POST, "/simulator/clusters").json(clusters).send().await.expect(201);
    let _ = app.put(&path(), body(json!({ "channel": "NodeImage" }))).await.expect(201);
    let id = app.post(&generate()).await.expect(200).json()["id"].as_str().unwrap().to_owned();
    let update = app.get(&id).await.expect(200).json()["properties"]["managedClusterUpdate"].clone();
    let expected = json!({
        "upgrade": { "type": "NodeImageOnly" },
        "nodeImageSelection": {
            "type": "Custom",
            "customNodeImageVersions": [{ "version": "AKSUbuntu-2204gen2containerd-202611.02.0" }],
        },
    });
    assert_eq!(update, expected);
}

#[tokio::test]
async fn a_profile_that_can_make_no_run_is_a_conflict_and_nothing_is_made() {
    let app = TestApp::new(Backend::Sqlite).await;
    assert_eq!(app.post(&generate()).await.expect(404).code(), "ResourceNotFound");
    with_fleet(&app).await;
    let strategy = format!("{FLEET}/updateStrategies/s1");
    let _ = app.put(&strategy, strategy_body()).await.expect(201);
    let profile = json!({ "channel": "Rapid", "updateStrategyId": strategy });
    let _ = app.put(&path(), body(profile)).await.expect(201);
    assert_eq!(app.post(&generate()).await.expect(409).code(), "NoMembersToUpgrade");
    let _ = app.put(&format!("{FLEET}/members/m1"), member_body("c1")).await.expect(201);
    let _ = app.delete(&strategy).await.expect(200);
    let refused = app.post(&generate()).await.expect(409);
    assert_eq!(refused.code(), "OperationNotAllowed");
    assert!(refused.text.contains("updateStrategies/s1 does not exist"), "{}", refused.text);
    let runs = app.get(&format!("{FLEET}/updateRuns")).await.expect(200).json();
    assert_eq!(runs["value"], json!([]));
}

#[tokio::test]
async fn generating_honours_if_match() {
    let app = TestApp::new(Backend::Sqlite).await;
    with_profile(&app, json!({ "channel": "Rapid" })).await;
    let stale = app.request(Method::POST, &generate()).header("if-match", "xyz").send().await.expect(412);
    assert_eq!(stale.code(), "PreconditionFailed");
    let etag = app.get(&path()).await.header("etag").to_owned();
    let _ = app.request(Method::POST, &generate()).header("if-match", &etag).send().await.expect(200);
}

#[tokio::test]
async fn a_generated_run_that_is_replaced_is_still_the_profiles() {
    let app = TestApp::new(Backend::Sqlite).await;
    with_profile(&app, json!({ "channel": "Rapid" })).await;
    let id = app.post(&generate()).await.expect(200).json()["id"].as_str().unwrap().to_owned();
    let _ = app.put(&id, super::super::run_body()).await.expect(200);
    let run = app.get(&id).await.expect(200).json();
    assert_eq!(run["properties"]["autoUpgradeProfileId"], path());
}
