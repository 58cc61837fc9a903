//! A managed cluster with everything that stands or falls with it: pools, maintenance configurations, operations under
//! way, and how the simulator is told to treat it.
//!
//! It is one document, so that every write on any part is one compare-and-set on it; the cluster's own eTag stays
//! outside, with the document. Members that are not simulated are kept as they were sent. Nothing here stores or
//! waits. To simulate one more member, take it out of the body in `spec`, keep it here, and show it in `view`.
//!
//! `spec` reads bodies, `create` and `replace` decide what they mean, `operations` begins and advances what takes
//! time (its steps are made by `upgrade_timeline`), `view` writes bodies.

mod agent_pool;
mod behavior;
mod create;
mod maintenance;
mod operations;
mod replace;
mod spec;
mod versions;
mod view;

pub use agent_pool::{AgentPool, PoolMode, Surge};
pub use behavior::{Behavior, FailureRule, StepName};
pub use create::{create, create_pool};
pub use maintenance::{
    ConfigurationName, MaintenanceConfiguration, MaintenanceSpec, read_maintenance_window,
};
pub use operations::{ActiveOperation, Advanced, Begun, EndedOperation, OperationScope, Plan};
pub use replace::{Replacement, replace, replace_pool};
pub use spec::{ClusterSpec, PoolSpec, read_cluster, read_pool, read_tags_patch};
pub(in crate::domain) use view::with_envelope;
pub use view::{cluster_view, fqdn, maintenance_view, pool_profile, pool_view};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::catalogue::normal_region;
use super::kubernetes_version::KubernetesVersion;
use super::lifecycle::Lifecycle;
use super::observed_cluster::{Busy, ObservedCluster, ObservedPool, PowerState};
use super::refusal::{Code, Refusal};
use super::resource_id::ResourceId;
use super::system_data::SystemData;
use super::time::Timestamp;

/// Pools that a cluster may have, as AKS states it in every body.
pub const MAX_AGENT_POOLS: usize = 100;

/// A cluster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ManagedCluster {
    /// Its id.
    pub id: ResourceId,
    /// Its region, as it was sent.
    pub location: String,
    /// Its tags.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
    /// Members beside `properties` that are kept as sent (`sku`, `identity`, …).
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub envelope: Map<String, Value>,
    /// Members of `properties` that are kept as sent.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub properties: Map<String, Value>,
    /// The version asked for, as sent: exact or an alias.
    pub kubernetes_version: String,
    /// The version its control plane runs.
    pub current_version: KubernetesVersion,
    /// Whether it runs.
    pub power: PowerState,
    /// Where it stands.
    pub lifecycle: Lifecycle,
    /// Its pools, in the order in which they came.
    pub pools: Vec<AgentPool>,
    /// Its maintenance configurations.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub maintenance: BTreeMap<ConfigurationName, MaintenanceConfiguration>,
    /// What it is told to do wrong or slowly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behavior: Option<Behavior>,
    /// What is under way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<ActiveOperation>,
    /// Who made and changed it.
    pub system_data: SystemData,
}

impl ManagedCluster {
    /// Its region as regions compare.
    pub fn region(&self) -> String {
        normal_region(&self.location)
    }

    /// Whether it is on the long-term support plan.
    pub fn long_term_support(&self) -> bool {
        string_at(&self.properties, &["supportPlan"])
            .is_some_and(|plan| plan.eq_ignore_ascii_case(LONG_TERM_SUPPORT))
    }

    /// Whether its nodes are provisioned automatically.
    pub fn node_auto_provisioning(&self) -> bool {
        string_at(&self.properties, &["nodeProvisioningProfile", "mode"])
            .is_some_and(|mode| mode.eq_ignore_ascii_case("Auto"))
    }

    /// The pool of this name; names compare without case.
    pub fn pool(&self, name: &str) -> Option<&AgentPool> {
        self.pools.iter().find(|pool| pool.name.eq_ignore_ascii_case(name))
    }

    /// The same, to change it.
    pub fn pool_mut(&mut self, name: &str) -> Option<&mut AgentPool> {
        self.pools.iter_mut().find(|pool| pool.name.eq_ignore_ascii_case(name))
    }

    /// How a run sees it at `now`.
    pub fn observe(&self, now: Timestamp) -> ObservedCluster {
        let window = |name| self.maintenance.get(&name).and_then(|one| one.window.clone());
        ObservedCluster {
            location: self.region(),
            control_plane: self.current_version,
            pools: self.pools.iter().map(AgentPool::observe).collect(),
            power: self.power,
            busy: self.busy(now),
            long_term_support: self.long_term_support(),
            node_auto_provisioning: self.node_auto_provisioning(),
            auto_upgrade_window: window(ConfigurationName::AutoUpgrade),
            node_os_window: window(ConfigurationName::NodeOs),
        }
    }

    /// That it is not stopped, for what needs its nodes: `doing`, as the message is to say it.
    ///
    /// # Errors
    /// `OperationNotAllowed`.
    pub fn check_running(&self, doing: &str) -> Result<(), Refusal> {
        if self.power == PowerState::Stopped {
            let message = format!("{} is stopped; start it before {doing}.", self.id);
            return Err(Refusal::new(Code::OperationNotAllowed, message));
        }
        Ok(())
    }

    /// That `count` pools are not more than a cluster may have.
    ///
    /// # Errors
    /// `QuotaExceeded`.
    fn check_pool_quota(&self, count: usize) -> Result<(), Refusal> {
        if count > MAX_AGENT_POOLS {
            let message =
                format!("{} would have {count} agent pools; at most {MAX_AGENT_POOLS} are allowed.", self.id);
            return Err(Refusal::new(Code::QuotaExceeded, message));
        }
        Ok(())
    }

    /// What keeps the cluster as a whole from taking another operation: any operation of its own or of a pool, or
    /// being told to be busy.
    pub fn busy(&self, now: Timestamp) -> Option<Busy> {
        let underway = self.operations.first().map(ActiveOperation::busy);
        underway.or_else(|| self.told_to_be_busy(now))
    }

    /// What keeps one pool from taking an operation: one of the cluster or of this pool.
    pub fn pool_busy(&self, pool: &str, now: Timestamp) -> Option<Busy> {
        let underway = self.operations.iter().find(|operation| operation.scope.covers_pool(pool));
        underway.map(ActiveOperation::busy).or_else(|| self.told_to_be_busy(now))
    }

    fn told_to_be_busy(&self, now: Timestamp) -> Option<Busy> {
        let until = self.behavior.as_ref()?.busy_until.filter(|until| *until > now)?;
        Some(Busy { operation: "an operation of the simulator".to_owned(), until: Some(until) })
    }
}

impl AgentPool {
    fn observe(&self) -> ObservedPool {
        ObservedPool {
            name: self.name.clone(),
            version: self.current_version,
            image: self.image.clone(),
            os: self.os,
            from_snapshot: self.snapshot().is_some(),
        }
    }
}

/// The support plan that keeps old minors supported.
pub const LONG_TERM_SUPPORT: &str = "AKSLongTermSupport";

/// The string at a path of member names.
fn string_at<'a>(map: &'a Map<String, Value>, path: &[&str]) -> Option<&'a str> {
    value_at(map, path)?.as_str()
}

/// The value at a path of members.
fn value_at<'a>(map: &'a Map<String, Value>, path: &[&str]) -> Option<&'a Value> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(map.get(*first)?, |value, member| value.get(*member))
}

#[cfg(test)]
pub(crate) mod testing;
