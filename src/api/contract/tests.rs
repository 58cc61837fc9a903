//! The contract's table in use: what is refused, what is shown, what survives.

use rstest::rstest;
use serde_json::{Value, json};

use super::table::{fleet, gate, member, strategy, update_run};
use super::version::FleetVersion as V;
use super::{Method, project, read};
use crate::domain::refusal::{Code, Faults, Refusal};

fn put(
    kind: &super::ResourceType,
    version: V,
    body: &Value,
    stored: Option<&Value>,
) -> Result<Value, Vec<Refusal>> {
    run(kind.body, version, Method::Put, body, stored)
}

fn run(
    object: &'static super::shape::Object,
    version: V,
    method: Method,
    body: &Value,
    stored: Option<&Value>,
) -> Result<Value, Vec<Refusal>> {
    let mut faults = Faults::new();
    let read = read(object, version, method, body, stored, &mut faults);
    faults
        .finish()
        .map(|()| read)
        .map_err(|refusal| if refusal.details.is_empty() { vec![refusal] } else { refusal.details })
}

fn strategy_of(stages: &Value) -> Value {
    json!({ "properties": { "strategy": { "stages": stages } } })
}

#[test]
fn a_misspelt_member_is_refused_with_the_nearest_name() {
    let body = strategy_of(&json!([{ "name": "a", "groups": [{ "name": "g", "maxConcurency": "1" }] }]));
    let faults = put(&strategy::TYPE, V::LATEST, &body, None).unwrap_err();
    assert_eq!(faults[0].target.as_deref(), Some("properties.strategy.stages[0].groups[0].maxConcurency"));
    assert!(faults[0].message.contains("Did you mean 'maxConcurrency'?"), "{}", faults[0].message);
}

#[test]
fn a_member_of_another_version_is_refused_with_a_version_that_has_it() {
    let body = strategy_of(&json!([{ "name": "a", "groups": [{ "name": "g" }], "maxConcurrency": "1" }]));
    let faults = put(&strategy::TYPE, V::V20250301, &body, None).unwrap_err();
    assert_eq!(faults[0].target.as_deref(), Some("properties.strategy.stages[0].maxConcurrency"));
    assert!(faults[0].message.contains("api-version 2026-06-01 has it"), "{}", faults[0].message);
}

#[test]
fn all_faults_are_reported_with_their_places() {
    let body = json!({
        "location": 5, "tags": { "a": 1 }, "colour": "red",
        "properties": { "hubProfile": { "apiServerAccessProfile": { "enablePrivateCluster": "yes" } } }
    });
    let faults = put(&fleet::TYPE, V::LATEST, &body, None).unwrap_err();
    let targets: Vec<&str> = faults.iter().filter_map(|fault| fault.target.as_deref()).collect();
    assert_eq!(
        targets,
        ["colour", "location", "tags.a", "properties.hubProfile.apiServerAccessProfile.enablePrivateCluster"]
    );
}

#[test]
fn what_is_required_is_missed_with_its_own_code() {
    let codes = |kind, body: Value| {
        put(kind, V::LATEST, &body, None).unwrap_err().iter().map(|fault| fault.code).collect::<Vec<_>>()
    };
    assert_eq!(codes(&fleet::TYPE, json!({})), [Code::LocationRequired]);
    assert_eq!(codes(&member::TYPE, json!({ "properties": {} })), [Code::RequiredPropertyMissing]);
    assert_eq!(codes(&member::TYPE, json!({ "properties": null })), [Code::RequiredPropertyMissing]);
}

#[test]
fn read_only_members_and_nulls_are_dropped() {
    let body = json!({
        "id": "x", "eTag": "\"y\"", "systemData": { "createdBy": "z" }, "location": "westeurope", "tags": null,
        "properties": { "provisioningState": "Failed", "status": { "lastOperationId": "1" }, "hubProfile": null }
    });
    let read = put(&fleet::TYPE, V::V20231015, &body, None);
    // 2023-10-15 does not know hubProfile, but absence is no mention.
    assert_eq!(read, Ok(json!({ "location": "westeurope", "properties": {} })));
}

#[test]
fn enumerated_values_are_taken_without_case_and_kept_in_theirs() {
    let body = json!({ "location": "westeurope", "identity": { "type": "systemassigned" } });
    let read = put(&fleet::TYPE, V::LATEST, &body, None).unwrap();
    assert_eq!(read["identity"]["type"], "SystemAssigned");
    let body = json!({ "location": "westeurope", "identity": { "type": "Robot" } });
    let faults = put(&fleet::TYPE, V::LATEST, &body, None).unwrap_err();
    assert!(faults[0].message.contains("None, SystemAssigned, UserAssigned"), "{}", faults[0].message);
}

#[test]
fn a_value_the_version_does_not_know_is_taken_only_where_it_stands() {
    let scheduled = json!({ "type": "ScheduledStart" });
    let body =
        strategy_of(&json!([{ "name": "a", "groups": [{ "name": "g" }], "beforeGates": [scheduled] }]));
    let faults = put(&strategy::TYPE, V::V20260601, &body, None).unwrap_err();
    assert_eq!(faults[0].code, Code::InvalidParameter);
    assert!(put(&strategy::TYPE, V::V20260601, &body, Some(&body)).is_ok());
}

