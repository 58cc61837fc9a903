//! Lists of resources whatever their type.

use fleetplane::testing::app::{Backend, FLEET, GROUP, SUBSCRIPTION, TestApp};
use rstest::rstest;
use serde_json::{Value, json};

use super::CLUSTER;

/// Two fleets and two clusters in one group, a fleet in another, of the same names.
async fn populated(backend: Backend) -> TestApp {
    let app = TestApp::new(backend).await;
    let fleet = |group: &str, name: &str| {
        FLEET.replace("/rg/", &format!("/{group}/")).replace("/fleet1", &format!("/{name}"))
    };
    for (path, tags) in [
        (fleet("rg", "one"), json!({ "Team": "web" })),
        (fleet("rg", "two"), json!({ "team": "shop", "tier": "web" })),
        (fleet("other", "one"), json!({})),
    ] {
        let _ = app.put(&path, json!({ "location": "westeurope", "tags": tags })).await.expect(201);
    }
    for name in ["one", "two"] {
        let path = CLUSTER.replace("/c1", &format!("/{name}"));
        let _ = app.put(&path, super::cluster_body()).await.expect(201);
    }
    app
}

/// `type name` of each resource, by the last part of its type, with its group where that is not `rg`.
fn names(list: &Value) -> Vec<String> {
    let values = list["value"].as_array().unwrap().iter();
    let name = |value: &Value| {
        let kind = value["type"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        let group = value["id"].as_str().unwrap().split('/').nth(4).unwrap();
        let group = if group == "rg" { String::new() } else { format!("{group}/") };
        format!("{kind} {group}{}", value["name"].as_str().unwrap())
    };
    values.map(name).collect()
}

#[rstest]
#[case("", &["fleets other/one", "fleets one", "fleets two", "managedClusters one", "managedClusters two"])]
#[case("name eq 'ONE'", &["fleets other/one", "fleets one", "managedClusters one"])]
#[case("resourceGroup eq 'RG' and name eq 'one'", &["fleets one", "managedClusters one"])]
#[case("resourceType eq 'microsoft.containerservice/managedclusters'", &["managedClusters one", "managedClusters two"])]
#[case("location eq 'westeurope' and resourceGroup eq 'other'", &["fleets other/one"])]
#[case("tagName eq 'team'", &["fleets one", "fleets two"])]
#[case("tagName eq 'team' and tagValue eq 'web'", &["fleets one"])]
#[case("tagValue eq 'web'", &["fleets one", "fleets two"])]
#[case("name eq 'nobody'", &[])]
#[tokio::test]
async fn resources_are_listed_by_what_all_have(#[case] filter: &str, #[case] expected: &[&str]) {
    let app = populated(Backend::Sqlite).await;
    let filter = filter.replace(' ', "%20");
    let list = app.get(&format!("{SUBSCRIPTION}/resources?$filter={filter}")).await.expect(200).json();
    assert_eq!(names(&list), expected);
}

#[rstest]
#[tokio::test]
async fn pages_show_every_resource_once(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
    #[values(1, 2, 3, 5)] top: usize,
) {
    let app = populated(backend).await;
    let (mut next, mut found) = (format!("{SUBSCRIPTION}/resources?$top={top}"), Vec::new());
    loop {
        let page = app.get(&next).await.expect(200).json();
        found.extend(names(&page));
        let Some(link) = page["nextLink"].as_str() else { break };
        assert_eq!(page["value"].as_array().unwrap().len(), top);
        next = link.replacen("http://localhost", "", 1);
    }
    let all = ["fleets other/one", "fleets one", "fleets two", "managedClusters one", "managedClusters two"];
    assert_eq!(found, all);
}

#[tokio::test]
async fn a_group_lists_what_is_in_it() {
    let app = populated(Backend::Sqlite).await;
    let list = app.get(&format!("{GROUP}/resources?$filter=name%20eq%20one")).await.expect(200).json();
    assert_eq!(names(&list), ["fleets one", "managedClusters one"]);
    assert_eq!(
        list["value"][0],
        json!({
            "id": FLEET.replace("fleet1", "one"), "name": "one", "type": "Microsoft.ContainerService/fleets",
            "location": "westeurope", "tags": { "Team": "web" }
        })
    );
}

#[tokio::test]
async fn the_skip_token_of_another_list_is_refused() {
    let app = populated(Backend::Sqlite).await;
    let fleets = format!("{SUBSCRIPTION}/providers/Microsoft.ContainerService/fleets?$top=1");
    let page = app.get(&fleets).await.expect(200).json();
    let token = page["nextLink"].as_str().unwrap().split("$skipToken=").nth(1).unwrap().to_owned();
    let refused = app.get(&format!("{SUBSCRIPTION}/resources?$skipToken={token}")).await.expect(400);
    assert_eq!(refused.code(), "InvalidSkipToken");
}
