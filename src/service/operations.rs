//! Long-running operations: begun with the write they belong to, ended when their time has come.

use chrono::TimeDelta;

use super::{OperationDurations, Service, ServiceError};
use crate::domain::operation::{Action, Operation, OperationStatus};
use crate::domain::resource_id::ResourceId;
use crate::store::{Entity, Kind, Locator, NewRecord, StoreError, Transaction, WorkKind};

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

impl Service {
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
        let mut tx = self.store.begin(crate::store::Access::Read).await?;
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
