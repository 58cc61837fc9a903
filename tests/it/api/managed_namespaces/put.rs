//! `PUT fleets/{fleet}/managedNamespaces/{namespace}`.

use fleetplane::testing::app::{Backend, FLEET, TestApp};
use rstest::rstest;
use serde_json::{Value, json};

use super::super::{member_body, namespace_body, with_fleet, with_hub};
use super::path;
use crate::api::kinds::Kind;

/// A body with everything that one may say, placed on members `m1` and `m2`.
fn maximal() -> Value {
    Kind::Namespace.maximal().swap_remove(0)
}

#[rstest]
#[tokio::test]
async fn a_maximal_body_comes_back_with_what_the_service_adds(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    with_hub(&app).await;
    for name in ["m1", "m2"] {
        let _ = app.put(&format!("{FLEET}/members/{name}"), member_body(name)).await.expect(201);
    }
    let answer = app.put(&path(), maximal()).await.expect(201);
    assert!(!answer.header("azure-asyncoperation").is_empty());
    let shown = app.get(&path()).await.expect(200);
    insta::assert_snapshot!("managed_namespace", shown.text);
    let again = app.put(&path(), shown.json()).await.expect(200).json();
    assert_eq!(
        again["properties"]["managedNamespaceProperties"],
        shown.json()["properties"]["managedNamespaceProperties"]
    );
    let page = app.get(&format!("{FLEET}/managedNamespaces")).await.expect(200).json();
    assert_eq!(page["value"][0]["name"], "team-a");
}

#[tokio::test]
async fn a_hubless_fleet_has_no_namespaces() {
    let app = TestApp::new(Backend::Sqlite).await;
    let missing = app.put(&path(), namespace_body()).await.expect(404);
    assert_eq!(missing.code(), "ParentResourceNotFound");
    with_fleet(&app).await;
    assert_eq!(app.put(&path(), namespace_body()).await.expect(400).code(), "HubProfileRequired");
}

#[tokio::test]
async fn it_is_placed_on_members_of_the_fleet_only() {
    let app = TestApp::new(Backend::Sqlite).await;
    with_hub(&app).await;
    let _ = app.put(&format!("{FLEET}/members/m1"), member_body("m1")).await.expect(201);
    let refused = app.put(&path(), maximal()).await.expect(400).json();
    assert!(refused["error"]["target"].as_str().unwrap().ends_with("policy.clusterNames"), "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains("'m2'"), "{refused}");
}

#[tokio::test]
async fn one_that_is_placed_on_a_member_that_has_left_can_be_written_but_not_placed_there_again() {
    let app = TestApp::new(Backend::Sqlite).await;
    with_hub(&app).await;
    for name in ["m1", "m2"] {
        let _ = app.put(&format!("{FLEET}/members/{name}"), member_body(name)).await.expect(201);
    }
    let _ = app.put(&path(), maximal()).await.expect(201);
    let _ = app.delete(&format!("{FLEET}/members/m2")).await.expect(202);
    let mut shown = app.get(&path()).await.expect(200).json();
    let _ = app.put(&path(), shown.clone()).await.expect(200);
    let names =
        "/properties/propagationPolicy/placementProfile/defaultClusterResourcePlacement/policy/clusterNames";
    *shown.pointer_mut(names).unwrap() = json!(["m1"]);
    let _ = app.put(&path(), shown.clone()).await.expect(200);
    *shown.pointer_mut(names).unwrap() = json!(["m1", "m2"]);
    let refused = app.put(&path(), shown).await.expect(400).json();
    assert!(refused["error"]["message"].as_str().unwrap().contains("'m2'"), "{refused}");
}

#[tokio::test]
async fn policies_and_location_are_required_and_the_location_stays() {
    let app = TestApp::new(Backend::Sqlite).await;
    with_hub(&app).await;
    let refused = app.put(&path(), json!({ "properties": {} })).await.expect(400).json();
    let targets: Vec<_> =
        refused["error"]["details"].as_array().unwrap().iter().map(|fault| fault["target"].clone()).collect();
    assert_eq!(targets, ["location", "properties.adoptionPolicy", "properties.deletePolicy"]);
    let _ = app.put(&path(), namespace_body()).await.expect(201);
    let mut moved = namespace_body();
    moved["location"] = json!("eastus");
    assert_eq!(app.put(&path(), moved).await.expect(409).code(), "InvalidResourceLocation");
}

#[tokio::test]
async fn what_an_older_version_cannot_name_survives_its_write() {
    let app = TestApp::new(Backend::Sqlite).await;
    with_hub(&app).await;
    for name in ["m1", "m2"] {
        let _ = app.put(&format!("{FLEET}/members/{name}"), member_body(name)).await.expect(201);
    }
    let _ = app.put(&path(), maximal()).await.expect(201);
    let old = format!("{}?api-version=2025-08-01-preview", path());
    let placement = "/properties/propagationPolicy/placementProfile/defaultClusterResourcePlacement";
    let shown = app.get(&old).await.expect(200).json();
    assert!(shown.pointer(placement).unwrap().get("rolloutStrategy").is_none());
    let _ = app.put(&old, shown).await.expect(200);
    let kept = app.get(&path()).await.expect(200).json();
    assert_eq!(kept.pointer(placement).unwrap()["rolloutStrategy"]["type"], "External");
}

#[tokio::test]
async fn it_takes_two_seconds_and_nothing_else_is_written_meanwhile() {
    let app = TestApp::simulated(Backend::Sqlite).await;
    with_hub(&app).await;
    let created = app.put(&path(), namespace_body()).await.expect(201).json();
    assert_eq!(created["properties"]["provisioningState"], "Creating");
    assert_eq!(app.put(&path(), namespace_body()).await.expect(409).code(), "OperationNotAllowed");
    app.pass(2).await;
    let shown = app.get(&path()).await.expect(200).json();
    assert_eq!(shown["properties"]["provisioningState"], "Succeeded");
    assert_eq!(shown["properties"]["status"], created["properties"]["status"]);
}
