//! The simulated clusters: documents in the store whose upgrades take simulated time.
//!
//! Thin: what an upgrade does and when is decided in `domain::managed_cluster`; here documents are read, written and
//! scheduled, all of a call at once. Clusters are locked before their operations, in the order of their keys.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use async_trait::async_trait;
use chrono::TimeDelta;
use uuid::Uuid;

use super::writes::ClusterWrites;
use super::{Clusters, StartOutcome, StartUpgrade, UpgradeOutcome};
use crate::clock::ServiceClock;
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::IdSource;
use crate::domain::lifecycle::OperationError;
use crate::domain::managed_cluster::{ManagedCluster, OperationScope, Plan};
use crate::domain::observed_cluster::{ObservedCluster, PowerState};
use crate::domain::operation::{Action, Operation, OperationStatus};
use crate::domain::resource_id::ResourceId;
use crate::domain::time::Timestamp;
use crate::service::CurrentCatalogue;
use crate::store::{Due, Kind, Record, StoreError, Stored, Transaction, WorkKind};

/// The adapter.
pub struct SimulatedClusters {
    ids: Arc<dyn IdSource>,
    catalogue: Arc<CurrentCatalogue>,
    clock: Arc<ServiceClock>,
}

impl SimulatedClusters {
    /// Clusters whose tags come from `ids` and whose images are `catalogue`'s. Of the clock only the real time is
    /// asked, for how long operation records are kept: simulated instants are arguments.
    pub fn new(ids: Arc<dyn IdSource>, catalogue: Arc<CurrentCatalogue>, clock: Arc<ServiceClock>) -> Self {
        Self { ids, catalogue, clock }
    }

    /// Starts one upgrade on a cluster that was read and locked.
    fn start_one(
        &self,
        stored: &mut Stored<ManagedCluster>,
        upgrade: &StartUpgrade,
        catalogue: &Catalogue,
        now: Timestamp,
        writes: &mut ClusterWrites,
    ) -> StartOutcome {
        if let Some(busy) = stored.busy(now) {
            return StartOutcome::Refused(format!("{} is in progress on the cluster", busy.operation));
        }
        if stored.power == PowerState::Stopped {
            return StartOutcome::Refused("the cluster is stopped".to_owned());
        }
        let plan = Plan {
            guid: upgrade.operation,
            action: Action::Upgrade,
            scope: OperationScope::Cluster,
            request: upgrade.request.clone(),
            duration: TimeDelta::zero(),
        };
        let (resource, run) = (stored.id.clone(), Some(upgrade.run.clone()));
        let cluster = &mut stored.entity;
        writes.begin(cluster, &resource, plan, run, catalogue, now, self.clock.real_now(), self.ids.as_ref());
        StartOutcome::Started
    }
}

#[async_trait]
impl Clusters for SimulatedClusters {
    async fn observe(
        &self,
        tx: &mut dyn Transaction,
        clusters: &[String],
        now: Timestamp,
    ) -> Result<BTreeMap<String, ObservedCluster>, StoreError> {
        let records = tx.peek_many(Kind::ManagedCluster, clusters).await?;
        let observed = |record: Record| {
            let key = record.key.clone();
            Ok((key, record.decode::<ManagedCluster>()?.entity.observe(now)))
        };
        records.into_iter().map(observed).collect()
    }

    async fn start(
        &self,
        tx: &mut dyn Transaction,
        upgrades: &[StartUpgrade],
        now: Timestamp,
    ) -> Result<Vec<StartOutcome>, StoreError> {
        let clusters: BTreeSet<String> = upgrades.iter().map(|upgrade| upgrade.cluster.clone()).collect();
        let mut stored = locked(tx, clusters).await?;
        let started = peek_operations(tx, upgrades.iter().map(|upgrade| upgrade.operation)).await?;
        let (_, catalogue) = self.catalogue.edition(tx).await?;
        let mut writes = ClusterWrites::default();
        let mut outcomes = Vec::with_capacity(upgrades.len());
        for upgrade in upgrades {
            outcomes.push(match stored.get_mut(&upgrade.cluster) {
                _ if started.contains_key(&upgrade.operation) => StartOutcome::AlreadyStarted,
                None => StartOutcome::Refused("the cluster does not exist any more".to_owned()),
                Some(cluster) => self.start_one(cluster, upgrade, &catalogue, now, &mut writes),
            });
        }
        writes.flush(tx, stored.into_values(), now, self.ids.as_ref()).await?;
        Ok(outcomes)
    }

