//! Long-running operations: begun with the write they belong to, ended when their time has come.

use std::collections::BTreeMap;

use chrono::TimeDelta;

use super::resource::find;
use super::{OperationDurations, Service, ServiceError};
use crate::domain::fleet::Fleet;
use crate::domain::lifecycle::Lifecycle;
use crate::domain::member::Member;
use crate::domain::operation::{Action, Operation, OperationStatus};
use crate::domain::resource_id::ResourceId;
use crate::domain::time::Timestamp;
use crate::store::{
    Access, Due, Entity, Kind, Locator, NewRecord, StoreError, Stored, Transaction, Update, WorkKind,
};

impl Entity for Operation {
    const KIND: Kind = Kind::Operation;

    /// By GUID alone, so that it is found whatever region the polling URL names; its parent is its resource.
    fn locator(&self) -> Locator {
        Locator {
            key: Self::key(self.guid),
            parent: self.resource.key(),
            name: self.guid.to_string(),
            ..Locator::from(&self.id)
        }
    }
}

impl Operation {
    /// The record's key.
    pub fn key(guid: uuid::Uuid) -> String {
        format!("/operations/{guid}")
    }
}

/// A resource whose writes are long-running operations that end at one instant.
pub trait LongRunning: Entity {
    /// Where it stands.
    fn lifecycle_mut(&mut self) -> &mut Lifecycle;
}

impl LongRunning for Fleet {
    fn lifecycle_mut(&mut self) -> &mut Lifecycle {
        &mut self.lifecycle
    }
}

impl LongRunning for Member {
    fn lifecycle_mut(&mut self) -> &mut Lifecycle {
        &mut self.lifecycle
    }
}

/// How many operations are looked at in one transaction.
const BATCH: u32 = 500;

impl Service {
    /// Does what operations have due at `now`, in one transaction; how many had something.
    ///
    /// # Errors
    /// Storage's; then all of it is still due.
    pub async fn finish_due_operations(&self, now: Timestamp) -> Result<usize, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let due = tx.due(WorkKind::Operation, now, BATCH).await?;
        if due.is_empty() {
            return Ok(0);
        }
        let keys: Vec<String> = due.iter().map(|due| due.key.clone()).collect();
        let mut others = BTreeMap::new();
        for record in tx.peek_many(Kind::Operation, &keys).await? {
            let operation = record.decode::<Operation>()?;
            if !operation.resource.type_path().starts_with("managedClusters") {
                others.insert(Operation::key(operation.guid), operation);
            }
        }
        let (own, clusters): (Vec<Due>, Vec<Due>) =
            due.iter().cloned().partition(|due| others.contains_key(&due.key));
        if !clusters.is_empty() {
            self.clusters.advance(tx.as_mut(), &clusters, now).await?;
        }
        for due in own {
            if let Some(operation) = others.remove(&due.key) {
                self.finish_operation(tx.as_mut(), operation, now).await?;
            }
        }
        tx.commit(true).await?;
        Ok(due.len())
    }

    /// Ends an operation that is due, unless something has superseded it.
    async fn finish_operation(
        &self,
        tx: &mut dyn Transaction,
        operation: Stored<Operation>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        tx.unschedule(WorkKind::Operation, &Operation::key(operation.guid)).await?;
        match operation.resource.type_path().as_str() {
            "fleets" => self.finish::<Fleet>(tx, &operation).await?,
            "fleets/members" => self.finish::<Member>(tx, &operation).await?,
            // A resource group: the only operation on one is its deletion.
            "" => self.finish_group_deletion(tx, &operation.resource).await?,
            _ => {}
        }
        let (version, etag) = (operation.version, operation.etag);
        let ended = operation.entity.ended(OperationStatus::Succeeded, None, now);
        tx.update(&[Update::of(&ended, version, etag)]).await
    }

    async fn finish<E: LongRunning>(
        &self,
        tx: &mut dyn Transaction,
        operation: &Operation,
    ) -> Result<(), StoreError> {
        let Some(mut stored) = find::<E>(tx, &operation.resource).await? else { return Ok(()) };
        if stored.entity.lifecycle_mut().operation != Some(operation.guid) {
            return Ok(());
        }
        if operation.action == Action::Delete {
            let key = operation.resource.key();
            tx.delete_below(&key).await?;
            return tx.delete(&key, stored.version).await;
        }
        let lifecycle = stored.entity.lifecycle_mut();
        *lifecycle = lifecycle.clone().finished();
        self.save(tx, &stored.entity, Some(stored.version)).await.map(|_| ())
    }

    /// Begins an operation on `resource` that takes `duration` of simulated time; with [`OperationDurations::Zero`]
    /// it is over at once. The record is part of `tx`.
    ///
    /// # Errors
    /// Storage's.
    pub async fn begin_operation(
        &self,
        tx: &mut dyn Transaction,
        action: Action,
        resource: &ResourceId,
        region: &str,
        duration: TimeDelta,
    ) -> Result<Operation, StoreError> {
        let now = self.clock.now();
        let guid = self.ids.next();
        let mut operation = Operation {
            id: Operation::id_of(resource, region, guid),
            guid,
            resource: resource.clone(),
            action,
            status: OperationStatus::InProgress,
            start_time: now,
            end_time: None,
            error: None,
            recorded_at: self.clock.real_now(),
            run: None,
        };
        if self.settings.operation_durations == OperationDurations::Zero {
            operation = operation.ended(OperationStatus::Succeeded, None, now);
        } else {
            tx.schedule(WorkKind::Operation, &Operation::key(guid), Some(now + duration)).await?;
        }
        tx.insert(&[NewRecord::of(&operation, self.new_etag())]).await?;
        Ok(operation)
    }

    /// A fresh eTag.
    pub fn new_etag(&self) -> crate::domain::etag::ETag {
        crate::domain::etag::ETag(self.ids.next())
    }

    /// The operation with this GUID in this subscription.
    ///
    /// # Errors
    /// `ResourceNotFound`, or storage's.
    pub async fn operation(&self, id: &ResourceId) -> Result<Operation, ServiceError> {
        let mut tx = self.store.begin(Access::Read).await?;
        let guid = id.name().parse().map_err(|_| ServiceError::not_found(id))?;
        let found = tx.get(Kind::Operation, &Operation::key(guid)).await?;
        let operation = found.ok_or_else(|| ServiceError::not_found(id))?.decode::<Operation>()?.entity;
        if operation.resource.subscription_id().eq_ignore_ascii_case(id.subscription_id()) {
            Ok(operation)
        } else {
            Err(ServiceError::not_found(id))
        }
    }
}
