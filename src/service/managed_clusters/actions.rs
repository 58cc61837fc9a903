//! Starting and stopping clusters, and aborting what is under way on them.

use super::{POWER, check_free, check_not_deleting};
use crate::cluster::writes::ClusterWrites;
use crate::domain::etag::Preconditions;
use crate::domain::lifecycle::OperationError;
use crate::domain::managed_cluster::{ManagedCluster, OperationScope};
use crate::domain::observed_cluster::UpgradeRequest;
use crate::domain::operation::{Action, Operation};
use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::service::{Service, ServiceError};
use crate::store::Access;

impl Service {
    /// Starts or stops a cluster; one that is so already, too: then nothing but time passes.
    ///
    /// # Errors
    /// `ResourceNotFound`, `PreconditionFailed`, `OperationNotAllowed` while an operation is under way; storage's.
    pub async fn power_managed_cluster(
        &self,
        id: &ResourceId,
        preconditions: &Preconditions,
        action: Action,
    ) -> Result<Operation, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let mut stored = self.existing_for_patch::<ManagedCluster>(tx.as_mut(), id, preconditions).await?;
        check_free(&stored.id, stored.busy(self.clock.now()))?;
        let mut writes = ClusterWrites::default();
        let plan = self.plan(action, OperationScope::Cluster, UpgradeRequest::default(), POWER);
        let id = stored.id.clone();
        let operation = self.begin(tx.as_mut(), &mut stored.entity, &id, plan, &mut writes).await?;
        self.save_cluster(tx, stored, writes).await?;
        Ok(operation)
    }

    /// Aborts everything that is under way on a cluster. What was done stays; the cluster reads Canceled.
    ///
    /// # Errors
    /// `ResourceNotFound`, `PreconditionFailed`, `OperationNotAllowed` where nothing is under way or the cluster is
    /// being deleted; storage's.
    pub async fn abort_managed_cluster(
        &self,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<Operation, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let mut stored = self.existing_for_patch::<ManagedCluster>(tx.as_mut(), id, preconditions).await?;
        check_not_deleting(&stored, self.clock.now())?;
        if stored.operations.is_empty() {
            let message = format!("No operation is in progress on {}: there is nothing to abort.", stored.id);
            return Err(Refusal::new(Code::OperationNotAllowed, message).into());
        }
        let mut writes = ClusterWrites::default();
        let scope = OperationScope::Cluster;
        let error = OperationError {
            code: "OperationAborted".to_owned(),
            message: "The operation was aborted by request.".to_owned(),
        };
        let aborted = stored.entity.cancel(&scope, &error, self.ids.as_ref());
        writes.advanced(&stored, &aborted);
        let lifecycle = stored.lifecycle.clone();
        let plan = self.plan(Action::Abort, scope, UpgradeRequest::default(), chrono::TimeDelta::zero());
        let id = stored.id.clone();
        let operation = self.begin(tx.as_mut(), &mut stored.entity, &id, plan, &mut writes).await?;
        // The abort itself is done at once; what it left behind is what the cluster shows.
        stored.entity.lifecycle = lifecycle;
        self.save_cluster(tx, stored, writes).await?;
        Ok(operation)
    }
}
