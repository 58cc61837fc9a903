//! `PATCH fleets/{fleet}/members/{member}`.

use fleetplane::testing::app::{Backend, FLEET, TestApp};
use serde_json::json;

use super::super::CLUSTER;

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
async fn its_labels_say_where_its_cluster_is_now_in_the_grammar_of_labels() {
    let app = TestApp::new(Backend::Sqlite).await;
    super::super::with_fleet(&app).await;
    let (path, cluster) = (format!("{FLEET}/members/m1"), CLUSTER.replace("/rg/", "/My.Group_(1)/"));
    let _ = app.put(&cluster, super::super::cluster_body()).await.expect(201);
    let body = json!({ "properties": { "clusterResourceId": cluster } });
    let label = |member: &serde_json::Value, name: &str| {
        member["properties"]["labels"][format!("fleet.azure.com/{name}")].clone()
    };
    let joined = app.put(&path, body.clone()).await.expect(201).json();
    assert_eq!(label(&joined, "resource-group"), "My.Group_-1");
    assert_eq!(label(&joined, "location"), "eastus");
    let _ = app.delete(&cluster).await.expect(202);
    let patched = app.patch(&path, json!({})).await.expect(200).json();
    assert_eq!(label(&patched, "location"), "eastus", "where it was last");
    for (region, by_put) in [("westeurope", false), ("swedencentral", true)] {
        let mut moved = super::super::cluster_body();
        moved["location"] = json!(region);
        let _ = app.put(&cluster, moved).await.expect(201);
        let answer =
            if by_put { app.put(&path, body.clone()).await } else { app.patch(&path, json!({})).await };
        assert_eq!(label(&answer.expect(200).json(), "location"), region);
        let _ = app.delete(&cluster).await.expect(202);
    }
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
