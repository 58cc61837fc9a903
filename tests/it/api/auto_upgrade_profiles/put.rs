//! `PUT` and `GET fleets/{fleet}/autoUpgradeProfiles/{profile}`.

use axum::http::Method;
use fleetplane::testing::app::{Backend, FLEET, TestApp};
use rstest::rstest;
use serde_json::{Value, json};

use super::super::{strategy_body, with_fleet};
use super::{body, path};

#[rstest]
#[tokio::test]
async fn a_maximal_profile_is_answered_as_it_was_sent(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    with_fleet(&app).await;
    let strategy = format!("{FLEET}/updateStrategies/s1");
    let _ = app.put(&strategy, strategy_body()).await.expect(201);
    let profile = body(json!({
        "updateStrategyId": strategy,
        "channel": "TargetKubernetesVersion",
        "nodeImageSelection": { "type": "Consistent" },
        "disabled": true,
        "targetKubernetesVersion": "1.34",
        "longTermSupport": true,
    }));
    let made = app.put(&path(), profile).await.expect(201);
    insta::assert_snapshot!("auto_upgrade_profile", made.text);
    assert_eq!(made.header("azure-asyncoperation"), "");
    let shown = app.get(&path()).await.expect(200);
    assert_eq!(shown.text, made.text);
    let again = app.put(&path(), shown.json()).await.expect(200);
    assert_ne!(again.header("etag"), made.header("etag"));
    // Looking at a channel that has not moved changes nothing that anybody sees.
    app.tick().await;
    assert_eq!(app.get(&path()).await.header("etag"), again.header("etag"));
}

#[rstest]
#[case::no_channel(json!({}), "RequiredPropertyMissing", "properties.channel")]
#[case::another_channel(json!({ "channel": "Fast" }), "InvalidParameter", "properties.channel")]
#[case::no_target(json!({ "channel": "TargetKubernetesVersion" }), "RequiredPropertyMissing", "properties.targetKubernetesVersion")]
#[case::a_target(json!({ "channel": "Rapid", "targetKubernetesVersion": "1.36" }), "InvalidParameter", "properties.targetKubernetesVersion")]
#[case::out_of_support(json!({ "channel": "TargetKubernetesVersion", "targetKubernetesVersion": "1.34" }), "InvalidParameter", "properties.targetKubernetesVersion")]
#[case::not_released(json!({ "channel": "TargetKubernetesVersion", "targetKubernetesVersion": "1.99" }), "InvalidParameter", "properties.targetKubernetesVersion")]
#[case::lts(json!({ "channel": "Stable", "longTermSupport": true }), "InvalidParameter", "properties.longTermSupport")]
#[case::images(json!({ "channel": "NodeImage", "nodeImageSelection": { "type": "Latest" } }), "InvalidParameter", "properties.nodeImageSelection")]
#[case::strategy(json!({ "channel": "Rapid", "updateStrategyId": format!("{FLEET}/updateStrategies/gone") }), "UpdateStrategyNotFound", "properties.updateStrategyId")]
#[case::foreign_strategy(json!({ "channel": "Rapid", "updateStrategyId": FLEET.replace("fleet1", "fleet2/updateStrategies/s") }), "InvalidParameter", "properties.updateStrategyId")]
#[tokio::test]
async fn a_broken_rule_is_refused_saying_where(
    #[case] properties: Value,
    #[case] code: &str,
    #[case] target: &str,
) {
    let app = TestApp::new(Backend::Sqlite).await;
    with_fleet(&app).await;
    let refused = app.put(&path(), body(properties)).await.expect(400);
    assert_eq!((refused.code().as_str(), refused.json()["error"]["target"].as_str()), (code, Some(target)));
    let _ = app.get(&path()).await.expect(404);
}

#[tokio::test]
async fn an_older_version_neither_sends_nor_sees_what_came_later() {
    let app = TestApp::new(Backend::Sqlite).await;
    with_fleet(&app).await;
    let old = format!("{}?api-version=2025-03-01", path());
    let target = json!({ "channel": "TargetKubernetesVersion", "targetKubernetesVersion": "1.36" });
    assert_eq!(app.put(&old, body(target.clone())).await.expect(400).code(), "InvalidParameter");
    let _ = app.put(&path(), body(target)).await.expect(201);
    let shown = app.get(&old).await.expect(200).json();
    assert_eq!(shown["properties"]["channel"], "TargetKubernetesVersion");
    assert!(shown["properties"].get("targetKubernetesVersion").is_none());
    let written = app.request(Method::PUT, &old).json(shown).send().await.expect(200);
    assert!(written.json()["properties"].get("targetKubernetesVersion").is_none());
    let newest = app.get(&path()).await.expect(200).json();
    assert_eq!(newest["properties"]["targetKubernetesVersion"], "1.36");
}
