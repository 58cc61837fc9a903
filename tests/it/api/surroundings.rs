//! What clients ask about subscriptions, providers and regions.

use fleetplane::testing::app::{Backend, SUBSCRIPTION, TestApp};

#[tokio::test]
async fn the_surroundings_answer() {
    let app = TestApp::new(Backend::Sqlite).await;
    let version = "?api-version=2022-12-01";
    let list = app.get(&format!("/subscriptions{version}")).await.expect(200).json();
    assert_eq!(list["value"].as_array().map(Vec::len), Some(1), "one to begin with");
    super::with_fleet(&app).await;
    let list = app.get(&format!("/subscriptions{version}")).await.expect(200).json();
    assert_eq!(list["value"][0]["id"], SUBSCRIPTION);
    let _ = app.get(&format!("/tenants{version}")).await.expect(200);
    let _ = app.get(SUBSCRIPTION).await.expect(200);
    let regions = app.get(&format!("{SUBSCRIPTION}/locations")).await.expect(200).json();
    assert!(regions["value"].as_array().unwrap().iter().any(|region| region["name"] == "westeurope"));
    let provider = app.get(&format!("{SUBSCRIPTION}/providers/Microsoft.ContainerService")).await.expect(200);
    insta::assert_json_snapshot!("fleets_of_provider", provider.json()["resourceTypes"][0]["apiVersions"]);
    let _ = app.get(&format!("{SUBSCRIPTION}/providers")).await.expect(200);
    let path = format!("/providers/Microsoft.ContainerService/operations{version}");
    let operations = app.get(&path).await.expect(200).json();
    let names: Vec<&str> =
        operations["value"].as_array().unwrap().iter().filter_map(|o| o["name"].as_str()).collect();
    assert!(names.contains(&"Microsoft.ContainerService/fleets/updateRuns/skip/action"));
}
