//! Operations whose time has come: the scheduler's way in.

use std::collections::HashSet;

use chrono::TimeDelta;

use super::{Service, ServiceError};
use crate::domain::operation::{Operation, OperationStatus};
use crate::domain::time::Timestamp;
use crate::store::{Access, Due, Kind, Record, StoreError, Stored, Transaction, WorkKind};

/// How many operations are looked at in one transaction.
const BATCH: u32 = 500;

/// How long the record of an ended operation is kept, in real time (the ARM protocol: long-running operations).
const KEPT: TimeDelta = TimeDelta::hours(24);

impl Service {
    /// Does what operations have due at `now`; how many were looked at. Where that is 0, nothing is due any more.
    ///
    /// # Errors
    /// Storage's.
    pub async fn finish_due_operations(
        &self,
        tx: &mut dyn Transaction,
        now: Timestamp,
    ) -> Result<usize, StoreError> {
        let due = tx.due(WorkKind::Operation, now, BATCH).await?;
        if due.is_empty() {
            return Ok(0);
        }
        let keys: Vec<String> = due.iter().map(|due| due.key.clone()).collect();
        // Not locked: a deletion locks its resource before the operation it cancels, and so do we, below.
        let records = tx.peek_many(Kind::Operation, &keys).await?;
        let operations: Vec<Stored<Operation>> =
            records.into_iter().map(Record::decode).collect::<Result<_, _>>()?;
        let (clusters, mut own): (Vec<_>, Vec<_>) =
            operations.into_iter().partition(|operation| is_on_cluster(operation));
        let on_clusters: HashSet<String> =
            clusters.iter().map(|operation| Operation::key(operation.guid)).collect();
        let looked_at = due.len();
        let (clusters_due, own_due): (Vec<Due>, Vec<Due>) =
            due.into_iter().partition(|due| on_clusters.contains(&due.key));
        if !clusters_due.is_empty() {
            self.clusters.advance(tx, &clusters_due, now).await?;
        }
        let own_due: Vec<String> = own_due.into_iter().map(|due| due.key).collect();
        tx.unschedule(WorkKind::Operation, &own_due).await?;
        // Outer resources first, the order in which requests lock them.
        own.sort_by_key(|operation| operation.resource.type_path());
        let mut touched = Vec::new();
        for operation in own {
            touched.extend(self.finish_operation(tx, operation).await?);
        }
        if !touched.is_empty() {
            tx.touch_clusters(&touched, now).await?;
        }
        Ok(looked_at)
    }

    /// Removes the records of operations that ended and began more than 24 hours of real time ago; how many.
    ///
    /// # Errors
    /// Storage's; then nothing was removed.
    pub async fn prune_operations(&self) -> Result<usize, ServiceError> {
        let old = self.ended_long_ago().await?;
        if old.is_empty() {
            return Ok(0);
        }
        let mut tx = self.store.begin(Access::Write).await?;
        for (key, version) in &old {
            tx.delete(key, *version).await?;
        }
        tx.commit(false).await?;
        Ok(old.len())
    }

    /// The first of those operations, by key and version: at most a batch. What never ends stays at the front of all
    /// operations, and hides none behind it.
    async fn ended_long_ago(&self) -> Result<Vec<(String, i64)>, ServiceError> {
        let mut tx = self.store.begin(Access::Read).await?;
        let until = self.clock.real_now() - KEPT;
        let mut after = 0;
        loop {
            let page = tx.created_after(Kind::Operation, after, BATCH).await?;
            let Some(last) = page.last() else { return Ok(Vec::new()) };
            after = last.sequence;
            let operations: Vec<Stored<Operation>> =
                page.into_iter().map(Record::decode).collect::<Result<_, _>>()?;
            let old = operations.iter().take_while(|operation| operation.recorded_at <= until);
            let ended = old.clone().filter(|operation| operation.status != OperationStatus::InProgress);
            let ended: Vec<_> =
                ended.map(|operation| (Operation::key(operation.guid), operation.version)).collect();
            if !ended.is_empty() || old.count() < operations.len() {
                return Ok(ended);
            }
        }
    }
}

fn is_on_cluster(operation: &Operation) -> bool {
    operation.resource.type_path().starts_with("managedClusters")
}
