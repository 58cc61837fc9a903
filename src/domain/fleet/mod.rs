//! Fleets: a named set of members, with or without a hub cluster.
//!
//! What a fleet is and becomes by a write; reading one from a request is in `read`. Members are resources of their
//! own. To add a member of the body, add it here, read it there, and give it a row in the contract.

mod read;

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::identity::{Identity, IdentitySpec};
use super::ids::derived;
use super::kubernetes_version::KubernetesVersion;
use super::lifecycle::Lifecycle;
use super::resource_id::ResourceId;
use super::system_data::SystemData;
use super::tags::Tags;
pub(super) use read::read_location;

/// A fleet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fleet {
    /// Where it is.
    pub id: ResourceId,
    /// Its region: lower case, no blanks. Never changes.
    pub location: String,
    /// The user's tags.
    #[serde(default, skip_serializing_if = "Tags::is_empty")]
    pub tags: Tags,
    /// Its identities, where it was given some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<Identity>,
    /// Its hub; `None`: hubless. Once there, it stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hub_profile: Option<HubProfile>,
    /// How it stands.
    pub lifecycle: Lifecycle,
    /// Who made and changed it.
    pub system_data: SystemData,
}

/// A fleet's hub; its JSON form is the contract's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HubProfile {
    /// What its host names begin with; made from the fleet's name where the user gave none.
    pub dns_prefix: String,
    /// How its API server is reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api_server_access_profile: Option<ApiServerAccess>,
    /// Its node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_profile: Option<AgentProfile>,
    /// The host name of its API server.
    pub fqdn: String,
    /// The host name by which the portal reaches it.
    pub portal_fqdn: String,
    /// What it runs; absent where the catalogue has no version for the region.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kubernetes_version: Option<KubernetesVersion>,
}

/// How a hub's API server is reached. Fixed once given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "ARM's own names")]
pub struct ApiServerAccess {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enable_private_cluster: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enable_vnet_integration: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subnet_id: Option<ResourceId>,
}

/// A hub's node. Fixed once given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "ARM's own names")]
pub struct AgentProfile {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subnet_id: Option<ResourceId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vm_size: Option<String>,
}

/// A fleet as a PUT asks for it.
#[derive(Clone, Debug, PartialEq)]
pub struct FleetSpec {
    /// The region, as it is compared.
    pub location: String,
    /// All tags.
    pub tags: Tags,
    /// The identities.
    pub identity: Option<IdentitySpec>,
    /// The hub.
    pub hub: Option<HubSpec>,
}

/// A hub as a PUT asks for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "as in HubProfile")]
pub struct HubSpec {
    pub dns_prefix: Option<String>,
    pub api_server_access_profile: Option<ApiServerAccess>,
    pub agent_profile: Option<AgentProfile>,
}

/// What a PATCH changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FleetPatch {
    /// All tags from now on.
    pub tags: Option<Tags>,
    /// The identities from now on: `Some(None)` takes them away.
    pub identity: Option<Option<IdentitySpec>>,
}

/// What the service adds to a write of a fleet.
#[derive(Clone, Copy, Debug)]
pub struct FleetGrants {
    /// A fresh id, for an identity that becomes system-assigned.
    pub principal: Uuid,
    /// What a new hub runs.
    pub hub_version: Option<KubernetesVersion>,
}

impl Fleet {
    /// How long an operation on it takes where operations take simulated time: longer with a hub.
    pub fn operation_duration(&self) -> TimeDelta {
        TimeDelta::seconds(if self.hub_profile.is_some() { 60 } else { 1 })
    }

    /// A new fleet.
    pub fn create(
        id: ResourceId,
        spec: FleetSpec,
        grants: FleetGrants,
        system_data: SystemData,
        lifecycle: Lifecycle,
    ) -> Self {
        let FleetSpec { location, tags, identity, hub } = spec;
        let identity = identity.map(|identity| identity.assign(None, grants.principal));
        let hub_profile = hub.map(|hub| hub.build(&id, &location, grants.hub_version));
        Self { id, location, tags, identity, hub_profile, lifecycle, system_data }
    }

    /// The fleet after a PUT. A hub that is there stays, with what it was given first; one that is not is made.
    #[must_use]
    pub fn replaced(self, spec: FleetSpec, grants: FleetGrants) -> Self {
        let before = self.identity.as_ref();
        let identity = spec.identity.map(|identity| identity.assign(before, grants.principal));
        let hub_profile = match (self.hub_profile, spec.hub) {
            (Some(hub), Some(wanted)) => Some(hub.completed(wanted)),
            (Some(hub), None) => Some(hub),
            (None, wanted) => wanted.map(|hub| hub.build(&self.id, &self.location, grants.hub_version)),
        };
        Self { tags: spec.tags, identity, hub_profile, ..self }
    }

    /// The fleet after a PATCH.
    #[must_use]
    pub fn patched(self, patch: FleetPatch, principal: Uuid) -> Self {
        let before = self.identity.as_ref();
        let identity = match patch.identity {
            Some(identity) => identity.map(|identity| identity.assign(before, principal)),
            None => self.identity,
        };
        Self { tags: patch.tags.unwrap_or(self.tags), identity, ..self }
    }
}

impl HubSpec {
    fn build(
        self,
        id: &ResourceId,
        location: &str,
        kubernetes_version: Option<KubernetesVersion>,
    ) -> HubProfile {
        let dns_prefix = self.dns_prefix.unwrap_or_else(|| default_dns_prefix(id.name()));
        let unique = &derived(&id.key()).simple().to_string()[..8];
        HubProfile {
            fqdn: format!("{dns_prefix}-{unique}.hcp.{location}.azmk8s.io"),
            portal_fqdn: format!("{dns_prefix}-{unique}.portal.hcp.{location}.azmk8s.io"),
            dns_prefix,
            api_server_access_profile: self.api_server_access_profile,
            agent_profile: self.agent_profile,
            kubernetes_version,
        }
    }
}

impl HubProfile {
    /// With what `wanted` gives for the first time: what was given before cannot change (the contract refuses that).
    fn completed(self, wanted: HubSpec) -> Self {
        let (access, agent) = (self.api_server_access_profile, self.agent_profile);
        Self {
            api_server_access_profile: wanted.api_server_access_profile.or(access),
            agent_profile: wanted.agent_profile.or(agent),
            ..self
        }
    }
}

/// A fleet's name fits where a DNS prefix does, but for its length.
fn default_dns_prefix(fleet: &str) -> String {
    fleet.chars().take(read::MAX_DNS_PREFIX).collect::<String>().trim_end_matches('-').to_owned()
}
