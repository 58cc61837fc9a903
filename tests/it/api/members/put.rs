//! `PUT fleets/{fleet}/members/{member}`.

use fleetplane::testing::app::{Backend, FLEET, GROUP, TestApp};
use rstest::rstest;
use serde_json::json;

#[rstest]
#[tokio::test]
async fn a_member_carries_the_labels_of_the_service(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    super::super::with_fleet(&app).await;
    let mut body = super::super::member_body("c1");
    body["properties"]["group"] = json!("canary");
    body["properties"]["labels"] = json!({ "env": "prod", "fleet.azure.com/location": "forged" });
    let answer = app.put(&format!("{FLEET}/members/m1"), body).await.expect(201);
    insta::assert_snapshot!("member", answer.text);
    let shown = app.get(&format!("{FLEET}/members/m1")).await.expect(200);
    let _ = app.put(&format!("{FLEET}/members/m1"), shown.json()).await.expect(200);
}

#[tokio::test]
async fn a_cluster_joins_one_fleet_once() {
    let app = TestApp::new(Backend::Sqlite).await;
    super::super::with_fleet(&app).await;
    let other = FLEET.replace("fleet1", "fleet2");
    let _ = app.put(&other, super::super::fleet_body()).await.expect(201);
    let _ = app.put(&format!("{FLEET}/members/m1"), super::super::member_body("c1")).await.expect(201);
    for path in [format!("{FLEET}/members/m2"), format!("{other}/members/m1")] {
        let answer = app.put(&path, super::super::member_body("C1")).await.expect(409);
        assert_eq!(answer.code(), "ClusterAlreadyJoinedAnotherFleet");
    }
}

#[tokio::test]
async fn a_member_needs_a_cluster_that_exists() {
    let app = TestApp::new(Backend::Sqlite).await;
    super::super::with_fleet(&app).await;
    let path = format!("{FLEET}/members/m1");
    let id = format!("{GROUP}/providers/Microsoft.ContainerService/managedClusters/nobody");
    let missing = app.put(&path, json!({ "properties": { "clusterResourceId": id } })).await.expect(400);
    assert_eq!(missing.code(), "ClusterNotFound");
    let none = app.put(&path, json!({ "properties": {} })).await.expect(400);
    assert_eq!(none.code(), "RequiredPropertyMissing");
    let odd = app.put(&path, json!({ "properties": { "clusterResourceId": FLEET } })).await.expect(400);
    assert_eq!(odd.json()["error"]["target"], "properties.clusterResourceId");
}

#[tokio::test]
async fn a_member_keeps_its_cluster() {
    let app = TestApp::new(Backend::Sqlite).await;
    super::super::with_fleet(&app).await;
    let path = format!("{FLEET}/members/m1");
    let _ = app.put(&path, super::super::member_body("c1")).await.expect(201);
    let changed = app.put(&path, super::super::member_body("c2")).await.expect(400);
    assert_eq!(changed.code(), "PropertyChangeNotAllowed");
    let _ = app.put(&path, json!({ "properties": { "group": "g" } })).await.expect(200);
}

#[tokio::test]
async fn a_missing_fleet_is_the_missing_parent() {
    let app = TestApp::new(Backend::Sqlite).await;
    let answer = app.put(&format!("{FLEET}/members/m1"), super::super::member_body("c1")).await.expect(404);
    assert_eq!(answer.code(), "ParentResourceNotFound");
    let answer = app.get(&format!("{FLEET}/members")).await.expect(404);
    assert_eq!(answer.code(), "ParentResourceNotFound");
    let answer = app.get(&format!("{FLEET}/members/m1")).await.expect(404);
    assert_eq!(answer.code(), "ResourceNotFound");
}
