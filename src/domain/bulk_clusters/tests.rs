use rstest::rstest;

use super::*;
use crate::domain::managed_cluster::testing::{Ids, NOW};
use crate::domain::system_data::Principal;

fn body() -> Value {
    json!({
        "subscriptionId": "00000000-0000-0000-0000-000000000001",
        "resourceGroup": "rg",
        "namePrefix": "c-",
        "count": 8,
    })
}

fn made(body: &Value) -> Vec<ManagedCluster> {
    let now = NOW.parse().unwrap();
    let system_data = SystemData::created(&Principal::anonymous(), now);
    let bulk = BulkClusters::read(body, Catalogue::built_in()).unwrap();
    bulk.make(Catalogue::built_in(), &system_data, now, &Ids::default()).unwrap()
}

#[test]
fn four_members_are_enough() {
    let clusters = made(&body());
    assert_eq!(clusters.len(), 8);
    assert_eq!(clusters[7].id.name(), "c-7");
    let regions: std::collections::BTreeSet<String> = clusters.iter().map(ManagedCluster::region).collect();
    assert_eq!(regions.len(), 8);
}

#[test]
fn every_list_is_dealt_with_its_weights() {
    let mut body = body();
    body["regions"] = json!([{"value": "eastus", "weight": 3}, "westeurope"]);
    body["kubernetesVersion"] = json!(["1.35.1", "1.36.2"]);
    body["pools"] = json!([
        {"count": 3, "nodeImageVersion": "202610.05.0"},
        {"osType": "Windows"},
    ]);
    body["maintenanceWindow"] = json!([{"value": {
        "schedule": {"daily": {"intervalDays": 1}}, "durationHours": 4, "startTime": "01:00",
    }}]);
    let clusters = made(&body);
    let east = clusters.iter().filter(|cluster| cluster.region() == "eastus").count();
    let old = clusters.iter().filter(|cluster| cluster.current_version.to_string() == "1.35.1").count();
    assert_eq!((east, old), (6, 4));
    let names: Vec<&str> = clusters[0].pools.iter().map(|pool| &*pool.name).collect();
    assert_eq!(names, ["nodepool1", "win2"]);
    assert_eq!(clusters[0].pools[0].image.version.as_str(), "202610.05.0");
    assert!(clusters[0].observe(NOW.parse().unwrap()).node_os_window.is_some());
}

#[test]
fn no_two_pools_have_one_tag() {
    let clusters = made(&body());
    let tags: std::collections::BTreeSet<_> =
        clusters.iter().flat_map(|cluster| &cluster.pools).map(|pool| pool.etag.0).collect();
    assert_eq!(tags.len(), 8);
}

#[rstest]
#[case("count", json!(0), "count")]
#[case("count", json!(100_001), "count")]
#[case("subscriptionId", json!("x"), "subscriptionId")]
#[case("namePrefix", json!(null), "namePrefix")]
#[case("namePrefix", json!("-"), "namePrefix")]
#[case("regions", json!(["atlantis"]), "regions")]
#[case("regions", json!([{"value": "eastus", "weight": 0}]), "regions[0].weight")]
#[case("labels", json!([{"value": {"a": 1}}]), "labels[0]")]
#[case("groups", json!(["Not A Name"]), "groups")]
#[case("groups", json!(["a-group-but-no-fleet"]), "groups")]
#[case("fleet", json!("/subscriptions/x"), "fleet")]
#[case("cuont", json!(1), "cuont")]
fn a_wrong_member_is_refused_by_name(#[case] member: &str, #[case] value: Value, #[case] target: &str) {
    let mut body = body();
    body[member] = value;
    let refusal = BulkClusters::read(&body, Catalogue::built_in()).unwrap_err();
    assert_eq!(refusal.target.as_deref(), Some(target), "{refusal}");
}
