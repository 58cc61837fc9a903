//! Reading a member from a request: the rules that need more than the contract's table.
//!
//! The contract has checked shapes, left out what is read-only, and refused another `clusterResourceId`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Member, MemberSpec, Placement};
use crate::domain::labels::{check_label_count, check_labels, is_fleet_label, user_labels};
use crate::domain::names::check_child_name;
use crate::domain::refusal::{Code, Faults, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::domain::tags::string_map;

/// The types whose resources may join a fleet.
const CLUSTER_TYPES: [&str; 2] =
    ["Microsoft.ContainerService/managedClusters", "Microsoft.Kubernetes/connectedClusters"];

const CLUSTER: &str = "properties.clusterResourceId";

impl MemberSpec {
    /// Reads the body of a PUT on `id`.
    ///
    /// # Errors
    /// Every rule that is broken, each with its JSON path.
    pub fn read(id: &ResourceId, value: &Value, existing: Option<&Member>) -> Result<Self, Refusal> {
        let mut faults = Faults::new();
        let spec = Self::read_into(id, value, existing, &mut faults);
        faults.finish()?;
        // Without a fault it is there: absent ones are refused by the contract, or kept.
        spec.ok_or_else(|| Refusal::at(Code::RequiredPropertyMissing, CLUSTER, "A member needs a cluster."))
    }

    /// Like [`MemberSpec::read`], noting what is wrong among other faults of the same body; `None` where there is no
    /// cluster.
    pub fn read_into(
        id: &ResourceId,
        value: &Value,
        existing: Option<&Member>,
        faults: &mut Faults,
    ) -> Option<Self> {
        if existing.is_none()
            && let Err(problem) = check_child_name(id.name())
        {
            faults.add(Code::InvalidResourceName, "name", format!("{problem}."));
        }
        let sent = value.pointer("/properties/clusterResourceId").and_then(Value::as_str);
        let cluster = sent.and_then(|sent| read_cluster(sent, faults));
        let properties = value.get("properties").unwrap_or(&Value::Null);
        let labels = string_map(properties.get("labels"));
        let placement = Placement::checked(properties.get("group").and_then(Value::as_str), &labels, faults);
        let cluster_resource_id = cluster.or(existing.map(|member| member.cluster_resource_id.clone()))?;
        Some(Self { cluster_resource_id, placement })
    }
}

impl Placement {
    /// What the merge patch `value` makes of `existing`: `null` takes away the group, a label, or all labels.
    ///
    /// # Errors
    /// Every rule that is broken, each with its JSON path.
    pub fn patch(value: &Value, existing: &Member) -> Result<Self, Refusal> {
        let mut faults = Faults::new();
        let placement = Self::patch_into(value, existing, &mut faults);
        faults.finish().map(|()| placement)
    }

    /// Like [`Placement::patch`], noting what is wrong among other faults of the same body.
    pub fn patch_into(value: &Value, existing: &Member, faults: &mut Faults) -> Self {
        let change = |name: &str| value.get("properties").and_then(|properties| properties.get(name));
        let group = change("group").map_or(existing.group.as_deref(), Value::as_str);
        let mut labels = existing.labels.clone();
        match change("labels") {
            Some(Value::Object(changes)) => {
                labels.retain(|key, _| !changes.contains_key(key));
                labels.extend(string_map(change("labels")));
            }
            Some(_) => labels.clear(),
            None => {}
        }
        Self::checked(group, &labels, faults)
    }

    /// An empty group is none.
    fn checked(group: Option<&str>, labels: &BTreeMap<String, String>, faults: &mut Faults) -> Self {
        let group = group.filter(|group| !group.is_empty());
        if let Some(Err(problem)) = group.map(check_child_name) {
            faults.add(Code::InvalidParameter, "properties.group", format!("{problem}."));
        }
        let labels = user_labels(labels);
        if let Err(problem) = check_label_count(labels.len()) {
            faults.add(Code::InvalidParameter, "properties.labels", format!("{problem}."));
        }
        for (key, problem) in check_labels(&labels) {
            let shown: String = key.chars().take(80).collect();
            faults.add(Code::InvalidParameter, format!("properties.labels.{shown}"), format!("{problem}."));
        }
        debug_assert!(
            !labels.keys().any(|key| is_fleet_label(key)),
            "the service's own labels are never stored"
        );
        Self { group: group.map(str::to_owned), labels }
    }
}

fn read_cluster(sent: &str, faults: &mut Faults) -> Option<ResourceId> {
    let problem = match sent.parse::<ResourceId>() {
        Ok(id) if id.resource_group_name().is_some() && CLUSTER_TYPES.contains(&id.type_name().as_str()) => {
            return Some(id);
        }
        Ok(_) => format!("It must be the resource id of one of: {}.", CLUSTER_TYPES.join(", ")),
        Err(problem) => format!("{problem}."),
    };
    faults.add(Code::InvalidParameter, CLUSTER, problem);
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::lifecycle::Lifecycle;
    use crate::domain::system_data::{Principal, SystemData};
    use crate::domain::time::from_micros;
    use rstest::rstest;
    use serde_json::json;

    const AKS: &str =
        "/subscriptions/S/resourcegroups/Rg/providers/microsoft.containerservice/managedclusters/C1";

    fn id() -> ResourceId {
        ResourceId::resource_group("s", "g").child("fleets", "f").child("members", "m")
    }

    fn member(group: Option<&str>, labels: &[(&str, &str)]) -> Member {
        Member {
            id: id(),
            cluster_resource_id: AKS.parse().unwrap(),
            cluster_location: Some("eastus".to_owned()),
            group: group.map(str::to_owned),
            labels: labels.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(),
            mesh: None,
            lifecycle: Lifecycle::succeeded(),
            system_data: SystemData::created(&Principal::anonymous(), from_micros(0)),
        }
    }

    #[test]
    fn a_cluster_id_is_kept_as_sent_with_its_fixed_segments_canonical() {
        let body = json!({ "properties": { "clusterResourceId": AKS } });
        let spec = MemberSpec::read(&id(), &body, None).unwrap();
        assert_eq!(
            spec.cluster_resource_id.to_string(),
            "/subscriptions/S/resourceGroups/Rg/providers/Microsoft.ContainerService/managedClusters/C1"
        );
    }

    #[test]
    fn the_services_own_labels_are_added_and_users_values_for_them_ignored() {
        let sent = json!({ "properties": { "clusterResourceId": AKS, "group": "canary",
            "labels": { "tier": "a", "fleet.azure.com/location": "moon" } } });
        let spec = MemberSpec::read(&id(), &sent, None).unwrap();
        let labels = member(None, &[]).placed(spec.placement).all_labels();
        let expected = json!({ "fleet.azure.com/cluster-name": "C1", "fleet.azure.com/group": "canary",
            "fleet.azure.com/location": "eastus", "fleet.azure.com/member-name": "m",
            "fleet.azure.com/resource-group": "Rg", "fleet.azure.com/subscription-id": "S", "tier": "a" });
        assert_eq!(serde_json::to_value(labels).unwrap(), expected);
    }

    #[test]
    fn a_patch_merges_labels_and_null_removes() {
        let before = member(Some("canary"), &[("a", "1"), ("b", "2")]);
        let patch = |value| Placement::patch(&json!({ "properties": value }), &before).unwrap();
        let merged = patch(json!({ "labels": { "a": null, "c": "3" } }));
        assert_eq!(merged.group.as_deref(), Some("canary"));
        assert_eq!(serde_json::to_value(merged.labels).unwrap(), json!({ "b": "2", "c": "3" }));
        assert_eq!(patch(json!({ "group": null })).group, None);
        assert_eq!(patch(json!({ "group": "" })).group, None);
        assert_eq!(patch(json!({ "labels": null })).labels.len(), 0);
        assert_eq!(patch(json!({})).labels, before.labels);
    }

    #[rstest]
    #[case::not_an_id(json!({ "clusterResourceId": "c1" }), CLUSTER)]
    #[case::a_pool(json!({ "clusterResourceId": format!("{AKS}/agentPools/p") }), CLUSTER)]
    #[case::a_fleet(json!({ "clusterResourceId": AKS.replace("managedclusters", "fleets") }), CLUSTER)]
    #[case::no_group(
        json!({ "clusterResourceId": "/subscriptions/s/providers/Microsoft.ContainerService/managedClusters/c" }),
        CLUSTER
    )]
    #[case::group(json!({ "clusterResourceId": AKS, "group": "No Good" }), "properties.group")]
    #[case::label_key(json!({ "clusterResourceId": AKS, "labels": { "-a": "" } }), "properties.labels.-a")]
    #[case::label_value(json!({ "clusterResourceId": AKS, "labels": { "a": "b c" } }), "properties.labels.a")]
    #[case::too_many_labels(
        json!({ "clusterResourceId": AKS,
            "labels": (0..51).map(|n| (format!("l{n}"), json!(""))).collect::<serde_json::Map<_, _>>() }),
        "properties.labels"
    )]
    fn what_is_wrong_is_refused_where_it_stands(#[case] properties: Value, #[case] target: &str) {
        let refusal = MemberSpec::read(&id(), &json!({ "properties": properties }), None).unwrap_err();
        assert_eq!((refusal.code, refusal.target.as_deref()), (Code::InvalidParameter, Some(target)));
    }

    #[test]
    fn a_connected_cluster_may_join() {
        let arc = AKS
            .replace("microsoft.containerservice/managedclusters", "microsoft.kubernetes/connectedclusters");
        let body = json!({ "properties": { "clusterResourceId": arc } });
        assert!(MemberSpec::read(&id(), &body, None).is_ok());
    }

    #[test]
    fn a_member_needs_a_cluster_and_a_name_of_the_grammar() {
        let refusal = MemberSpec::read(&id(), &json!({ "properties": {} }), None).unwrap_err();
        assert_eq!((refusal.code, refusal.target.as_deref()), (Code::RequiredPropertyMissing, Some(CLUSTER)));
        let bad = ResourceId::resource_group("s", "g").child("fleets", "f").child("members", "M_1");
        let refusal = MemberSpec::read(&bad, &json!({ "properties": {} }), None).unwrap_err();
        assert_eq!(refusal.code, Code::InvalidResourceName);
    }
}
