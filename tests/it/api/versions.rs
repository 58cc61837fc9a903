//! What each api-version has: a case for every row of the table.

use fleetplane::testing::app::{Backend, FLEET, TestAnswer, TestApp};
use rstest::rstest;
use serde_json::{Value, json};

const OLDEST: &str = "2023-10-15";

/// Whether a PUT was taken; one that was not, for a member that its version does not know.
fn is_taken(answer: &TestAnswer) -> bool {
    match answer.status.as_u16() {
        200 | 201 => true,
        400 => {
            assert_eq!(answer.code(), "InvalidParameter", "{}", answer.text);
            false
        }
        other => panic!("{other}: {}", answer.text),
    }
}

fn hub(profile: &Value) -> Value {
    json!({ "location": "westeurope", "properties": { "hubProfile": profile } })
}

fn stage(more: &Value) -> Value {
    let mut stage = json!({ "name": "one", "groups": [{ "name": "all" }] });
    for (name, value) in more.as_object().into_iter().flatten() {
        stage[name] = value.clone();
    }
    json!({ "properties": { "strategy": { "stages": [stage] } } })
}

fn update(upgrade: &Value, images: &Value) -> Value {
    json!({ "properties": { "managedClusterUpdate": { "upgrade": upgrade, "nodeImageSelection": images } } })
}

fn rollout() -> Value {
    let mut body = super::namespace_body();
    body["properties"]["propagationPolicy"] = json!({ "type": "Placement", "placementProfile": {
        "defaultClusterResourcePlacement": { "rolloutStrategy": { "type": "RollingUpdate" } } } });
    body
}

#[rstest]
#[case::hub("", hub(&json!({ "dnsPrefix": "a" })), "2024-02-02-preview", OLDEST)]
#[case::hub_stable("", hub(&json!({ "dnsPrefix": "a" })), "2024-04-01", OLDEST)]
#[case::vnet("", hub(&json!({ "apiServerAccessProfile": { "enableVnetIntegration": true } })), "2024-02-02-preview", "2024-04-01")]
#[case::vnet_again("", hub(&json!({ "apiServerAccessProfile": { "enableVnetIntegration": true } })), "2025-03-01", "2024-04-01")]
#[case::control_plane("/updateRuns/r", update(&json!({ "type": "ControlPlaneOnly", "kubernetesVersion": "1.36" }), &Value::Null), "2025-03-01", "2024-05-02-preview")]
#[case::gates("/updateStrategies/s", stage(&json!({ "beforeGates": [{ "type": "Approval" }] })), "2025-04-01-preview", "2025-03-01")]
#[case::labels("/members/m", json!({ "properties": { "clusterResourceId": crate::api::member_body("c")["properties"]["clusterResourceId"], "labels": { "a": "b" } } }), "2025-04-01-preview", "2025-03-01")]
#[case::concurrency("/updateStrategies/s", stage(&json!({ "maxConcurrency": "1" })), "2026-02-01-preview", "2025-08-01-preview")]
#[case::concurrency_stable("/updateStrategies/s", stage(&json!({ "maxConcurrency": "1" })), "2026-06-01", "2025-03-01")]
#[case::failures("/updateStrategies/s", stage(&json!({ "maxAllowedFailures": "1" })), "2026-06-02-preview", "2026-06-01")]
#[case::selector("/updateStrategies/s", stage(&json!({ "memberSelector": { "byLabel": "a=b" } })), "2026-06-02-preview", "2026-03-02-preview")]
#[case::scheduled("/updateStrategies/s", stage(&json!({ "beforeGates": [{ "type": "ScheduledStart", "scheduledStartConfiguration": { "startDay": "Monday", "startTime": "10:00", "utcOffset": "+00:00" } }] })), "2026-06-02-preview", "2026-06-01")]
#[case::rollout("/managedNamespaces/n", rollout(), "2026-06-02-preview", "2026-06-01")]
#[tokio::test]
async fn a_member_is_known_to_its_versions_only(
    #[case] path: &str,
    #[case] body: Value,
    #[case] has_it: &str,
    #[case] lacks_it: &str,
) {
    let app = TestApp::new(Backend::Sqlite).await;
    if !path.is_empty() {
        super::with_hub(&app).await;
    }
    let path = format!("{FLEET}{path}");
    let put = async |version: &str| app.put(&format!("{path}?api-version={version}"), body.clone()).await;
    let refused = put(lacks_it).await;
    assert!(!is_taken(&refused), "{lacks_it} took it");
    let told = refused.text.split_once("; api-version ").and_then(|(_, rest)| rest.split_once(" has it"));
    let (told, _) = told.unwrap_or_else(|| panic!("no version that has it: {}", refused.text));
    assert!(is_taken(&put(told).await), "{told}, which has it, refused it");
    assert!(is_taken(&put(has_it).await), "{has_it} refused it");
}

#[tokio::test]
async fn status_is_shown_from_2025_03_01_on() {
    let app = TestApp::new(Backend::Sqlite).await;
    super::with_fleet(&app).await;
    let shown = |version: &str| format!("{FLEET}?api-version={version}");
    let old = app.get(&shown("2024-05-02-preview")).await.expect(200).json();
    assert!(old["properties"].get("status").is_none());
    let new = app.get(&shown("2025-03-01")).await.expect(200).json();
    assert!(new["properties"]["status"]["lastOperationId"].is_string());
}

#[rstest]
#[case::stable("2025-03-01", &json!({ "maxConcurrency": "1" }), "2026-06-01")]
#[case::preview("2025-08-01-preview", &json!({ "maxConcurrency": "1" }), "2026-06-02-preview")]
#[case::no_stable_one("2025-03-01", &json!({ "maxAllowedFailures": "1" }), "2026-06-02-preview")]
#[tokio::test]
async fn a_stable_client_is_sent_to_the_newest_stable_version_where_there_is_one(
    #[case] version: &str,
    #[case] more: &Value,
    #[case] told: &str,
) {
    let app = TestApp::new(Backend::Sqlite).await;
    super::with_fleet(&app).await;
    let path = format!("{FLEET}/updateStrategies/s?api-version={version}");
    let refused = app.put(&path, stage(more)).await.expect(400);
    assert!(refused.text.contains(&format!("api-version {told} has it")), "{}", refused.text);
}
