//! `PATCH fleets/{fleet}`.

use fleetplane::testing::app::{Backend, FLEET, TestApp};
use serde_json::json;

#[tokio::test]
async fn tags_are_replaced_whole_and_at_once() {
    let app = TestApp::new(Backend::Sqlite).await;
    let _ =
        app.put(FLEET, json!({ "location": "westeurope", "tags": { "a": "1", "b": "2" } })).await.expect(201);
    let answer = app.patch(FLEET, json!({ "tags": { "c": "3" } })).await.expect(200);
    assert_eq!(answer.json()["tags"], json!({ "c": "3" }));
    assert_eq!(answer.header("azure-asyncoperation"), "");
}

#[tokio::test]
async fn an_identity_is_changed_by_an_operation() {
    let app = TestApp::new(Backend::Sqlite).await;
    super::super::with_fleet(&app).await;
    let answer = app.patch(FLEET, json!({ "identity": { "type": "SystemAssigned" } })).await.expect(202);
    assert!(!answer.header("azure-asyncoperation").is_empty() && !answer.header("location").is_empty());
    assert!(app.get(FLEET).await.json()["identity"]["principalId"].is_string());
}

#[tokio::test]
async fn an_identity_without_its_type_is_one_fault() {
    let app = TestApp::new(Backend::Sqlite).await;
    super::super::with_fleet(&app).await;
    let error = app.patch(FLEET, json!({ "identity": {} })).await.expect(400).json()["error"].clone();
    assert_eq!((&error["target"], error.get("details")), (&json!("identity.type"), None), "{error}");
}

#[tokio::test]
async fn other_members_are_refused() {
    let app = TestApp::new(Backend::Sqlite).await;
    super::super::with_fleet(&app).await;
    let answer = app.patch(FLEET, json!({ "tag": {}, "location": "x" })).await.expect(400);
    let error = &answer.json()["error"];
    assert_eq!(error["details"].as_array().map(Vec::len), Some(2));
    assert!(error["message"].as_str().unwrap().contains("Did you mean 'tags'?"), "{error}");
}
