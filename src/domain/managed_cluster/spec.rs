//! Reads the bodies of clusters and pools: takes what is simulated, keeps the rest as it was sent.
//!
//! Only the shape is checked here; what a value means for a cluster that exists or not, in `create` and `replace`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::agent_pool::{PoolMode, Surge};
use super::{string_at, value_at};
use crate::domain::names::check_agent_pool_name;
use crate::domain::node_image::{OsType, os_skus};
use crate::domain::refusal::{Code, Faults, Refusal};
use crate::domain::tags::note_faults;

/// Members of a body that only the service writes.
const ENVELOPE: &[&str] = &["id", "name", "type", "eTag", "etag", "systemData"];
/// Members of a cluster's properties that only the service writes.
const READ_ONLY: &[&str] = &[
    "provisioningState",
    "powerState",
    "currentKubernetesVersion",
    "maxAgentPools",
    "fqdn",
    "privateFQDN",
    "azurePortalFQDN",
    "resourceUID",
    "status",
];
/// Members of a pool's properties that only the service writes.
const POOL_READ_ONLY: &[&str] = &[
    "eTag",
    "etag",
    "provisioningState",
    "powerState",
    "currentOrchestratorVersion",
    "nodeImageVersion",
    "status",
];
/// Nodes a pool may have.
const MAX_COUNT: u32 = 1000;

/// What a PUT of a cluster asks for. Absent members are `None` and mean the default or "as before".
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClusterSpec {
    /// The region, as sent.
    pub location: Option<String>,
    /// Tags.
    pub tags: BTreeMap<String, String>,
    /// Unsimulated members beside `properties`.
    pub envelope: Map<String, Value>,
    /// Unsimulated members of `properties`.
    pub properties: Map<String, Value>,
    /// The version asked for, not empty.
    pub kubernetes_version: Option<String>,
    /// The pools; absent: as before.
    pub pools: Option<Vec<PoolSpec>>,
}

/// What a PUT asks for one pool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoolSpec {
    /// Its name.
    pub name: String,
    /// The JSON path of its members, for faults.
    pub path: String,
    /// Nodes.
    pub count: Option<u32>,
    /// What it is for.
    pub mode: Option<PoolMode>,
    /// Its system.
    pub os: Option<OsType>,
    /// Its SKU.
    pub os_sku: Option<String>,
    /// The version asked for, not empty.
    pub orchestrator_version: Option<String>,
    /// Unsimulated members beside `properties`; absent where a cluster's body asks, which cannot name them.
    pub envelope: Option<Map<String, Value>>,
    /// Unsimulated members of `properties`.
    pub properties: Map<String, Value>,
}

/// What of a body beside `properties` is kept as it was sent. `null` is absence there.
pub(super) fn kept_beside_properties(mut body: Map<String, Value>) -> Map<String, Value> {
    body.retain(|member, value| !ENVELOPE.contains(&member.as_str()) && !value.is_null());
    body
}

/// What of `properties` is kept as it was sent: not what is read-only. `null` is absence there.
fn keep(properties: &mut Map<String, Value>, read_only: &[&str]) {
    properties.retain(|member, value| !read_only.contains(&member.as_str()) && !value.is_null());
}

/// Reads a cluster's body.
///
/// # Errors
/// Every member that has the wrong type or a value that can't be, with its path.
pub fn read_cluster(mut body: Map<String, Value>) -> Result<ClusterSpec, Refusal> {
    let mut faults = Faults::new();
    let mut members = Members { map: &mut body, path: "", faults: &mut faults };
    let location = members.string("location").filter(|location| !location.is_empty());
    let tags = members.tags();
    let mut properties = members.object("properties");
    let mut body = kept_beside_properties(body);
    let tier = string_at(&body, &["sku", "tier"]).map(str::to_owned);
    let mut members = Members { map: &mut properties, path: "properties.", faults: &mut faults };
    let kubernetes_version = members.string("kubernetesVersion").filter(|version| !version.is_empty());
    let pools = members.array("agentPoolProfiles");
    let pools = pools.map(|pools| read_pools(pools, &mut faults));
    keep(&mut properties, READ_ONLY);
    check_types(&mut body, "", &[&["sku"]], &[&["sku", "tier"]], &mut faults);
    let texts: &[&[&str]] =
        &[&["supportPlan"], &["dnsPrefix"], &["nodeResourceGroup"], &["nodeProvisioningProfile", "mode"]];
    check_types(&mut properties, "properties.", &[&["nodeProvisioningProfile"]], texts, &mut faults);
    check_support_plan(&properties, tier.as_deref(), &mut faults);
    faults.finish()?;
    Ok(ClusterSpec { location, tags, envelope: body, properties, kubernetes_version, pools })
}

