//! `GET fleets`, of a group and of a subscription.

use fleetplane::testing::app::{Backend, FLEET, GROUP, SUBSCRIPTION, TestApp};

#[tokio::test]
async fn fleets_are_listed_by_group_and_by_subscription() {
    let app = TestApp::new(Backend::Sqlite).await;
    let other = FLEET.replace("/rg/", "/another/");
    for path in [FLEET, &other] {
        let _ = app.put(path, super::super::fleet_body()).await.expect(201);
    }
    let ids = |answer: fleetplane::testing::app::TestAnswer| {
        let page = answer.expect(200).json();
        assert!(page.get("nextLink").is_none());
        let values = page["value"].as_array().unwrap().clone();
        values.iter().map(|fleet| fleet["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let of_group = app.get(&format!("{GROUP}/providers/Microsoft.ContainerService/fleets")).await;
    assert_eq!(ids(of_group), [FLEET]);
    let of_subscription =
        app.get(&format!("{SUBSCRIPTION}/providers/Microsoft.ContainerService/fleets")).await;
    assert_eq!(ids(of_subscription), [other.as_str(), FLEET]);
}

#[tokio::test]
async fn a_group_that_is_missing_is_no_empty_list() {
    let app = TestApp::new(Backend::Sqlite).await;
    let path = format!("{GROUP}/providers/Microsoft.ContainerService/fleets");
    assert_eq!(app.get(&path).await.expect(404).code(), "ResourceGroupNotFound");
}
