//! What is under way on a cluster: operations begin, reach their milestones, end, or are cancelled.
//!
//! # Guarantees
//! An operation's milestones are fixed when it begins and change the cluster in their order, each once. An operation of
//! the cluster renews the tags of all pools, one of a pool only its own. What ended is told once.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::ManagedCluster;
use crate::domain::catalogue::Catalogue;
use crate::domain::etag::ETag;
use crate::domain::ids::IdSource;
use crate::domain::kubernetes_version::RequestedVersion;
use crate::domain::lifecycle::{Lifecycle, OperationError, ProvisioningState};
use crate::domain::observed_cluster::{Busy, PowerState, UpgradeRequest};
use crate::domain::operation::{Action, OperationStatus};
use crate::domain::time::Timestamp;
use crate::domain::upgrade_timeline::{Milestone, Step, plan_steps, timeline};

/// What an operation covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OperationScope {
    /// The cluster with all its pools.
    Cluster,
    /// One pool.
    Pool(String),
}

impl OperationScope {
    /// Whether an operation of this scope keeps `pool` from another one.
    pub fn covers_pool(&self, pool: &str) -> bool {
        match self {
            Self::Cluster => true,
            Self::Pool(name) => name.eq_ignore_ascii_case(pool),
        }
    }
}

/// An operation that has begun and not ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActiveOperation {
    /// The operation's GUID.
    pub guid: Uuid,
    /// What it does.
    pub action: Action,
    /// What it covers.
    pub scope: OperationScope,
    /// When it began.
    pub start: Timestamp,
    /// Whether it hangs: then no milestone falls due until that ends.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hung: bool,
    /// What it still has to do, in time.
    pub milestones: Vec<Milestone>,
}

impl ActiveOperation {
    /// When something of it falls due next; `None` while it hangs.
    pub fn next_due(&self) -> Option<Timestamp> {
        self.milestones.first().filter(|_| !self.hung).map(|milestone| milestone.at)
    }

    pub(super) fn busy(&self) -> Busy {
        let what = match self.action {
            Action::Create => "the creation",
            Action::Update => "an update",
            Action::Delete => "the deletion",
            Action::Start => "the start",
            Action::Stop => "the stop",
            Action::Abort => "an abort",
            Action::Upgrade => "an upgrade",
        };
        let of = match &self.scope {
            OperationScope::Cluster => "the cluster".to_owned(),
            OperationScope::Pool(name) => format!("its agent pool {name}"),
        };
        let until = self.milestones.last().filter(|_| !self.hung).map(|milestone| milestone.at);
        Busy { operation: format!("{what} of {of}"), until }
    }
}

/// An operation to begin.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Its GUID.
    pub guid: Uuid,
    /// What it does.
    pub action: Action,
    /// What it covers.
    pub scope: OperationScope,
    /// What it upgrades; nothing, for most.
    pub request: UpgradeRequest,
    /// How long it takes where it upgrades nothing.
    pub duration: TimeDelta,
}

/// What beginning an operation did at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Begun {
    /// See [`Advanced`].
    pub advanced: Advanced,
    /// When it falls due next; `None` where it is over or hangs.
    pub next_due: Option<Timestamp>,
}

/// An operation that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedOperation {
    /// Its GUID.
    pub guid: Uuid,
    /// How.
    pub status: OperationStatus,
    /// Why, where it did not succeed.
    pub error: Option<OperationError>,
}

/// What time passing did to a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Advanced {
    /// Whether anything changed.
    pub changed: bool,
    /// Whether the cluster's own tag is to be renewed; its pools' are already.
    pub renew: bool,
    /// What ended, in order.
    pub ended: Vec<EndedOperation>,
    /// Whether the cluster is gone.
    pub gone: bool,
}

impl ManagedCluster {
    /// Begins an operation now, and does what of it takes no time. Whether it may begin is checked before.
    pub fn begin(&mut self, plan: Plan, catalogue: &Catalogue, now: Timestamp, ids: &dyn IdSource) -> Begun {
        let steps = plan_steps(self, &plan.request);
        let mut behavior = self.behavior.clone().unwrap_or_default();
        let hung = behavior.hang && !steps.is_empty();
        let milestones = if steps.is_empty() {
            vec![Milestone { at: now + plan.duration, step: Step::End, failure: None }]
        } else {
            timeline(self, steps, &mut behavior, catalogue, now)
        };
        self.behavior = self.behavior.is_some().then_some(behavior);
        let state = match plan.action {
            Action::Create => ProvisioningState::Creating,
            Action::Delete => ProvisioningState::Deleting,
            _ => ProvisioningState::Updating,
        };
        *self.lifecycle_of(&plan.scope) = Lifecycle::during(state, plan.guid);
        let (action, scope, guid) = (plan.action, plan.scope, plan.guid);
        let renew = self.renew_pools(&scope, ids);
        self.operations.push(ActiveOperation { guid, action, scope, start: now, hung, milestones });
        let mut advanced = self.advance(now, ids);
        (advanced.changed, advanced.renew) = (true, advanced.renew || renew);
        let next_due =
            self.operations.iter().find(|one| one.guid == guid).and_then(ActiveOperation::next_due);
        Begun { advanced, next_due }
    }

    /// Does everything that is due.
    pub fn advance(&mut self, now: Timestamp, ids: &dyn IdSource) -> Advanced {
        let mut advanced = Advanced::default();
        loop {
            let due = |operation: &ActiveOperation| operation.next_due().filter(|at| *at <= now);
            let next = self.operations.iter().enumerate().filter_map(|(i, one)| Some((due(one)?, i))).min();
            let Some((_, index)) = next else { return advanced };
            let milestone = self.operations[index].milestones.remove(0);
            let operation = self.operations[index].clone();
            advanced.changed = true;
            if let Some(error) = milestone.failure {
                self.fail(&operation, &milestone.step, error, &mut advanced);
            } else {
                self.apply(&milestone.step);
                if operation.milestones.is_empty() {
                    self.succeed(&operation, &mut advanced);
                }
            }
            advanced.renew |= self.renew_pools(&operation.scope, ids);
        }
    }