/// Reads the body of a cluster's PATCH: its tags, all of them; `None` where it has none, and they stay.
///
/// # Errors
/// Tags that can't be; other members, which a PATCH does not change.
pub fn read_tags_patch(mut body: Map<String, Value>) -> Result<Option<BTreeMap<String, String>>, Refusal> {
    let mut faults = Faults::new();
    let given = body.contains_key("tags");
    let tags = Members { map: &mut body, path: "", faults: &mut faults }.tags();
    for member in body.keys().filter(|member| !["id", "name", "type"].contains(&member.as_str())) {
        let message = format!("A PATCH changes tags only, not '{member}': use PUT.");
        faults.add(Code::InvalidParameter, member, message);
    }
    faults.finish()?;
    Ok(given.then_some(tags))
}

/// Checks members that are simulated although they are kept with those that are not: a value of another type must not
/// pass for an absent one. A `null` is absent, and is taken away.
fn check_types(
    map: &mut Map<String, Value>,
    path: &str,
    objects: &[&[&str]],
    texts: &[&[&str]],
    faults: &mut Faults,
) {
    objects.iter().chain(texts).for_each(|names| drop_null(map, names));
    let value_at = |names: &[&str]| value_at(map, names);
    let mut wrong = |names: &[&str], expected: &str| {
        let target = format!("{path}{}", names.join("."));
        let message = format!("'{target}' must be {expected}.");
        faults.add(Code::InvalidParameter, target, message);
    };
    for names in objects.iter().filter(|names| value_at(names).is_some_and(|value| !value.is_object())) {
        wrong(names, "an object");
    }
    for names in texts.iter().filter(|names| value_at(names).is_some_and(|value| !value.is_string())) {
        wrong(names, "a string");
    }
}

fn drop_null(map: &mut Map<String, Value>, names: &[&str]) {
    match names {
        [name] if map.get(*name).is_some_and(Value::is_null) => drop(map.shift_remove(*name)),
        [outer, inner @ ..] if !inner.is_empty() => {
            if let Some(Value::Object(outer)) = map.get_mut(*outer) {
                drop_null(outer, inner);
            }
        }
        _ => {}
    }
}

fn check_support_plan(properties: &Map<String, Value>, tier: Option<&str>, faults: &mut Faults) {
    const TIERS: [&str; 3] = ["Free", "Standard", "Premium"];
    const PLANS: [&str; 2] = ["KubernetesOfficial", super::LONG_TERM_SUPPORT];
    let known = |known: &[&str], value: &str| known.iter().any(|one| one.eq_ignore_ascii_case(value));
    if let Some(tier) = tier.filter(|tier| !known(&TIERS, tier)) {
        let message = format!("'{tier}' is not a tier; expected {}.", TIERS.join(", "));
        faults.add(Code::InvalidParameter, "sku.tier", message);
    }
    let Some(plan) = string_at(properties, &["supportPlan"]) else { return };
    if !known(&PLANS, plan) {
        let message = format!("'{plan}' is not a support plan; expected {}.", PLANS.join(" or "));
        faults.add(Code::InvalidParameter, "properties.supportPlan", message);
    } else if plan.eq_ignore_ascii_case(super::LONG_TERM_SUPPORT)
        && !tier.is_some_and(|tier| tier.eq_ignore_ascii_case("Premium"))
    {
        let message = "The support plan AKSLongTermSupport needs sku.tier Premium.";
        faults.add(Code::InvalidParameter, "properties.supportPlan", message);
    }
}

