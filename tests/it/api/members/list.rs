//! `GET fleets/{fleet}/members`.

use fleetplane::testing::app::{Backend, FLEET, TestApp};
use rstest::rstest;
use serde_json::json;

#[rstest]
#[tokio::test]
async fn members_are_listed_by_group(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let app = TestApp::new(backend).await;
    super::super::with_fleet(&app).await;
    for (name, group) in [("m1", "a"), ("m2", "b"), ("m3", "a")] {
        let mut body = super::super::member_body(name);
        body["properties"]["group"] = json!(group);
        let _ = app.put(&format!("{FLEET}/members/{name}"), body).await.expect(201);
    }
    let page = app.get(&format!("{FLEET}/members?$filter=group%20eq%20'a'")).await.expect(200).json();
    let names: Vec<&str> =
        page["value"].as_array().unwrap().iter().filter_map(|m| m["name"].as_str()).collect();
    assert_eq!(names, ["m1", "m3"]);
}
