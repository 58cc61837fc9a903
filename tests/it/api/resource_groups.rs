//! Resource groups.

use axum::http::Method;
use fleetplane::testing::app::{Backend, FLEET, GROUP, SUBSCRIPTION, TestApp};
use rstest::rstest;
use serde_json::json;

#[rstest]
#[tokio::test]
async fn a_group_is_made_shown_listed_and_removed(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    let _ = app.request(Method::HEAD, GROUP).send().await.expect(404);
    let made = app.put(GROUP, json!({ "location": "westeurope", "tags": { "a": "b" } })).await.expect(201);
    assert_eq!(app.get(GROUP).await.expect(200).text, made.text);
    let _ = app.put(GROUP, json!({ "location": "westeurope" })).await.expect(200);
    let _ = app.request(Method::HEAD, GROUP).send().await.expect(204);
    let page = app.get(&format!("{SUBSCRIPTION}/resourceGroups")).await.expect(200).json();
    assert_eq!(page["value"][0]["name"], "rg");
    let _ = app.put(FLEET, super::fleet_body()).await.expect(201);
    let deleted = app.delete(GROUP).await.expect(202);
    assert!(!deleted.header("location").is_empty());
    assert_eq!(app.get(GROUP).await.expect(404).code(), "ResourceGroupNotFound");
    let _ = app.get(FLEET).await.expect(404);
    assert_eq!(app.delete(GROUP).await.expect(404).code(), "ResourceGroupNotFound");
}

#[tokio::test]
async fn what_is_made_is_made_in_a_region_that_there_is() {
    let app = TestApp::new(Backend::Sqlite).await;
    super::with_hub(&app).await;
    let group = (GROUP.replace("/rg", "/rg2"), json!({}));
    let fleet = (FLEET.replace("/rg/", "/rg2/"), super::fleet_body());
    let namespace = (format!("{FLEET}/managedNamespaces/n1"), super::namespace_body());
    for (path, mut body) in [group, fleet, namespace] {
        body["location"] = json!("atlantis");
        let refused = app.put(&path, body.clone()).await.expect(400);
        let target = refused.json()["error"]["target"].clone();
        assert_eq!((refused.code().as_str(), target), ("LocationNotAvailable", json!("location")), "{path}");
        assert!(refused.text.contains("westeurope"), "{}", refused.text);
        let _ = app.get(&path).await.expect(404);
        body["location"] = json!("West Europe");
        let _ = app.put(&path, body).await.expect(201);
    }
}

#[rstest]
#[tokio::test]
async fn a_patch_changes_what_it_says_and_leaves_the_rest(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::simulated(backend).await;
    let missing = app.patch(GROUP, json!({})).await.expect(404);
    assert_eq!(missing.code(), "ResourceGroupNotFound");
    let body = json!({ "location": "westeurope", "tags": { "a": "b" }, "managedBy": "me" });
    let _ = app.put(GROUP, body).await.expect(201);
    let patched = app.patch(GROUP, json!({ "tags": { "c": "d" } })).await.expect(200);
    assert_eq!(patched.json()["tags"], json!({ "c": "d" }));
    assert_eq!(patched.json()["managedBy"], "me");
    assert_eq!(app.get(GROUP).await.expect(200).text, patched.text);
    assert_eq!(app.patch(GROUP, patched.json()).await.expect(200).text, patched.text);
    let refused = app.patch(GROUP, json!({ "tgas": {} })).await.expect(400);
    assert_eq!(refused.json()["error"]["target"], "tgas");
    for body in [json!({ "name": "other" }), json!({ "id": FLEET }), json!({ "type": "fleets" })] {
        assert_eq!(app.patch(GROUP, body.clone()).await.expect(400).code(), "InvalidParameter");
        assert_eq!(app.put(GROUP, body).await.expect(400).code(), "InvalidParameter");
    }
    let moved = app.patch(GROUP, json!({ "location": "eastus" })).await.expect(409);
    assert_eq!(moved.code(), "InvalidResourceLocation");
    let _ = app.delete(GROUP).await.expect(202);
    assert_eq!(app.patch(GROUP, json!({})).await.expect(409).code(), "OperationNotAllowed");
}

#[tokio::test]
async fn names_keep_the_casing_in_which_they_were_first_written() {
    let app = TestApp::new(Backend::Sqlite).await;
    let mixed = GROUP.replace("/rg", "/My-Rg");
    let _ = app.put(&mixed, json!({ "location": "westeurope" })).await.expect(201);
    let fleet = FLEET.replace("/rg/", "/MY-RG/");
    let made = app.put(&fleet, super::fleet_body()).await.expect(201);
    assert_eq!(made.json()["id"], FLEET.replace("/rg/", "/My-Rg/"));
    assert_eq!(app.get(&fleet.to_ascii_lowercase()).await.expect(200).json()["id"], made.json()["id"]);
    let fleet = made.json()["id"].as_str().unwrap().to_owned();
    for (child, body) in [
        ("members/m1", super::member_body("c1")),
        ("updateStrategies/s1", super::strategy_body()),
        ("updateRuns/r1", super::run_body()),
    ] {
        let shouted = format!("{}/{child}", fleet.to_ascii_uppercase());
        let made = app.put(&shouted, body.clone()).await.expect(201);
        assert_eq!(made.json()["id"], format!("{fleet}/{child}"));
        let again = app.put(&format!("{fleet}/{}", child.to_ascii_uppercase()), body).await.expect(200);
        assert_eq!(again.json()["id"], made.json()["id"]);
    }
}