fn read_pools(pools: Vec<Value>, faults: &mut Faults) -> Vec<PoolSpec> {
    let mut specs: Vec<PoolSpec> = Vec::new();
    for (i, pool) in pools.into_iter().enumerate() {
        let path = format!("properties.agentPoolProfiles[{i}]");
        let Value::Object(mut pool) = pool else {
            faults.add(Code::InvalidParameter, path, "An agent pool is an object.");
            continue;
        };
        let name = Members { map: &mut pool, path: &format!("{path}."), faults }.string("name");
        let Some(name) = name else {
            if !faults.are_at(&format!("{path}.name")) {
                faults.add(
                    Code::RequiredPropertyMissing,
                    format!("{path}.name"),
                    "An agent pool has a name.",
                );
            }
            continue;
        };
        if specs.iter().any(|other| other.name.eq_ignore_ascii_case(&name)) {
            let message = format!("Two agent pools have the name '{name}'.");
            faults.add(Code::InvalidParameter, format!("{path}.name"), message);
        }
        let spec = read_profile(name, format!("{path}."), pool, faults);
        if let Err(problem) = check_agent_pool_name(&spec.name, spec.os == Some(OsType::Windows)) {
            faults.add(Code::InvalidParameter, format!("{path}.name"), format!("{problem}."));
        }
        specs.push(spec);
    }
    specs
}

/// Reads the body of the pool `name`; its name is checked with it.
///
/// # Errors
/// Every member that has the wrong type or a value that can't be, with its path.
pub fn read_pool(name: &str, mut body: Map<String, Value>) -> Result<PoolSpec, Refusal> {
    let mut faults = Faults::new();
    let properties = Members { map: &mut body, path: "", faults: &mut faults }.object("properties");
    let spec = read_profile(name.to_owned(), "properties.".to_owned(), properties, &mut faults);
    let spec = PoolSpec { envelope: Some(kept_beside_properties(body)), ..spec };
    if let Err(problem) = check_agent_pool_name(name, spec.os == Some(OsType::Windows)) {
        faults.add(Code::InvalidResourceName, "agentPoolName", format!("{problem}."));
    }
    faults.finish()?;
    Ok(spec)
}

fn read_profile(name: String, path: String, mut pool: Map<String, Value>, faults: &mut Faults) -> PoolSpec {
    let mut members = Members { map: &mut pool, path: &path, faults };
    let count = members.count();
    let mode = members.word("mode");
    let os: Option<OsType> = members.word("osType");
    let os_sku = members.string("osSKU");
    let orchestrator_version = members.string("orchestratorVersion").filter(|version| !version.is_empty());
    keep(&mut pool, POOL_READ_ONLY);
    if mode == Some(PoolMode::System) && os == Some(OsType::Windows) {
        faults.add(Code::InvalidParameter, format!("{path}mode"), "Windows pools can only have mode User.");
    }
    if let Some(sku) = &os_sku {
        let known: Vec<&str> = os_skus(os.unwrap_or_default()).collect();
        if !known.iter().any(|one| one.eq_ignore_ascii_case(sku)) {
            let os = os.unwrap_or_default();
            let message = format!("'{sku}' is not an osSKU of {os:?}; expected one of {}.", known.join(", "));
            faults.add(Code::InvalidParameter, format!("{path}osSKU"), message);
        }
    }
    let (surge, snapshot) = (&["upgradeSettings", "maxSurge"], &["creationData", "sourceResourceId"]);
    let objects: &[&[&str]] = &[&["upgradeSettings"], &["creationData"]];
    check_types(&mut pool, &path, objects, &[surge, snapshot, &["type"]], faults);
    if let Some(Err(problem)) = string_at(&pool, surge).map(str::parse::<Surge>) {
        faults.add(Code::InvalidParameter, format!("{path}upgradeSettings.maxSurge"), problem);
    }
    PoolSpec { name, path, count, mode, os, os_sku, orchestrator_version, envelope: None, properties: pool }
}

