//! `PATCH fleets/{fleet}/members/{member}`.

use fleetplane::testing::app::{Backend, FLEET, TestApp};
use serde_json::json;

#[tokio::test]
async fn group_and_labels_change_at_once_and_null_removes() {
    let app = TestApp::new(Backend::Sqlite).await;
    super::super::with_fleet(&app).await;
    let path = format!("{FLEET}/members/m1");
    let _ = app.put(&path, super::super::member_body("c1")).await.expect(201);
    let change = json!({ "properties": { "group": "g", "labels": { "env": "prod", "tier": "web" } } });
    let answer = app.patch(&path, change).await.expect(200);
    assert_eq!(answer.json()["properties"]["group"], "g");
    assert_eq!(answer.header("azure-asyncoperation"), "");
    let change = json!({ "properties": { "group": null, "labels": { "env": null } } });
    let shown = app.patch(&path, change).await.expect(200).json()["properties"].clone();
    assert!(shown.get("group").is_none());
    assert_eq!((shown["labels"].get("env"), &shown["labels"]["tier"]), (None, &json!("web")));
}

#[tokio::test]
async fn labels_outside_the_grammar_are_refused() {
    let app = TestApp::new(Backend::Sqlite).await;
    super::super::with_fleet(&app).await;
    let path = format!("{FLEET}/members/m1");
    let _ = app.put(&path, super::super::member_body("c1")).await.expect(201);
    let answer = app.patch(&path, json!({ "properties": { "labels": { "a": "-" } } })).await.expect(400);
    assert_eq!(answer.json()["error"]["target"], "properties.labels.a");
}
