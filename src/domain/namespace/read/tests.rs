use rstest::rstest;
use serde_json::json;

use super::*;
use crate::domain::lifecycle::Lifecycle;
use crate::domain::namespace::cluster_names;
use crate::domain::refusal::Refusal;
use crate::domain::system_data::{Principal, SystemData};
use crate::domain::time::from_micros;

fn id(name: &str) -> ResourceId {
    ResourceId::resource_group("s", "g").child("fleets", "f").child("managedNamespaces", name)
}

fn body(properties: &Value) -> Value {
    let mut whole = json!({ "adoptionPolicy": "Never", "deletePolicy": "Keep" });
    merge(whole.as_object_mut().unwrap(), properties.as_object().unwrap());
    json!({ "location": "eastus", "properties": whole })
}

fn put(properties: &Value) -> Result<NamespaceSettings, Refusal> {
    let mut faults = Faults::new();
    let spec = NamespaceSpec::read_into(&id("n"), &body(properties), None, &mut faults);
    faults.finish().map(|()| spec.settings)
}

fn namespace(properties: &Value) -> ManagedNamespace {
    ManagedNamespace {
        id: id("n"),
        location: "eastus".to_owned(),
        tags: Default::default(),
        settings: put(properties).unwrap(),
        portal_fqdn: "portal".to_owned(),
        lifecycle: Lifecycle::succeeded(),
        system_data: SystemData::created(&Principal::anonymous(), from_micros(0)),
    }
}

fn kubernetes(properties: &Value) -> Value {
    json!({ "managedNamespaceProperties": properties })
}

fn placed(placement: &Value) -> Value {
    json!({ "propagationPolicy": {
        "type": "Placement", "placementProfile": { "defaultClusterResourcePlacement": placement } } })
}

fn policy(policy: &Value) -> Value {
    placed(&json!({ "policy": policy }))
}

fn affinity(term: &Value) -> Value {
    policy(&json!({ "affinity": { "clusterAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": { "clusterSelectorTerms": [term] } } } }))
}

#[rstest]
#[case::nothing(json!({}))]
#[case::request_is_limit(kubernetes(&json!({ "defaultResourceQuota": {
    "cpuRequest": "1000m", "cpuLimit": "1", "memoryRequest": "1Gi", "memoryLimit": "1024Mi" } })))]
#[case::limit_alone(kubernetes(&json!({ "defaultResourceQuota": { "cpuLimit": "0" } })))]
#[case::annotation(kubernetes(&json!({ "annotations": { "a.b/c": "any text: at all\n" } })))]
#[case::named(policy(&json!({ "placementType": "PickFixed", "clusterNames": ["m1", "m2"] })))]
#[case::labels(affinity(&json!({ "labelSelector": {
    "matchLabels": { "a": "b" }, "matchExpressions": [{ "key": "a", "operator": "In", "values": ["b"] },
        { "key": "c", "operator": "Exists" }] } })))]
#[case::property(affinity(&json!({ "propertySelector": { "matchExpressions": [
    { "name": "kubernetes.azure.com/node-count", "operator": "Ge", "values": ["3"] }] } })))]
#[case::tolerations(policy(&json!({ "tolerations": [
    { "operator": "Exists" }, { "key": "a", "value": "b", "effect": "NoSchedule" }] })))]
#[case::external(placed(&json!({
    "rolloutStrategy": { "type": "External", "clusterUpdateStrategy": { "name": "s" } } })))]
fn what_is_right_is_kept_as_it_was_sent(#[case] properties: Value) {
    let kept = put(&properties).unwrap();
    assert_eq!(Value::Object(kept), body(&properties)["properties"]);
}