/// Takes members out of an object, noting those of the wrong type. `null` counts as absent.
struct Members<'a> {
    map: &'a mut Map<String, Value>,
    path: &'a str,
    faults: &'a mut Faults,
}

impl Members<'_> {
    fn take(&mut self, name: &str) -> Option<Value> {
        self.map.shift_remove(name).filter(|value| !value.is_null())
    }

    fn wrong(&mut self, name: &str, expected: &str) {
        let target = format!("{}{name}", self.path);
        let message = format!("'{target}' must be {expected}.");
        self.faults.add(Code::InvalidParameter, target, message);
    }

    fn string(&mut self, name: &str) -> Option<String> {
        match self.take(name)? {
            Value::String(text) => Some(text),
            _ => {
                self.wrong(name, "a string");
                None
            }
        }
    }

    fn object(&mut self, name: &str) -> Map<String, Value> {
        match self.take(name) {
            None => Map::new(),
            Some(Value::Object(object)) => object,
            Some(_) => {
                self.wrong(name, "an object");
                Map::new()
            }
        }
    }

    fn array(&mut self, name: &str) -> Option<Vec<Value>> {
        match self.take(name)? {
            Value::Array(array) => Some(array),
            _ => {
                self.wrong(name, "an array");
                None
            }
        }
    }

    fn count(&mut self) -> Option<u32> {
        let count = self.take("count")?;
        let number = count.as_u64().and_then(|count| u32::try_from(count).ok());
        let fits = number.filter(|count| *count <= MAX_COUNT);
        if fits.is_none() {
            self.wrong("count", "a whole number from 0 to 1000");
        }
        fits
    }

    /// One of a few words, as serde knows them, in any case.
    fn word<T: serde::de::DeserializeOwned>(&mut self, name: &str) -> Option<T> {
        let text = self.string(name)?;
        let mut capitalised = text.to_ascii_lowercase();
        if let Some(first) = capitalised.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        let word = serde_json::from_value(Value::String(capitalised)).ok();
        if word.is_none() {
            let expected = if name == "osType" { "Linux or Windows" } else { "System, User or Gateway" };
            self.wrong(name, expected);
        }
        word
    }

    fn tags(&mut self) -> BTreeMap<String, String> {
        let mut tags = BTreeMap::new();
        for (key, value) in self.object("tags") {
            match value {
                Value::String(value) => drop(tags.insert(key, value)),
                _ => self.wrong(&format!("tags.{key}"), "a string"),
            }
        }
        note_faults(&tags, self.faults);
        tags
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn read(body: &Value) -> Result<ClusterSpec, Refusal> {
        read_cluster(body.as_object().unwrap().clone())
    }

    #[test]
    fn a_null_of_what_is_simulated_is_absent_wherever_it_stands() {
        let spec = read(&json!({"sku": {"tier": null}, "properties": {"supportPlan": null,
            "nodeProvisioningProfile": {"mode": null}, "agentPoolProfiles": [{"name": "a", "type": null,
            "upgradeSettings": null, "creationData": {"sourceResourceId": null}}]}}))
        .unwrap();
        assert_eq!(Value::Object(spec.envelope), json!({"sku": {}}));
        assert_eq!(Value::Object(spec.properties), json!({"nodeProvisioningProfile": {}}));
        assert_eq!(Value::Object(spec.pools.unwrap().remove(0).properties), json!({"creationData": {}}));
    }

    #[test]
    fn a_patch_changes_tags_only() {
        let patch = |body: Value| read_tags_patch(body.as_object().unwrap().clone());
        assert_eq!(patch(json!({})), Ok(None));
        assert_eq!(patch(json!({"tags": null})), Ok(Some(BTreeMap::new())));
        let tags = BTreeMap::from([("a".to_owned(), "1".to_owned())]);
        assert_eq!(patch(json!({"tags": {"a": "1"}})), Ok(Some(tags)));
        let refusal = patch(json!({"properties": {}})).unwrap_err();
        assert_eq!(refusal.target.as_deref(), Some("properties"));
    }

    #[test]
    fn what_is_not_simulated_is_kept_and_what_is_read_only_is_ignored() {
        let spec = read(&json!({
            "id": "x", "location": "eastus", "identity": {"type": "SystemAssigned"}, "eTag": "y",
            "properties": {
                "provisioningState": "Failed", "dnsPrefix": "dns", "networkProfile": {"future": [1]},
                "agentPoolProfiles": [{"name": "np1", "vmSize": "small", "eTag": "z", "nodeImageVersion": "old"}],
            },
        }))
        .unwrap();
        assert_eq!(Value::Object(spec.envelope), json!({"identity": {"type": "SystemAssigned"}}));
        assert_eq!(
            Value::Object(spec.properties),
            json!({"dnsPrefix": "dns", "networkProfile": {"future": [1]}})
        );
        assert_eq!(Value::Object(spec.pools.unwrap().remove(0).properties), json!({"vmSize": "small"}));
    }

    #[rstest]
    #[case(json!({"location": 5}), "location")]
    #[case(json!({"properties": []}), "properties")]
    #[case(json!({"tags": {"a": 1}}), "tags.a")]
    #[case(json!({"sku": {"tier": "Gold"}}), "sku.tier")]
    #[case(json!({"properties": {"supportPlan": "AKSLongTermSupport"}}), "properties.supportPlan")]
    #[case(json!({"properties": {"supportPlan": "Forever"}}), "properties.supportPlan")]
    #[case(json!({"sku": "Premium"}), "sku")]
    #[case(json!({"sku": {"tier": 1}}), "sku.tier")]
    #[case(json!({"properties": {"supportPlan": true}}), "properties.supportPlan")]
    #[case(json!({"properties": {"nodeProvisioningProfile": "Auto"}}), "properties.nodeProvisioningProfile")]
    #[case(json!({"properties": {"nodeProvisioningProfile": {"mode": 1}}}), "properties.nodeProvisioningProfile.mode")]
    #[case(json!({"properties": {"agentPoolProfiles": {}}}), "properties.agentPoolProfiles")]
    #[case(json!({"properties": {"agentPoolProfiles": [1]}}), "properties.agentPoolProfiles[0]")]
    #[case(json!({"properties": {"agentPoolProfiles": [{}]}}), "properties.agentPoolProfiles[0].name")]
    fn a_wrong_cluster_is_refused_where_it_is_wrong(#[case] body: Value, #[case] target: &str) {
        assert_eq!(read(&body).unwrap_err().target.as_deref(), Some(target));
    }

    #[rstest]
    #[case(json!({"count": -1}), "count")]
    #[case(json!({"count": 1001}), "count")]
    #[case(json!({"mode": "Sytem"}), "mode")]
    #[case(json!({"osType": "BeOS"}), "osType")]
    #[case(json!({"osSKU": "Windows2022"}), "osSKU")]
    #[case(json!({"osType": "Windows", "mode": "System"}), "mode")]
    #[case(json!({"upgradeSettings": {"maxSurge": "0%"}}), "upgradeSettings.maxSurge")]
    #[case(json!({"upgradeSettings": {"maxSurge": 1}}), "upgradeSettings.maxSurge")]
    #[case(json!({"upgradeSettings": "1"}), "upgradeSettings")]
    #[case(json!({"creationData": "/a/snapshot"}), "creationData")]
    #[case(json!({"creationData": {"sourceResourceId": 1}}), "creationData.sourceResourceId")]
    fn a_wrong_pool_is_refused_where_it_is_wrong(#[case] properties: Value, #[case] target: &str) {
        let body = json!({"properties": properties});
        let refusal = read_pool("np1", body.as_object().unwrap().clone()).unwrap_err();
        assert_eq!(refusal.target, Some(format!("properties.{target}")));
    }

    #[rstest]
    #[case("NP1", "Linux")]
    #[case("1np", "Linux")]
    #[case("windows", "Windows")]
    fn pool_names_follow_their_grammar(#[case] name: &str, #[case] os: &str) {
        let body = json!({"properties": {"osType": os}});
        assert_eq!(
            read_pool(name, body.as_object().unwrap().clone()).unwrap_err().code,
            Code::InvalidResourceName
        );
    }
}
