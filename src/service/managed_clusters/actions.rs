//! Starting and stopping clusters, and aborting what is under way on them.

use super::{POWER, check_free, check_not_deleting, cluster_around};
use crate::cluster::writes::ClusterWrites;
use crate::domain::etag::{Preconditions, Verb};
use crate::domain::lifecycle::{OperationError, ProvisioningState};
use crate::domain::managed_cluster::{ManagedCluster, OperationScope};
use crate::domain::observed_cluster::UpgradeRequest;
use crate::domain::operation::{Action, Operation};
use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::service::{Service, ServiceError};
use crate::store::{Access, Stored, Transaction};

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
        self.check_group_stays(tx.as_mut(), id).await?;
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
        let stored = self.existing_for_patch::<ManagedCluster>(tx.as_mut(), id, preconditions).await?;
        let id = stored.id.clone();
        self.abort(tx, stored, &id, OperationScope::Cluster).await
    }

    /// Aborts what is under way on a pool alone. What was done stays; the pool reads Canceled.
    ///
    /// # Errors
    /// `ResourceNotFound`, `PreconditionFailed`, `OperationNotAllowed` where nothing is under way on the pool itself
    /// (an operation of the cluster is aborted there) or it or its cluster is being deleted; storage's.
    pub async fn abort_agent_pool(
        &self,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<Operation, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let stored = cluster_around(tx.as_mut(), id).await?.ok_or_else(|| ServiceError::not_found(id))?;
        let pool = stored.pool(id.name()).ok_or_else(|| ServiceError::not_found(id))?;
        preconditions.check(Verb::Patch, Some(pool.etag))?;
        if pool.lifecycle.state == ProvisioningState::Deleting {
            check_free(id, stored.pool_busy(id.name(), self.clock.now()))?;
        }
        let scope = OperationScope::Pool(pool.name.clone());
        self.abort(tx, stored, id, scope).await
    }

    async fn abort(
        &self,
        mut tx: Box<dyn Transaction>,
        mut stored: Stored<ManagedCluster>,
        id: &ResourceId,
        scope: OperationScope,
    ) -> Result<Operation, ServiceError> {
        self.check_group_stays(tx.as_mut(), id).await?;
        check_not_deleting(&stored, self.clock.now())?;
        let error = OperationError {
            code: "OperationAborted".to_owned(),
            message: "The operation was aborted by request.".to_owned(),
        };
        let aborted = stored.entity.cancel(&scope, &error, self.ids.as_ref());
        if aborted.ended.is_empty() {
            let message = format!("No operation is in progress on {id}: there is nothing to abort.");
            return Err(Refusal::new(Code::OperationNotAllowed, message).into());
        }
        let mut writes = ClusterWrites::default();
        writes.advanced(&stored, &aborted);
        let lifecycle = stored.entity.lifecycle_of(&scope).clone();
        let plan =
            self.plan(Action::Abort, scope.clone(), UpgradeRequest::default(), chrono::TimeDelta::zero());
        let operation = self.begin(tx.as_mut(), &mut stored.entity, id, plan, &mut writes).await?;
        // The abort itself is done at once; what it left behind is what the cluster or the pool shows.
        *stored.entity.lifecycle_of(&scope) = lifecycle;
        self.save_cluster(tx, stored, writes).await?;
        Ok(operation)
    }
}
