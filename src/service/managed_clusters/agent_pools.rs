//! Agent pools: parts of their cluster's document with tags of their own.

use super::{
    WRITE, canceled, check_free, check_not_deleting, cluster_around, parent_cluster, running_deletion,
};
use crate::cluster::writes::ClusterWrites;
use crate::domain::etag::{ETag, Preconditions, Verb};
use crate::domain::lifecycle::ProvisioningState;
use crate::domain::managed_cluster::{
    AgentPool, ManagedCluster, OperationScope, Plan, PoolMode, PoolSpec, create_pool, replace_pool,
};
use crate::domain::observed_cluster::{PoolUpgrade, UpgradeRequest};
use crate::domain::operation::{Action, Operation};
use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::service::resource::{Outcome, find};
use crate::service::{Service, ServiceError};
use crate::store::{Access, Stored, Transaction};

/// A pool with the cluster it is part of.
#[derive(Clone, Debug)]
pub struct PoolOnCluster {
    /// The cluster.
    pub cluster: ManagedCluster,
    /// The pool.
    pub pool: AgentPool,
}

/// The answer to a write of a pool.
#[derive(Clone, Debug)]
pub struct WrittenPool {
    /// The pool as answered.
    pub pool: PoolOnCluster,
    /// Whether it is new.
    pub outcome: Outcome,
    /// The operation.
    pub operation: Operation,
}

impl WrittenPool {
    /// Its tag.
    pub fn etag(&self) -> ETag {
        self.pool.pool.etag
    }
}

impl Service {
    /// A pool.
    ///
    /// # Errors
    /// `ParentResourceNotFound` is not told apart: `ResourceNotFound`; storage's.
    pub async fn agent_pool(&self, id: &ResourceId) -> Result<PoolOnCluster, ServiceError> {
        let mut tx = self.store.begin(Access::Read).await?;
        let cluster = cluster_around(tx.as_mut(), id).await?.ok_or_else(|| ServiceError::not_found(id))?;
        on_cluster(cluster.entity, id)
    }

    /// A cluster, for the list of its pools.
    ///
    /// # Errors
    /// `ParentResourceNotFound`, or storage's.
    pub async fn cluster_of_children(&self, cluster: &ResourceId) -> Result<ManagedCluster, ServiceError> {
        let mut tx = self.store.begin(Access::Read).await?;
        let found = find::<ManagedCluster>(tx.as_mut(), cluster).await?;
        Ok(found.ok_or_else(|| ServiceError::parent_not_found(cluster))?.entity)
    }

