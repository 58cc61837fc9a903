//! Reading a fleet from a request: the rules that need more than the contract's table.
//!
//! The contract has checked shapes, left out what is read-only, put back what a PUT leaves as it is (`location`,
//! `hubProfile`) and refused changes of what never changes, but for the region, which has a code of its own.

use serde_json::Value;

use super::{AgentProfile, ApiServerAccess, Fleet, FleetPatch, FleetSpec, HubSpec};
use crate::domain::catalogue::normal_region;
use crate::domain::identity::IdentitySpec;
use crate::domain::names::check_fleet_name;
use crate::domain::refusal::{Code, Faults, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::domain::tags::read_tags;

/// The longest `dnsPrefix`: a host name's part, less what the service appends.
pub(super) const MAX_DNS_PREFIX: usize = 54;

impl FleetSpec {
    /// Reads the body of a PUT on `id`.
    ///
    /// # Errors
    /// Every rule that is broken, each with its JSON path.
    pub fn read(id: &ResourceId, value: &Value, existing: Option<&Fleet>) -> Result<Self, Refusal> {
        let mut faults = Faults::new();
        let spec = Self::read_into(id, value, existing, &mut faults);
        faults.finish().map(|()| spec)
    }

    /// Like [`FleetSpec::read`], noting what is wrong among other faults of the same body; what it returns is of use
    /// only where nothing was wrong.
    pub fn read_into(id: &ResourceId, value: &Value, existing: Option<&Fleet>, faults: &mut Faults) -> Self {
        if existing.is_none()
            && let Err(problem) = check_fleet_name(id.name())
        {
            faults.add(Code::InvalidResourceName, "name", format!("{problem}."));
        }
        let tags = read_tags(value, faults);
        let identity = IdentitySpec::read(value, faults);
        let hub = value.pointer("/properties/hubProfile").map(|hub| read_hub(hub, faults));
        // Last, so that its code (a conflict) is answered only where the body is right otherwise.
        let location = read_location(value, existing.map(|fleet| fleet.location.as_str()), faults);
        Self { location, tags, identity, hub }
    }
}

impl FleetPatch {
    /// Reads the body of a PATCH on `existing`.
    ///
    /// # Errors
    /// Every rule that is broken, each with its JSON path.
    pub fn read(value: &Value, existing: &Fleet) -> Result<Self, Refusal> {
        let mut faults = Faults::new();
        let patch = Self::read_into(value, existing, &mut faults);
        faults.finish().map(|()| patch)
    }

    /// Like [`FleetPatch::read`], noting what is wrong among other faults of the same body.
    pub fn read_into(value: &Value, existing: &Fleet, faults: &mut Faults) -> Self {
        let identity = value.get("identity");
        Self {
            tags: value.get("tags").map(|_| read_tags(value, faults)),
            identity: identity
                .map(|identity| IdentitySpec::patch(identity, existing.identity.as_ref(), faults)),
        }
    }
}

/// The region in `value`, as regions compare; `existing` is where the resource is, and absence means the same.
pub(in crate::domain) fn read_location(value: &Value, existing: Option<&str>, faults: &mut Faults) -> String {
    let sent = value.get("location").and_then(Value::as_str);
    let location = sent.map(normal_region).or(existing.map(str::to_owned)).unwrap_or_default();
    let shown: String = location.chars().take(80).collect();
    if sent.is_some() && (location.is_empty() || !location.bytes().all(|b| b.is_ascii_alphanumeric())) {
        let message = format!("'{shown}' is not the name of a region; expected one such as 'westeurope'.");
        faults.add(Code::InvalidParameter, "location", message);
    } else if let Some(existing) = existing.filter(|existing| normal_region(existing) != location) {
        let message = format!(
            "The resource is in '{existing}' and cannot move to '{shown}'. Leave its location as it is."
        );
        faults.add(Code::InvalidResourceLocation, "location", message);
    }
    location
}

fn read_hub(value: &Value, faults: &mut Faults) -> HubSpec {
    let at = "properties.hubProfile";
    let dns_prefix = text(value, "dnsPrefix");
    if dns_prefix.as_deref().is_some_and(|prefix| !is_dns_prefix(prefix)) {
        let message = format!(
            "A dnsPrefix has 1 to {MAX_DNS_PREFIX} letters, digits and '-', beginning and ending with a letter or \
             digit."
        );
        faults.add(Code::InvalidParameter, format!("{at}.dnsPrefix"), message);
    }
    let flag = |value: &Value, name: &str| value.get(name).and_then(Value::as_bool);
    HubSpec {
        dns_prefix,
        api_server_access_profile: value.get("apiServerAccessProfile").map(|access| ApiServerAccess {
            enable_private_cluster: flag(access, "enablePrivateCluster"),
            enable_vnet_integration: flag(access, "enableVnetIntegration"),
            subnet_id: read_subnet(access, &format!("{at}.apiServerAccessProfile"), faults),
        }),
        agent_profile: value.get("agentProfile").map(|agent| AgentProfile {
            subnet_id: read_subnet(agent, &format!("{at}.agentProfile"), faults),
            vm_size: text(agent, "vmSize"),
        }),
    }
}

fn read_subnet(value: &Value, at: &str, faults: &mut Faults) -> Option<ResourceId> {
    let read = text(value, "subnetId")?.parse::<ResourceId>();
    read.map_err(|problem| {
        faults.add(Code::InvalidParameter, format!("{at}.subnetId"), format!("{problem}."));
    })
    .ok()
}

fn text(value: &Value, name: &str) -> Option<String> {
    value.get(name)?.as_str().map(str::to_owned)
}

fn is_dns_prefix(prefix: &str) -> bool {
    let ends = |b: Option<&u8>| b.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = prefix.as_bytes();
    bytes.len() <= MAX_DNS_PREFIX
        && ends(bytes.first())
        && ends(bytes.last())
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::fleet::FleetGrants;
    use crate::domain::lifecycle::Lifecycle;
    use crate::domain::system_data::{Principal, SystemData};
    use crate::domain::time::from_micros;
    use rstest::rstest;
    use serde_json::json;
    use uuid::Uuid;

    const GRANTS: FleetGrants = FleetGrants { principal: Uuid::from_u128(7), hub_version: None };

    fn id() -> ResourceId {
        ResourceId::resource_group("s", "g").child("fleets", "fleet-1")
    }

    fn create(body: &Value) -> Fleet {
        let system_data = SystemData::created(&Principal::anonymous(), from_micros(0));
        let spec = FleetSpec::read(&id(), body, None).unwrap();
        Fleet::create(id(), spec, GRANTS, system_data, Lifecycle::succeeded())
    }

    fn put(fleet: &Fleet, body: &Value) -> Result<Fleet, Refusal> {
        Ok(fleet.clone().replaced(FleetSpec::read(&fleet.id, body, Some(fleet))?, GRANTS))
    }

    #[test]
    fn a_region_compares_without_case_and_blanks_and_never_changes() {
        let fleet = create(&json!({ "location": "West Europe" }));
        assert_eq!(fleet.location, "westeurope");
        assert!(put(&fleet, &json!({ "location": "WESTEUROPE" })).is_ok());
        assert!(put(&fleet, &json!({})).is_ok());
        let refusal = put(&fleet, &json!({ "location": "eastus" })).unwrap_err();
        assert_eq!(
            (refusal.code, refusal.target.as_deref()),
            (Code::InvalidResourceLocation, Some("location"))
        );
    }

    #[test]
    fn another_region_is_answered_as_a_bad_request_where_the_body_is_bad_otherwise() {
        let fleet = create(&json!({ "location": "eastus" }));
        let refusal = put(&fleet, &json!({ "location": "westus", "tags": { "<": "" } })).unwrap_err();
        assert_eq!((refusal.code, refusal.details.len()), (Code::InvalidParameter, 2));
    }

    #[test]
    fn a_hub_may_be_added_but_stays_once_it_is_there() {
        let hubless = create(&json!({ "location": "eastus" }));
        assert_eq!(hubless.hub_profile, None);
        let with_hub = put(&hubless, &json!({ "properties": { "hubProfile": {} } })).unwrap();
        let hub = with_hub.hub_profile.clone().unwrap();
        assert_eq!(hub.dns_prefix, "fleet-1");
        assert!(hub.fqdn.starts_with("fleet-1-") && hub.fqdn.ends_with(".hcp.eastus.azmk8s.io"));
        assert_eq!(put(&with_hub, &json!({})).unwrap(), with_hub);
    }

    #[test]
    fn a_put_replaces_tags_and_identity() {
        let body =
            json!({ "location": "eastus", "tags": { "a": "1" }, "identity": { "type": "SystemAssigned" } });
        let fleet = create(&body);
        assert_eq!(put(&fleet, &body).unwrap(), fleet);
        let bare = put(&fleet, &json!({ "location": "eastus", "tags": { "b": "2" } })).unwrap();
        assert_eq!((bare.tags.contains_key("a"), bare.identity), (false, None));
    }

    #[test]
    fn a_patch_replaces_tags_whole_and_leaves_what_it_does_not_name() {
        let fleet = create(
            &json!({ "location": "eastus", "tags": { "a": "1" }, "identity": { "type": "SystemAssigned" } }),
        );
        let patch = FleetPatch::read(&json!({ "tags": { "b": "2" } }), &fleet).unwrap();
        let patched = fleet.clone().patched(patch, Uuid::nil());
        assert_eq!((patched.tags.contains_key("a"), &patched.identity), (false, &fleet.identity));
        let patch = FleetPatch::read(&json!({ "identity": null, "tags": null }), &fleet).unwrap();
        let patched = fleet.patched(patch, Uuid::nil());
        assert_eq!((patched.tags.len(), patched.identity), (0, None));
    }

    #[rstest]
    #[case::region(json!({ "location": "a/b" }), "location")]
    #[case::no_region(json!({ "location": " " }), "location")]
    #[case::prefix(
        json!({ "location": "eastus", "properties": { "hubProfile": { "dnsPrefix": "-a" } } }),
        "properties.hubProfile.dnsPrefix"
    )]
    #[case::subnet(
        json!({ "location": "eastus", "properties": { "hubProfile": { "agentProfile": { "subnetId": "x" } } } }),
        "properties.hubProfile.agentProfile.subnetId"
    )]
    fn what_is_wrong_is_refused_where_it_stands(#[case] body: Value, #[case] target: &str) {
        assert_eq!(FleetSpec::read(&id(), &body, None).unwrap_err().target.as_deref(), Some(target));
    }

    #[test]
    fn a_fleet_needs_a_name_of_the_grammar() {
        let id = ResourceId::resource_group("s", "g").child("fleets", "Fleet_1");
        let refusal = FleetSpec::read(&id, &json!({ "location": "eastus" }), None).unwrap_err();
        assert_eq!((refusal.code, refusal.target.as_deref()), (Code::InvalidResourceName, Some("name")));
    }
}
