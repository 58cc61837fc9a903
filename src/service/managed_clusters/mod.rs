//! Use cases of managed clusters and what is part of them: pools, maintenance configurations, behaviours.
//!
//! All change one document; each loads it locked, checks in ARM's order, lets the domain decide, and writes through
//! `cluster::writes`. How long operations other than upgrades take is here, because it is a setting.

mod actions;
mod agent_pools;
mod behaviors;
mod bulk;
mod maintenance_configurations;
mod put;
mod upgrades;

pub use agent_pools::{PoolOnCluster, WrittenPool};
pub use bulk::BulkResult;
pub use maintenance_configurations::WrittenConfiguration;
pub use upgrades::{PoolUpgrades, Upgrade};

use std::sync::Arc;

use chrono::TimeDelta;

use super::resource::find;
use super::{OperationDurations, Service, ServiceError};
use crate::cluster::writes::ClusterWrites;
use crate::domain::catalogue::Catalogue;
use crate::domain::etag::ETag;
use crate::domain::lifecycle::{OperationError, ProvisioningState};
use crate::domain::managed_cluster::{AgentPool, ManagedCluster, OperationScope, Plan};
use crate::domain::observed_cluster::{Busy, UpgradeRequest};
use crate::domain::operation::{Action, Operation};
use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::domain::snapshot::Snapshot;
use crate::domain::time::{Timestamp, to_rfc3339};
use crate::store::{Stored, Transaction};

/// Creating, updating or deleting a cluster or pool.
const WRITE: TimeDelta = TimeDelta::seconds(5);
/// Starting or stopping a cluster.
const POWER: TimeDelta = TimeDelta::seconds(30);

impl Service {
    /// The catalogue in force in `tx`.
    async fn catalogue_in(&self, tx: &mut dyn Transaction) -> Result<Arc<Catalogue>, ServiceError> {
        Ok(self.catalogue.edition(tx).await?.1)
    }

    /// A plan of an operation that takes `duration`, where such operations take time at all.
    fn plan(
        &self,
        action: Action,
        scope: OperationScope,
        request: UpgradeRequest,
        duration: TimeDelta,
    ) -> Plan {
        let zero = self.settings.operation_durations == OperationDurations::Zero;
        let duration = if zero { TimeDelta::zero() } else { duration };
        Plan { guid: self.ids.next(), action, scope, request, duration }
    }

    /// Begins `plan` on a cluster, or on its pool `resource`.
    async fn begin(
        &self,
        tx: &mut dyn Transaction,
        cluster: &mut ManagedCluster,
        resource: &ResourceId,
        plan: Plan,
        writes: &mut ClusterWrites,
    ) -> Result<Operation, ServiceError> {
        let catalogue = self.catalogue_in(tx).await?;
        let (now, real) = (self.clock.now(), self.clock.real_now());
        let ids = self.ids.as_ref();
        Ok(writes.begin(cluster, resource, plan, None, &catalogue, now, real, ids))
    }

    /// Gives new pools that are made from a snapshot its image.
    async fn apply_snapshots(
        &self,
        tx: &mut dyn Transaction,
        pools: &mut [AgentPool],
    ) -> Result<(), ServiceError> {
        for pool in pools {
            let Some(source) = pool.snapshot() else { continue };
            let refused = |problem: &str| {
                let message =
                    format!("Agent pool {} is to be made from {source}, which {problem}.", pool.name);
                Refusal::at(Code::InvalidParameter, "creationData.sourceResourceId", message)
            };
            let id = source.parse::<ResourceId>().map_err(|_| refused("is no resource id"))?;
            let found = find::<Snapshot>(tx, &id).await?;
            let image = found.map(|snapshot| snapshot.entity.image);
            let image = image.ok_or_else(|| refused("does not exist"))?;
            if image.family != pool.image.family {
                return Err(refused("is of another operating system").into());
            }
            pool.image = image;
        }
        Ok(())
    }

    /// Writes a cluster and all that belongs to its change, and commits. Its tag afterwards.
    async fn save_cluster(
        &self,
        mut tx: Box<dyn Transaction>,
        stored: Stored<ManagedCluster>,
        writes: ClusterWrites,
    ) -> Result<ETag, ServiceError> {
        let (key, before) = (stored.id.key(), stored.etag);
        let clusters = std::iter::once(stored);
        let tags = writes.flush(tx.as_mut(), clusters, self.clock.now(), self.ids.as_ref()).await?;
        self.commit(tx).await?;
        Ok(tags.get(&key).copied().unwrap_or(before))
    }
}

/// The cluster that a child's id is under, for a PUT or list of children.
async fn parent_cluster(
    tx: &mut dyn Transaction,
    child: &ResourceId,
) -> Result<Stored<ManagedCluster>, ServiceError> {
    let found = cluster_around(tx, child).await?;
    found.ok_or_else(|| match child.parent() {
        Some(parent) => ServiceError::parent_not_found(&parent),
        None => ServiceError::not_found(child),
    })
}

/// The cluster that a child's id is under, if it exists.
async fn cluster_around(
    tx: &mut dyn Transaction,
    child: &ResourceId,
) -> Result<Option<Stored<ManagedCluster>>, ServiceError> {
    match child.parent() {
        Some(cluster) => Ok(find::<ManagedCluster>(tx, &cluster).await?),
        None => Ok(None),
    }
}

/// Refuses an operation on what another one keeps busy.
fn check_free(what: &ResourceId, busy: Option<Busy>) -> Result<(), Refusal> {
    let Some(busy) = busy else { return Ok(()) };
    let until = busy.until.map(|until| format!(" until {}", to_rfc3339(until))).unwrap_or_default();
    Err(Refusal::new(
        Code::OperationNotAllowed,
        format!("{what} takes no other operation while {} is in progress{until}.", busy.operation),
    ))
}

/// What an operation that goes with its cluster or pool is told.
fn canceled(what: &ResourceId) -> OperationError {
    OperationError { code: "OperationCanceled".to_owned(), message: format!("{what} is being deleted.") }
}

/// The running deletion, where there is one.
async fn running_deletion(
    tx: &mut dyn Transaction,
    cluster: &ManagedCluster,
    scope: &OperationScope,
) -> Result<Option<Operation>, ServiceError> {
    let running = cluster.operations.iter().find(|one| one.action == Action::Delete && one.scope == *scope);
    let Some(running) = running else { return Ok(None) };
    let record = tx.get(crate::store::Kind::Operation, &Operation::key(running.guid)).await?;
    Ok(record.map(crate::store::Record::decode::<Operation>).transpose()?.map(|stored| stored.entity))
}

/// The cluster as the answer to a long-running write shows it: in flight, even where that took no time.
fn in_flight(mut cluster: ManagedCluster, state: ProvisioningState) -> ManagedCluster {
    cluster.lifecycle.state = state;
    cluster
}

/// Whether a write is refused because the cluster is going away.
fn check_not_deleting(cluster: &ManagedCluster, now: Timestamp) -> Result<(), Refusal> {
    if cluster.lifecycle.state == ProvisioningState::Deleting {
        check_free(&cluster.id, cluster.busy(now))?;
    }
    Ok(())
}
