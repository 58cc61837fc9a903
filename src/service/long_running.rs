//! What the long-running writes of fleets, members and resource groups share: the lifecycle to store and to show, and
//! what a delete does to an operation under way.

use chrono::TimeDelta;

use super::{OperationDurations, Service, ServiceError};
use crate::domain::lifecycle::{Lifecycle, ProvisioningState};
use crate::domain::operation::{Action, Operation, OperationStatus};
use crate::domain::resource_id::ResourceId;
use crate::store::{Kind, Record, StoreError, Transaction, Update, WorkKind};

/// A write's operation and the lifecycle it gives the resource.
pub(super) struct Begun {
    /// The operation.
    pub operation: Operation,
    /// What the answer shows: the operation under way, also where it takes no time, for that is what the contract
    /// says of the answer to such a write.
    pub shown: Lifecycle,
    /// What is stored: the same, or, where the operation takes no time, how it ended. The tag is this state's, so that
    /// it serves the next `If-Match`.
    pub stored: Lifecycle,
}

impl Service {
    /// Begins the operation of a write that leaves the resource in `state` until it ends.
    ///
    /// # Errors
    /// Storage's.
    pub(super) async fn begin_write(
        &self,
        tx: &mut dyn Transaction,
        id: &ResourceId,
        region: &str,
        (action, state): (Action, ProvisioningState),
        duration: TimeDelta,
    ) -> Result<Begun, StoreError> {
        let operation = self.begin_operation(tx, action, id, region, duration).await?;
        let shown = Lifecycle::during(state, operation.guid);
        let stored = match self.settings.operation_durations {
            OperationDurations::Zero => shown.clone().finished(),
            OperationDurations::Simulated => shown.clone(),
        };
        Ok(Begun { operation, shown, stored })
    }

    /// Cancels the operation under way on a resource that is to be deleted: the delete wins.
    ///
    /// # Errors
    /// Storage's.
    pub(super) async fn cancel_operation(
        &self,
        tx: &mut dyn Transaction,
        lifecycle: &Lifecycle,
    ) -> Result<(), StoreError> {
        let Some(guid) = lifecycle.operation.filter(|_| lifecycle.state.is_in_flight()) else {
            return Ok(());
        };
        let key = Operation::key(guid);
        tx.unschedule(WorkKind::Operation, &key).await?;
        let Some(stored) =
            tx.get(Kind::Operation, &key).await?.map(Record::decode::<Operation>).transpose()?
        else {
            return Ok(());
        };
        let (version, etag) = (stored.version, stored.etag);
        let ended = stored.entity.ended(OperationStatus::Canceled, None, self.clock.now());
        tx.update(&[Update::of(&ended, version, etag)]).await
    }

    /// The delete that is under way on a resource, for one that is asked for again.
    ///
    /// # Errors
    /// Storage's.
    pub(super) async fn running_delete(
        &self,
        tx: &mut dyn Transaction,
        lifecycle: &Lifecycle,
    ) -> Result<Option<Operation>, ServiceError> {
        let Some(guid) = lifecycle.operation.filter(|_| lifecycle.state == ProvisioningState::Deleting)
        else {
            return Ok(None);
        };
        let found = tx.get(Kind::Operation, &Operation::key(guid)).await?;
        Ok(found.map(Record::decode::<Operation>).transpose()?.map(|stored| stored.entity))
    }
}