#[test]
fn hidden_members_survive_on_the_stage_and_group_they_belong_to() {
    let stored = strategy_of(&json!([
        { "name": "one", "groups": [{ "name": "g1", "maxConcurrency": "7" }], "maxAllowedFailures": "10%" },
        { "name": "two", "groups": [{ "name": "g2", "maxAllowedFailures": "3" }, { "name": "gone", "maxConcurrency": "9" }] },
    ]));
    // Stages swapped, g1 moved into the other stage, one group new, one removed.
    let body = strategy_of(&json!([
        { "name": "two", "groups": [{ "name": "g2" }, { "name": "G1" }] },
        { "name": "one", "groups": [{ "name": "new" }] },
    ]));
    let read = put(&strategy::TYPE, V::V20231015, &body, Some(&stored)).unwrap();
    assert_eq!(
        read,
        strategy_of(&json!([
            { "name": "two", "groups": [
                { "name": "g2", "maxAllowedFailures": "3" }, { "name": "G1", "maxConcurrency": "7" }] },
            { "name": "one", "groups": [{ "name": "new" }], "maxAllowedFailures": "10%" },
        ]))
    );
}

#[test]
fn hidden_members_of_gates_follow_their_gate() {
    let schedule = json!({ "startDay": "Sunday", "startTime": "20:00", "utcOffset": "+01:00" });
    let stored = strategy_of(&json!([{ "name": "a", "groups": [{ "name": "g" }], "beforeGates": [
        { "displayName": "night", "type": "ScheduledStart", "scheduledStartConfiguration": schedule }] }]));
    let body = strategy_of(&json!([{ "name": "a", "groups": [{ "name": "g" }], "beforeGates": [
        { "displayName": "board", "type": "Approval" }, { "displayName": "night", "type": "ScheduledStart" }] }]));
    let read = put(&strategy::TYPE, V::V20260601, &body, Some(&stored)).unwrap();
    let gates = &read["properties"]["strategy"]["stages"][0]["beforeGates"];
    assert_eq!(gates[0], json!({ "displayName": "board", "type": "Approval" }));
    assert_eq!(gates[1]["scheduledStartConfiguration"], schedule);
}

#[test]
fn immutable_members_are_kept_when_absent_and_refused_when_changed() {
    let id = "/subscriptions/s/resourceGroups/r/providers/Microsoft.ContainerService/managedClusters/c";
    let stored = json!({ "properties": { "clusterResourceId": id } });
    let absent = json!({ "properties": { "group": "g" } });
    let read = put(&member::TYPE, V::LATEST, &absent, Some(&stored)).unwrap();
    assert_eq!(read["properties"]["clusterResourceId"], id);
    let repeated = json!({ "properties": { "clusterResourceId": id.to_ascii_uppercase() } });
    assert!(put(&member::TYPE, V::LATEST, &repeated, Some(&stored)).is_ok());
    let changed = json!({ "properties": { "clusterResourceId": format!("{id}2") } });
    let faults = put(&member::TYPE, V::LATEST, &changed, Some(&stored)).unwrap_err();
    assert_eq!(faults[0].code, Code::PropertyChangeNotAllowed);
}

#[test]
fn a_hub_is_kept_by_a_put_that_lacks_it() {
    let stored =
        json!({ "location": "l", "properties": { "hubProfile": { "dnsPrefix": "d", "fqdn": "f" } } });
    let read =
        put(&fleet::TYPE, V::LATEST, &json!({ "location": "l", "properties": {} }), Some(&stored)).unwrap();
    assert_eq!(read["properties"]["hubProfile"]["dnsPrefix"], "d");
    let read = put(&fleet::TYPE, V::LATEST, &json!({}), Some(&stored)).unwrap();
    assert_eq!(read["properties"]["hubProfile"]["dnsPrefix"], "d", "even without properties");
}

#[test]
fn a_merge_patch_keeps_its_nulls() {
    let body = json!({ "properties": { "group": null, "labels": { "a": null, "b": "c" } } });
    let read = run(&member::PATCH, V::LATEST, Method::Patch, &body, None);
    assert_eq!(read, Ok(body));
    let body = json!({ "properties": { "state": null } });
    assert!(run(&gate::PATCH, V::LATEST, Method::Patch, &body, None).is_err());
}

#[rstest]
#[case(V::V20250301, "Running")]
#[case(V::V20250401Preview, "Pending")]
fn pending_reads_running_where_it_is_not_known(#[case] version: V, #[case] expected: &str) {
    let mut run = json!({ "properties": { "status": {
        "status": { "state": "Pending" }, "failureCount": 0,
        "stages": [{ "name": "a", "maxConcurrency": 5, "status": { "state": "Pending" } }] } } });
    project(update_run::TYPE.body, version, &mut run);
    let stage = json!({ "name": "a", "status": { "state": expected } });
    assert_eq!(
        run,
        json!({ "properties": { "status": { "status": { "state": expected }, "stages": [stage] } } })
    );
}

#[test]
fn faults_are_bounded() {
    let body: serde_json::Map<String, Value> = (0..5000).map(|n| (format!("member{n}"), json!(n))).collect();
    assert!(put(&fleet::TYPE, V::LATEST, &Value::Object(body), None).unwrap_err().len() <= 50);
}

#[test]
fn every_member_has_a_version_and_every_object_of_one_name_is_one_object() {
    for kind in super::table::TYPES {
        assert!(kind.versions.newest().is_some());
        assert!(kind.body.members.iter().all(|member| member.versions.newest().is_some()), "{}", kind.path);
    }
    let schemas = super::schema::schemas(super::table::TYPES.map(|kind| kind.body));
    assert!(schemas.contains_key("UpdateStage") && schemas.contains_key("ResourceQuota"));
}
