//! `GET fleets/{fleet}/autoUpgradeProfiles`.

use fleetplane::testing::app::{Backend, FLEET, TestApp};
use serde_json::json;

use super::super::with_fleet;
use super::body;

#[tokio::test]
async fn profiles_are_listed_by_name() {
    let app = TestApp::new(Backend::Sqlite).await;
    let list = format!("{FLEET}/autoUpgradeProfiles");
    assert_eq!(app.get(&list).await.expect(404).code(), "ParentResourceNotFound");
    with_fleet(&app).await;
    assert_eq!(app.get(&list).await.expect(200).json(), json!({ "value": [] }));
    for (name, channel) in [("b", "Stable"), ("a", "NodeImage")] {
        let _ = app.put(&format!("{list}/{name}"), body(json!({ "channel": channel }))).await.expect(201);
    }
    let page = app.get(&list).await.expect(200).json();
    let names: Vec<&str> =
        page["value"].as_array().unwrap().iter().filter_map(|p| p["name"].as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(page["value"][0], app.get(&format!("{list}/a")).await.expect(200).json());
}