    fn apply(&mut self, step: &Step) {
        match step {
            Step::ControlPlane { version } => {
                self.current_version = *version;
                keep_alias(&mut self.kubernetes_version, *version);
            }
            Step::Pool(upgrade) => {
                let Some(pool) = self.pool_mut(&upgrade.name) else { return };
                if let Some(version) = upgrade.version {
                    pool.current_version = version;
                    keep_alias(&mut pool.orchestrator_version, version);
                }
                if let Some(image) = &upgrade.image {
                    pool.image = image.clone();
                }
                if upgrade.drop_snapshot {
                    pool.drop_snapshot();
                }
                if pool.lifecycle.state == ProvisioningState::Failed {
                    pool.lifecycle = pool.lifecycle.clone().finished();
                }
            }
            Step::End => {}
        }
    }

    fn succeed(&mut self, operation: &ActiveOperation, advanced: &mut Advanced) {
        self.operations.retain(|one| one.guid != operation.guid);
        let lifecycle = self.lifecycle_of(&operation.scope);
        *lifecycle = lifecycle.clone().finished();
        match (&operation.scope, operation.action) {
            (OperationScope::Cluster, Action::Start) => self.power = PowerState::Running,
            (OperationScope::Cluster, Action::Stop) => self.power = PowerState::Stopped,
            (OperationScope::Cluster, Action::Delete) => advanced.gone = true,
            (OperationScope::Pool(name), Action::Delete) => self.pools.retain(|pool| pool.name != *name),
            _ => {}
        }
        let (status, error) = (OperationStatus::Succeeded, None);
        advanced.ended.push(EndedOperation { guid: operation.guid, status, error });
    }

    fn fail(
        &mut self,
        operation: &ActiveOperation,
        step: &Step,
        error: OperationError,
        advanced: &mut Advanced,
    ) {
        self.operations.retain(|one| one.guid != operation.guid);
        if let Step::Pool(upgrade) = step
            && let Some(pool) = self.pool_mut(&upgrade.name)
        {
            pool.lifecycle.state = ProvisioningState::Failed;
        }
        let lifecycle = self.lifecycle_of(&operation.scope);
        (lifecycle.state, lifecycle.error) = (ProvisioningState::Failed, Some(error.clone()));
        let (status, error) = (OperationStatus::Failed, Some(error));
        advanced.ended.push(EndedOperation { guid: operation.guid, status, error });
    }

    /// Cancels what is under way on the cluster or, with a pool, on that pool (an operation of the cluster is not
    /// cancelled for a pool), leaving what was done as it is.
    pub fn cancel(&mut self, scope: &OperationScope, error: &OperationError, ids: &dyn IdSource) -> Advanced {
        let mut advanced = Advanced::default();
        let hit = |operation: &ActiveOperation| match scope {
            OperationScope::Cluster => true,
            OperationScope::Pool(_) => operation.scope == *scope,
        };
        for operation in self.operations.clone().iter().filter(|operation| hit(operation)) {
            self.operations.retain(|one| one.guid != operation.guid);
            let lifecycle = self.lifecycle_of(&operation.scope);
            (lifecycle.state, lifecycle.error) = (ProvisioningState::Canceled, Some(error.clone()));
            let (status, error) = (OperationStatus::Canceled, Some(error.clone()));
            advanced.ended.push(EndedOperation { guid: operation.guid, status, error });
            advanced.renew |= self.renew_pools(&operation.scope, ids);
            advanced.changed = true;
        }
        advanced
    }

    /// Lets operations that hung go on from now. Returns those that fall due again.
    pub fn end_hang(&mut self, now: Timestamp) -> Vec<(Uuid, Timestamp)> {
        let mut released = Vec::new();
        for operation in self.operations.iter_mut().filter(|operation| operation.hung) {
            let late = now - operation.start;
            operation.milestones.iter_mut().for_each(|milestone| milestone.at += late);
            operation.hung = false;
            released.extend(operation.next_due().map(|at| (operation.guid, at)));
        }
        released
    }

    /// The state that an operation of this scope is shown by: the pool's, or the cluster's.
    pub fn lifecycle_of(&mut self, scope: &OperationScope) -> &mut Lifecycle {
        if let OperationScope::Pool(name) = scope
            && let Some(index) = self.pools.iter().position(|pool| pool.name.eq_ignore_ascii_case(name))
        {
            return &mut self.pools[index].lifecycle;
        }
        &mut self.lifecycle
    }

    /// Renews the tags of the pools that an operation of this scope covers; whether the cluster's is to be too.
    pub fn renew_pools(&mut self, scope: &OperationScope, ids: &dyn IdSource) -> bool {
        for pool in self.pools.iter_mut().filter(|pool| scope.covers_pool(&pool.name)) {
            pool.etag = ETag(ids.next());
        }
        *scope == OperationScope::Cluster
    }
}

/// After reaching `version`: an alias that admits it stays, anything else becomes the exact version.
fn keep_alias(asked: &mut String, version: crate::domain::kubernetes_version::KubernetesVersion) {
    let admits = asked.parse::<RequestedVersion>().is_ok_and(|requested| requested.admits(version));
    if !admits {
        *asked = version.to_string();
    }
}

#[cfg(test)]
mod tests;
