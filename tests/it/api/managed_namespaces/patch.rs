//! `PATCH fleets/{fleet}/managedNamespaces/{namespace}`.

use fleetplane::testing::app::{Backend, TestApp};
use serde_json::json;

use super::super::{namespace_body, with_hub};
use super::path;

#[tokio::test]
async fn settings_are_merged_by_an_operation() {
    let app = TestApp::new(Backend::Sqlite).await;
    with_hub(&app).await;
    let mut body = namespace_body();
    body["properties"]["managedNamespaceProperties"] = json!({ "labels": { "a": "1", "b": "2" } });
    let _ = app.put(&path(), body).await.expect(201);
    let change = json!({ "tags": { "t": "1" }, "properties": {
        "managedNamespaceProperties": { "labels": { "a": null }, "defaultNetworkPolicy": { "egress": "DenyAll" } },
        "deletePolicy": "delete" } });
    let answer = app.patch(&path(), change).await.expect(202);
    assert!(!answer.header("azure-asyncoperation").is_empty() && !answer.header("location").is_empty());
    let result = answer.header("location").split_once("/subscriptions").unwrap().1.to_owned();
    let shown = app.get(&format!("/subscriptions{result}")).await.expect(200).json();
    assert_eq!(shown["tags"], json!({ "t": "1" }));
    assert_eq!(shown["properties"]["deletePolicy"], "Delete");
    let kubernetes = &shown["properties"]["managedNamespaceProperties"];
    assert_eq!(kubernetes["labels"], json!({ "b": "2", "fleet.azure.com/managed-by": "arm" }));
    assert_eq!(kubernetes["defaultNetworkPolicy"], json!({ "egress": "DenyAll" }));
}

#[tokio::test]
async fn versions_before_the_newest_patch_tags_only() {
    let app = TestApp::new(Backend::Sqlite).await;
    with_hub(&app).await;
    let _ = app.put(&path(), namespace_body()).await.expect(201);
    for version in ["2025-08-01-preview", "2026-06-01"] {
        let old = format!("{}?api-version={version}", path());
        let _ = app.patch(&old, json!({ "tags": { "v": version } })).await.expect(202);
        let refused =
            app.patch(&old, json!({ "properties": { "deletePolicy": "Delete" } })).await.expect(400);
        assert!(refused.text.contains("2026-06-02-preview"), "{}", refused.text);
    }
    assert_eq!(app.get(&path()).await.json()["tags"], json!({ "v": "2026-06-01" }));
}
