//! How an upgrade of a cluster goes: which steps, in what order, and when each is done.
//!
//! The control plane first, then pool after pool; a step that changes nothing is no step, so that the next attempt
//! after a failure does only the rest. The instants are fixed when the upgrade begins; a step fails at its end, and what
//! would come after it is not on the timeline. What milestones do to a cluster is in `managed_cluster::operations`.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use super::catalogue::Catalogue;
use super::kubernetes_version::KubernetesVersion;
use super::lifecycle::OperationError;
use super::managed_cluster::{AgentPool, Behavior, ManagedCluster, StepName};
use super::node_image::OsType;
use super::observed_cluster::{PoolUpgrade, UpgradeRequest};
use super::time::Timestamp;

/// How long a pool takes a live security patch.
const LIVE_PATCH: TimeDelta = TimeDelta::minutes(1);

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Step {
    /// The control plane reaches a version.
    ControlPlane {
        /// Which.
        version: KubernetesVersion,
    },
    /// A pool's nodes reach a version, an image, or both.
    Pool(PoolUpgrade),
    /// Nothing but the end of an operation that upgrades nothing.
    End,
}

/// The end of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Milestone {
    /// When.
    pub at: Timestamp,
    /// What is done then.
    pub step: Step,
    /// What it fails with instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<OperationError>,
}

/// The steps that a request still takes on this cluster. What is at or ahead of what is asked for is left alone, and
/// Windows pools take no security patches.
pub fn plan_steps(cluster: &ManagedCluster, request: &UpgradeRequest) -> Vec<Step> {
    let control_plane = request.control_plane.filter(|version| *version > cluster.current_version);
    let mut steps: Vec<Step> =
        control_plane.into_iter().map(|version| Step::ControlPlane { version }).collect();
    for asked in &request.pools {
        let Some(pool) = cluster.pool(&asked.name) else { continue };
        if request.security_patch && pool.os == OsType::Windows {
            continue;
        }
        let upgrade = rest_of(asked, pool);
        if upgrade.version.is_some() || upgrade.image.is_some() || upgrade.drop_snapshot {
            steps.push(Step::Pool(upgrade));
        }
    }
    steps
}

fn rest_of(asked: &PoolUpgrade, pool: &AgentPool) -> PoolUpgrade {
    let newer = |image: &&super::node_image::NodeImage| {
        image.family != pool.image.family || image.version > pool.image.version
    };
    PoolUpgrade {
        name: pool.name.clone(),
        version: asked.version.filter(|version| *version > pool.current_version),
        image: asked.image.as_ref().filter(newer).cloned(),
        drop_snapshot: asked.drop_snapshot && pool.snapshot().is_some(),
    }
}

/// When each step is done, from `start` on, up to and including the first one that fails. Failures that happen are
/// counted down in `behavior`.
pub fn timeline(
    cluster: &ManagedCluster,
    steps: Vec<Step>,
    behavior: &mut Behavior,
    catalogue: &Catalogue,
    start: Timestamp,
) -> Vec<Milestone> {
    let mut milestones = Vec::new();
    let mut at = start;
    for step in steps {
        at += duration(cluster, &step, behavior, catalogue);
        let failure = name_of(&step).and_then(|name| behavior.take_failure(&name));
        let fails = failure.is_some();
        milestones.push(Milestone { at, step, failure });
        if fails {
            break;
        }
    }
    milestones
}

fn name_of(step: &Step) -> Option<StepName> {
    match step {
        Step::ControlPlane { .. } => Some(StepName::ControlPlane),
        Step::Pool(upgrade) => Some(StepName::AgentPool(upgrade.name.clone())),
        Step::End => None,
    }
}

fn duration(cluster: &ManagedCluster, step: &Step, behavior: &Behavior, catalogue: &Catalogue) -> TimeDelta {
    match step {
        Step::ControlPlane { .. } => behavior.control_plane(),
        Step::Pool(upgrade) => {
            let image = upgrade.image.as_ref();
            let patch = image.and_then(|image| catalogue.security_patch(image));
            if patch.is_some_and(|patch| patch.live_patch) && upgrade.version.is_none() {
                // A cluster that was told to take no time takes none here either.
                return LIVE_PATCH.min(behavior.batch());
            }
            let batches = cluster.pool(&upgrade.name).map_or(0, AgentPool::batches);
            behavior.batch() * i32::try_from(batches).unwrap_or(i32::MAX)
        }
        Step::End => TimeDelta::zero(),
    }
}

#[cfg(test)]
mod tests;