    async fn outcomes(
        &self,
        tx: &mut dyn Transaction,
        operations: &[Uuid],
    ) -> Result<BTreeMap<Uuid, UpgradeOutcome>, StoreError> {
        let operations = peek_operations(tx, operations.iter().copied()).await?;
        Ok(operations.into_iter().map(|(guid, operation)| (guid, outcome(operation))).collect())
    }

    async fn advance(&self, tx: &mut dyn Transaction, due: &[Due], now: Timestamp) -> Result<(), StoreError> {
        let keys: Vec<String> = due.iter().map(|due| due.key.clone()).collect();
        let operations = tx.peek_many(Kind::Operation, &keys).await?;
        let operations = operations.into_iter().map(Record::decode::<Operation>);
        let operations = operations.collect::<Result<Vec<_>, _>>()?;
        let clusters = operations.iter().filter_map(|operation| cluster_of(&operation.resource)).collect();
        let mut stored = locked(tx, clusters).await?;
        let mut writes = ClusterWrites::default();
        for cluster in stored.values_mut() {
            let advanced = cluster.entity.advance(now, self.ids.as_ref());
            writes.advanced(cluster, &advanced);
        }
        let next: BTreeMap<String, Timestamp> = stored
            .values()
            .flat_map(|cluster| &cluster.operations)
            .filter_map(|operation| Some((Operation::key(operation.guid), operation.next_due()?)))
            .collect();
        let over: Vec<String> = keys.iter().filter(|key| !next.contains_key(*key)).cloned().collect();
        let going_on: Vec<(String, Option<Timestamp>)> =
            keys.into_iter().filter_map(|key| next.get(&key).map(|at| (key, Some(*at)))).collect();
        tx.schedule_many(WorkKind::Operation, &going_on).await?;
        tx.unschedule(WorkKind::Operation, &over).await?;
        writes.flush(tx, stored.into_values(), now, self.ids.as_ref()).await?;
        Ok(())
    }
}

/// The cluster that an operation's resource is or belongs to.
fn cluster_of(resource: &ResourceId) -> Option<String> {
    match resource.type_path().as_str() {
        "managedClusters" => Some(resource.key()),
        "managedClusters/agentPools" => resource.parent().map(|cluster| cluster.key()),
        _ => None,
    }
}

async fn locked(
    tx: &mut dyn Transaction,
    keys: BTreeSet<String>,
) -> Result<BTreeMap<String, Stored<ManagedCluster>>, StoreError> {
    let keys: Vec<String> = keys.into_iter().collect();
    let records = tx.get_many(Kind::ManagedCluster, &keys).await?;
    records.into_iter().map(|record| Ok((record.key.clone(), record.decode()?))).collect()
}

async fn peek_operations(
    tx: &mut dyn Transaction,
    guids: impl Iterator<Item = Uuid>,
) -> Result<BTreeMap<Uuid, Operation>, StoreError> {
    let keys: Vec<String> = guids.map(Operation::key).collect();
    let records = tx.peek_many(Kind::Operation, &keys).await?;
    let decoded = records.into_iter().map(|record| Ok(record.decode::<Operation>()?.entity));
    decoded.map(|operation| operation.map(|operation| (operation.guid, operation))).collect()
}

fn outcome(operation: Operation) -> UpgradeOutcome {
    let at = operation.end_time.unwrap_or(operation.start_time);
    match operation.status {
        OperationStatus::InProgress => UpgradeOutcome::InProgress,
        OperationStatus::Succeeded => UpgradeOutcome::Succeeded { at },
        OperationStatus::Failed | OperationStatus::Canceled => {
            let error = operation.error.unwrap_or_else(|| OperationError {
                code: "OperationCanceled".to_owned(),
                message: "The operation was canceled.".to_owned(),
            });
            UpgradeOutcome::Failed { at, error }
        }
    }
}

#[cfg(test)]
mod tests;
