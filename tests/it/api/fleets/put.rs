//! `PUT fleets/{fleet}`.

use fleetplane::service::OperationDurations;
use fleetplane::testing::app::{Backend, FLEET, GROUP, TestApp};
use rstest::rstest;
use serde_json::json;

#[rstest]
#[tokio::test]
async fn a_maximal_fleet_is_answered_as_it_was_sent_with_what_the_service_adds(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    let subnet = format!("{GROUP}/providers/Microsoft.Network/virtualNetworks/v/subnets/s");
    let identity = format!("{GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i");
    let body = json!({
        "location": "West Europe",
        "tags": { "b": "2", "a": "1" },
        "identity": { "type": "SystemAssigned, UserAssigned", "userAssignedIdentities": { identity: {} } },
        "properties": { "hubProfile": {
            "dnsPrefix": "fp",
            "apiServerAccessProfile": { "enablePrivateCluster": true, "enableVnetIntegration": true, "subnetId": subnet },
            "agentProfile": { "subnetId": subnet, "vmSize": "Standard_D2s_v3" }
        } }
    });
    let answer = app.put(FLEET, body).await.expect(201);
    insta::assert_snapshot!("maximal_fleet", answer.text);
    assert!(answer.header("azure-asyncoperation").starts_with("http://localhost/subscriptions/"));
    assert_eq!(answer.header("retry-after"), "1");

    let shown = app.get(FLEET).await.expect(200);
    let again = app.put(FLEET, shown.json()).await.expect(200);
    let (mut before, mut after) = (shown.json(), again.json());
    for body in [&mut before, &mut after] {
        body["eTag"] = json!(null);
        body["properties"]["status"] = json!(null);
        body["properties"]["provisioningState"] = json!(null);
    }
    assert_eq!(before, after, "the body of a GET can be sent back unchanged");
}

#[tokio::test]
async fn a_fleet_stays_where_it_is() {
    let app = TestApp::new(Backend::Sqlite).await;
    super::super::with_fleet(&app).await;
    let moved = app.put(FLEET, json!({ "location": "eastus" })).await.expect(409);
    assert_eq!(moved.code(), "InvalidResourceLocation");
    let _ = app.put(FLEET, json!({ "location": "West Europe" })).await.expect(200);
    let _ = app.put(FLEET, json!({})).await.expect(200);
    assert_eq!(app.get(FLEET).await.json()["location"], "westeurope");
}

#[tokio::test]
async fn a_hub_can_be_added_but_not_changed_or_removed() {
    let app = TestApp::new(Backend::Sqlite).await;
    super::super::with_fleet(&app).await;
    let hub = |prefix: &str| json!({ "location": "westeurope", "properties": { "hubProfile": { "dnsPrefix": prefix } } });
    let _ = app.put(FLEET, hub("one")).await.expect(200);
    let changed = app.put(FLEET, hub("two")).await.expect(400);
    assert_eq!(changed.code(), "PropertyChangeNotAllowed");
    assert_eq!(changed.json()["error"]["target"], "properties.hubProfile.dnsPrefix");
    let kept = app.put(FLEET, super::super::fleet_body()).await.expect(200);
    assert_eq!(kept.json()["properties"]["hubProfile"]["dnsPrefix"], "one");
}

#[tokio::test]
async fn a_write_by_an_old_version_leaves_what_it_cannot_name() {
    let app = TestApp::new(Backend::Sqlite).await;
    let body = json!({ "location": "westeurope", "properties": { "hubProfile": { "dnsPrefix": "one" } } });
    let _ = app.put(FLEET, body).await.expect(201);
    let old = format!("{FLEET}?api-version=2023-10-15");
    let shown = app.put(&old, json!({ "location": "westeurope", "tags": { "a": "b" } })).await.expect(200);
    assert!(shown.json()["properties"].get("hubProfile").is_none());
    let now = app.get(FLEET).await.json();
    assert_eq!(now["properties"]["hubProfile"]["dnsPrefix"], "one");
    assert_eq!(now["tags"], json!({ "a": "b" }));
}

#[tokio::test]
async fn a_missing_group_is_made_unless_the_service_is_strict() {
    let app = TestApp::new(Backend::Sqlite).await;
    super::super::with_fleet(&app).await;
    assert_eq!(app.get(GROUP).await.expect(200).json()["location"], "westeurope");
    let strict = TestApp::with(Backend::Sqlite, OperationDurations::Zero, |settings| {
        settings.strict_resource_groups = true;
    })
    .await;
    let refused = strict.put(FLEET, super::super::fleet_body()).await.expect(404);
    assert_eq!(refused.code(), "ResourceGroupNotFound");
}

#[rstest]
#[case(json!({}), "LocationRequired")]
#[case(json!({ "location": "westeurope", "name": "other" }), "InvalidParameter")]
#[case(json!({ "location": "westeurope", "tags": { "a<b": "c" } }), "InvalidParameter")]
#[case(json!({ "location": "westeurope", "identity": { "type": "UserAssigned" } }), "RequiredPropertyMissing")]
#[case(json!({ "location": "westeurope", "properties": { "hubProfile": { "dnsPrefix": "-" } } }), "InvalidParameter")]
#[tokio::test]
async fn a_bad_body_makes_no_fleet(#[case] body: serde_json::Value, #[case] code: &str) {
    let app = TestApp::new(Backend::Sqlite).await;
    assert_eq!(app.put(FLEET, body).await.expect(400).code(), code);
    let _ = app.get(FLEET).await.expect(404);
}

#[tokio::test]
async fn names_outside_the_grammar_are_refused() {
    let app = TestApp::new(Backend::Sqlite).await;
    let path = FLEET.replace("fleet1", "Fleet_One");
    let refused = app.put(&path, super::super::fleet_body()).await.expect(400);
    assert_eq!(refused.code(), "InvalidResourceName");
}
