//! What changes of clusters come to in the store: their documents, their operations' records, the schedule, and word to
//! the runs they are in.
//!
//! Collected first and written at once, so that a call on a thousand clusters costs a few statements. Whoever changes a
//! cluster, the simulation or a user, writes it through here, so that nobody forgets a part.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use crate::domain::catalogue::Catalogue;
use crate::domain::etag::ETag;
use crate::domain::ids::IdSource;
use crate::domain::managed_cluster::{Advanced, EndedOperation, ManagedCluster, Plan};
use crate::domain::operation::{Operation, OperationStatus};
use crate::domain::resource_id::ResourceId;
use crate::domain::time::Timestamp;
use crate::store::{
    Entity, Kind, Locator, NewRecord, Record, StoreError, Stored, Transaction, Update, WorkKind,
};

impl Entity for ManagedCluster {
    const KIND: Kind = Kind::ManagedCluster;

    fn locator(&self) -> Locator {
        Locator::from(&self.id)
    }
}

/// Changes that are not written yet.
#[derive(Debug, Default)]
pub(crate) struct ClusterWrites {
    changed: BTreeSet<String>,
    renewed: BTreeSet<String>,
    gone: BTreeSet<String>,
    touched: BTreeSet<String>,
    begun: Vec<Operation>,
    ended: Vec<EndedOperation>,
    due: BTreeMap<Timestamp, Vec<String>>,
}

impl ClusterWrites {
    /// Notes that a cluster's document changed, and whether its own tag is to be renewed.
    pub(crate) fn changed(&mut self, cluster: &ManagedCluster, renew: bool) {
        let key = cluster.id.key();
        if renew {
            self.renewed.insert(key.clone());
        }
        self.changed.insert(key);
    }

    /// Notes that runs should look at a cluster again.
    pub(crate) fn touch(&mut self, cluster: &ManagedCluster) {
        self.touched.insert(cluster.id.key());
    }

    /// Notes what time passing, or a cancellation, did to a cluster.
    pub(crate) fn advanced(&mut self, cluster: &ManagedCluster, advanced: &Advanced) {
        if advanced.changed {
            self.changed(cluster, advanced.renew);
        }
        if !advanced.ended.is_empty() {
            self.touch(cluster);
            self.ended.extend(advanced.ended.iter().cloned());
        }
        if advanced.gone {
            self.gone.insert(cluster.id.key());
        }
    }

    /// Begins an operation on a cluster, or on the pool that is `resource`; the operation as it is then.
    #[expect(
        clippy::too_many_arguments,
        reason = "the plan, and all that a pure decision takes as arguments"
    )]
    pub(crate) fn begin(
        &mut self,
        cluster: &mut ManagedCluster,
        resource: &ResourceId,
        plan: Plan,
        run: Option<String>,
        catalogue: &Catalogue,
        now: Timestamp,
        recorded_at: Timestamp,
        ids: &dyn IdSource,
    ) -> Operation {
        let mut operation = Operation {
            id: Operation::id_of(resource, &cluster.region(), plan.guid),
            guid: plan.guid,
            resource: resource.clone(),
            action: plan.action,
            status: OperationStatus::InProgress,
            start_time: now,
            end_time: None,
            error: None,
            recorded_at,
            run,
        };
        let mut begun = cluster.begin(plan, catalogue, now, ids);
        let own = |ended: &EndedOperation| ended.guid == operation.guid;
        let end = begun.advanced.ended.iter().position(own).map(|i| begun.advanced.ended.remove(i));
        self.advanced(cluster, &begun.advanced);
        if let Some(ended) = end {
            self.touch(cluster);
            operation = operation.ended(ended.status, ended.error, now);
        }
        if let Some(at) = begun.next_due {
            self.wake(operation.guid, at);
        }
        self.begun.push(operation.clone());
        operation
    }

    /// Makes an operation due at an instant, where it is not due earlier.
    pub(crate) fn wake(&mut self, operation: Uuid, at: Timestamp) {
        self.due.entry(at).or_default().push(Operation::key(operation));
    }

    /// Writes everything about `clusters`, which were read and locked in `tx`, and those of them that are new, at
    /// version 0. Nothing that takes runs' work rows may have come before in `tx`. The new tags are returned.
    ///
    /// # Errors
    /// Storage's.
    pub(crate) async fn flush(
        self,
        tx: &mut dyn Transaction,
        clusters: impl Iterator<Item = Stored<ManagedCluster>> + Send,
        now: Timestamp,
        ids: &dyn IdSource,
    ) -> Result<BTreeMap<String, ETag>, StoreError> {
        let (mut inserts, mut updates, mut tags) = (Vec::new(), Vec::new(), BTreeMap::new());
        let mut removals = Vec::new();
        for stored in clusters {
            let key = stored.id.key();
            if self.gone.contains(&key) {
                removals.push((key, stored.version));
            } else if self.changed.contains(&key) {
                let etag = if self.renewed.contains(&key) { ETag(ids.next()) } else { stored.etag };
                tags.insert(key, etag);
                if stored.version == NOT_STORED {
                    inserts.push(NewRecord::of(&stored.entity, etag));
                } else {
                    updates.push(Update::of(&stored.entity, stored.version, etag));
                }
            }
        }
        tx.insert(&inserts).await?;
        tx.update(&updates).await?;
        for (key, version) in removals {
            // One that never was stored (made and removed at once) is not there to be removed.
            if version != NOT_STORED {
                tx.delete_below(&key).await?;
                tx.delete(&key, version).await?;
            }
        }
        let begun: Vec<NewRecord> =
            self.begun.iter().map(|operation| NewRecord::of(operation, ETag(ids.next()))).collect();
        tx.insert(&begun).await?;
        end_operations(tx, self.ended, now, ids).await?;
        for (at, operations) in self.due {
            tx.wake(WorkKind::Operation, &operations, at).await?;
        }
        let touched: Vec<String> = self.touched.into_iter().collect();
        if !touched.is_empty() {
            tx.touch_clusters(&touched, now).await?;
        }
        Ok(tags)
    }
}

/// The version of a cluster that is not in the store yet.
pub(crate) const NOT_STORED: i64 = 0;

async fn end_operations(
    tx: &mut dyn Transaction,
    ended: Vec<EndedOperation>,
    now: Timestamp,
    ids: &dyn IdSource,
) -> Result<(), StoreError> {
    if ended.is_empty() {
        return Ok(());
    }
    let mut ended: BTreeMap<String, EndedOperation> =
        ended.into_iter().map(|one| (Operation::key(one.guid), one)).collect();
    let keys: Vec<String> = ended.keys().cloned().collect();
    let mut updates = Vec::new();
    for record in tx.get_many(Kind::Operation, &keys).await? {
        let Some(end) = ended.remove(&record.key) else { continue };
        let stored = Record::decode::<Operation>(record)?;
        let operation = stored.entity.ended(end.status, end.error, now);
        updates.push(Update::of(&operation, stored.version, ETag(ids.next())));
    }
    tx.update(&updates).await
}