#[rstest]
#[case::label(kubernetes(&json!({ "labels": { "a b": "c" } })), "labels.a b")]
#[case::annotation(kubernetes(&json!({ "annotations": { "-": "c" } })), "annotations.-")]
#[case::many_annotations(kubernetes(&json!({ "annotations": { "a": "x".repeat(MAX_ANNOTATIONS) } })), "annotations")]
#[case::quantity(kubernetes(&json!({ "defaultResourceQuota": { "cpuRequest": "much" } })), "cpuRequest")]
#[case::negative(kubernetes(&json!({ "defaultResourceQuota": { "memoryLimit": "-1" } })), "memoryLimit")]
#[case::above(
    kubernetes(&json!({ "defaultResourceQuota": { "cpuRequest": "2", "cpuLimit": "1999m" } })),
    "cpuRequest"
)]
#[case::nobody_named(policy(&json!({ "placementType": "PickFixed" })), "clusterNames")]
#[case::named_for_all(policy(&json!({ "clusterNames": ["m"] })), "clusterNames")]
#[case::named_twice(policy(&json!({ "placementType": "PickFixed", "clusterNames": ["m", "m"] })), "clusterNames[1]")]
#[case::both(policy(&json!({ "placementType": "PickFixed", "clusterNames": ["m"], "affinity": {} })), "affinity")]
#[case::no_values(
    affinity(&json!({ "labelSelector": { "matchExpressions": [{ "key": "a", "operator": "In" }] } })),
    "values"
)]
#[case::values(
    affinity(&json!({ "labelSelector": { "matchExpressions": [
        { "key": "a", "operator": "Exists", "values": ["b"] }] } })),
    "values"
)]
#[case::two_quantities(
    affinity(&json!({ "propertySelector": { "matchExpressions": [
        { "name": "a", "operator": "Eq", "values": ["1", "2"] }] } })),
    "values"
)]
#[case::no_quantity(
    affinity(&json!({ "propertySelector": { "matchExpressions": [
        { "name": "a", "operator": "Eq", "values": ["x"] }] } })),
    "values[0]"
)]
#[case::toleration_of_all(policy(&json!({ "tolerations": [{ "operator": "Equal" }] })), "operator")]
#[case::toleration_of_any(
    policy(&json!({ "tolerations": [{ "key": "a", "operator": "Exists", "value": "b" }] })),
    "value"
)]
#[case::undriven(placed(&json!({ "rolloutStrategy": { "type": "External" } })), "name")]
#[case::driven(
    placed(&json!({ "rolloutStrategy": { "clusterUpdateStrategy": { "name": "s" } } })),
    "clusterUpdateStrategy"
)]
fn what_is_wrong_is_refused_where_it_stands(#[case] properties: Value, #[case] target: &str) {
    let refusal = put(&properties).unwrap_err();
    let at = refusal.target.unwrap();
    assert!(at.ends_with(target) && refusal.details.is_empty(), "{at}: {}", refusal.message);
}

#[test]
fn the_services_own_label_is_shown_and_users_values_for_it_ignored() {
    let sent = kubernetes(&json!({ "labels": { "fleet.azure.com/managed-by": "me", "a": "b" } }));
    let namespace = namespace(&sent);
    assert_eq!(namespace.settings["managedNamespaceProperties"]["labels"], json!({ "a": "b" }));
    let shown = namespace.shown_settings();
    let expected = json!({ "a": "b", "fleet.azure.com/managed-by": "arm" });
    assert_eq!(shown["managedNamespaceProperties"]["labels"], expected);
}

#[test]
fn a_patch_merges_settings_and_replaces_tags() {
    let before = namespace(&kubernetes(&json!({ "labels": { "a": "1", "b": "2" } })));
    let change = json!({ "tags": { "t": "1" }, "properties": { "deletePolicy": "Delete",
        "managedNamespaceProperties": { "labels": { "a": null, "c": "3" } } } });
    let mut faults = Faults::new();
    let patch = NamespacePatch::read_into(&change, &before, &mut faults);
    faults.finish().unwrap();
    let after = before.patched(patch);
    assert_eq!(after.tags["t"], "1");
    let expected = json!({ "adoptionPolicy": "Never", "deletePolicy": "Delete",
        "managedNamespaceProperties": { "labels": { "b": "2", "c": "3" } } });
    assert_eq!(Value::Object(after.settings), expected);
}

#[test]
fn a_patch_removes_nothing_that_is_required() {
    let before = namespace(&json!({}));
    let change =
        json!({ "properties": { "adoptionPolicy": null, "propagationPolicy": { "placementProfile": {} } } });
    let mut faults = Faults::new();
    NamespacePatch::read_into(&change, &before, &mut faults);
    let refusal = faults.finish().unwrap_err();
    let targets: Vec<_> = refusal.details.iter().filter_map(|fault| fault.target.as_deref()).collect();
    assert_eq!(targets, ["properties.adoptionPolicy", "properties.propagationPolicy.type"]);
}

#[test]
fn named_members_are_found_in_the_settings() {
    let settings =
        put(&policy(&json!({ "placementType": "PickFixed", "clusterNames": ["b", "a"] }))).unwrap();
    assert_eq!(cluster_names(&settings), ["b", "a"]);
    assert!(cluster_names(&NamespaceSettings::new()).is_empty());
}

#[test]
fn a_name_is_a_dns_label() {
    for (name, valid) in
        [("n".repeat(63), true), ("n".repeat(64), false), ("N".to_owned(), false), ("a.b".to_owned(), false)]
    {
        let mut faults = Faults::new();
        NamespaceSpec::read_into(&id(&name), &body(&json!({})), None, &mut faults);
        assert_eq!(faults.is_empty(), valid, "{name}");
    }
}