    /// Creates or replaces a pool.
    ///
    /// # Errors
    /// `ParentResourceNotFound`; `PreconditionFailed`; what `decode` and the domain find wrong with the body;
    /// `QuotaExceeded` for too many pools; `OperationNotAllowed` while an operation keeps the pool busy, and for what
    /// needs the nodes of a stopped cluster; storage's.
    pub async fn put_agent_pool(
        &self,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce() -> Result<PoolSpec, Refusal> + Send,
    ) -> Result<WrittenPool, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let mut stored = parent_cluster(tx.as_mut(), id).await?;
        preconditions.check(Verb::Put, stored.pool(id.name()).map(|pool| pool.etag))?;
        let spec = decode()?;
        let now = self.clock.now();
        let catalogue = self.catalogue_in(tx.as_mut()).await?;
        let exists = stored.pool(id.name()).is_some();
        let (action, request) = if exists {
            let replaced = replace_pool(&stored, spec, &catalogue, now)?;
            check_free(id, stored.pool_busy(id.name(), now))?;
            stored.entity = replaced.cluster;
            (Action::Update, replaced.request)
        } else {
            let mut pool = create_pool(&stored, spec, &catalogue, now, self.ids.as_ref())?;
            self.apply_snapshots(tx.as_mut(), std::slice::from_mut(&mut pool)).await?;
            check_free(id, stored.pool_busy(id.name(), now))?;
            stored.entity.pools.push(pool);
            (Action::Create, UpgradeRequest::default())
        };
        let plan = self.plan(action, scope_of(&stored, id), request, WRITE);
        let outcome = if exists { Outcome::Replaced } else { Outcome::Created };
        self.begin_on_pool(tx, stored, id, plan, ClusterWrites::default(), outcome).await
    }

    /// Deletes a pool. `None`: there was none.
    ///
    /// # Errors
    /// `PreconditionFailed`; `OperationNotAllowed` for the last System pool, and while the cluster has an operation
    /// under way; storage's.
    pub async fn delete_agent_pool(
        &self,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<Option<WrittenPool>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let Some(mut stored) = cluster_around(tx.as_mut(), id).await? else { return Ok(None) };
        let Some(pool) = stored.pool(id.name()).cloned() else { return Ok(None) };
        preconditions.check(Verb::Delete, Some(pool.etag))?;
        let scope = scope_of(&stored, id);
        if let Some(operation) = running_deletion(tx.as_mut(), &stored, &scope).await? {
            let pool = on_cluster(stored.entity, id)?;
            return Ok(Some(WrittenPool { pool, outcome: Outcome::Replaced, operation }));
        }
        check_not_last_system_pool(&stored, &pool)?;
        let mut writes = ClusterWrites::default();
        let canceled = stored.entity.cancel(&scope, &canceled(id), self.ids.as_ref());
        writes.advanced(&stored, &canceled);
        check_free(id, stored.pool_busy(id.name(), self.clock.now()))?;
        let plan = self.plan(Action::Delete, scope, UpgradeRequest::default(), WRITE);
        let written = self.begin_on_pool(tx, stored, id, plan, writes, Outcome::Replaced).await?;
        Ok(Some(written))
    }

    /// Upgrades a pool to its region's newest image; where it has that, nothing is left to do.
    ///
    /// # Errors
    /// `ResourceNotFound`, `PreconditionFailed`, `OperationNotAllowed` while an operation keeps the pool busy, and on a
    /// stopped cluster; storage's.
    pub async fn upgrade_node_image(
        &self,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<Operation, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let stored = cluster_around(tx.as_mut(), id).await?.ok_or_else(|| ServiceError::not_found(id))?;
        let pool = stored.pool(id.name()).cloned().ok_or_else(|| ServiceError::not_found(id))?;
        preconditions.check(Verb::Patch, Some(pool.etag))?;
        let now = self.clock.now();
        check_free(id, stored.pool_busy(id.name(), now))?;
        stored.check_running("upgrading its pools")?;
        let catalogue = self.catalogue_in(tx.as_mut()).await?;
        let image = catalogue.newest_image(&pool.image.family, &stored.region(), now);
        let upgrade = PoolUpgrade { name: pool.name, version: None, image, drop_snapshot: false };
        let request = UpgradeRequest { pools: vec![upgrade], ..UpgradeRequest::default() };
        let plan = self.plan(Action::Upgrade, scope_of(&stored, id), request, WRITE);
        let writes = ClusterWrites::default();
        Ok(self.begin_on_pool(tx, stored, id, plan, writes, Outcome::Replaced).await?.operation)
    }

    async fn begin_on_pool(
        &self,
        mut tx: Box<dyn Transaction>,
        mut stored: Stored<ManagedCluster>,
        id: &ResourceId,
        plan: Plan,
        mut writes: ClusterWrites,
        outcome: Outcome,
    ) -> Result<WrittenPool, ServiceError> {
        check_not_deleting(&stored, self.clock.now())?;
        if plan.action != Action::Delete {
            self.check_group_stays(tx.as_mut(), id).await?;
        }
        let before = on_cluster(stored.entity.clone(), id)?;
        let state = match plan.action {
            Action::Create => ProvisioningState::Creating,
            Action::Delete => ProvisioningState::Deleting,
            _ => ProvisioningState::Updating,
        };
        let cluster = &mut stored.entity;
        let operation = self.begin(tx.as_mut(), cluster, id, plan, &mut writes).await?;
        // The answer shows the pool in flight, even where that took no time and a deleted one is gone.
        let mut pool = on_cluster(cluster.clone(), id).unwrap_or(before);
        pool.pool.lifecycle.state = state;
        self.save_cluster(tx, stored, writes).await?;
        Ok(WrittenPool { pool, outcome, operation })
    }
}

/// The pool's scope under its name as it was first written, so that later changes find it.
fn scope_of(cluster: &ManagedCluster, id: &ResourceId) -> OperationScope {
    OperationScope::Pool(cluster.pool(id.name()).map_or(id.name(), |pool| &pool.name).to_owned())
}

pub(super) fn on_cluster(cluster: ManagedCluster, id: &ResourceId) -> Result<PoolOnCluster, ServiceError> {
    let pool = cluster.pool(id.name()).cloned().ok_or_else(|| ServiceError::not_found(id))?;
    Ok(PoolOnCluster { cluster, pool })
}

fn check_not_last_system_pool(cluster: &ManagedCluster, pool: &AgentPool) -> Result<(), Refusal> {
    let others = cluster.pools.iter().filter(|other| other.name != pool.name);
    let another = others.into_iter().any(|other| other.mode == PoolMode::System);
    if pool.mode == PoolMode::System && !another {
        let message = format!(
            "{} is the last System pool of {}; a cluster needs one. Add another first.",
            pool.name, cluster.id
        );
        return Err(Refusal::at(Code::OperationNotAllowed, "agentPoolName", message));
    }
    Ok(())
}
