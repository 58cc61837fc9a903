//! Making, changing and removing clusters.

use super::{WRITE, canceled, check_free, in_flight, running_deletion};
use crate::cluster::writes::{ClusterWrites, NOT_STORED};
use crate::domain::etag::Preconditions;
use crate::domain::lifecycle::ProvisioningState;
use crate::domain::managed_cluster::{ClusterSpec, ManagedCluster, OperationScope, create, replace};
use crate::domain::names::check_cluster_name;
use crate::domain::observed_cluster::UpgradeRequest;
use crate::domain::operation::Action;
use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_group::ResourceGroup;
use crate::domain::resource_id::ResourceId;
use crate::domain::system_data::SystemData;
use crate::domain::tags::Tags;
use crate::service::resource::{Outcome, Written};
use crate::service::{CallContext, Service, ServiceError};
use crate::store::{Access, Stored, Transaction};

impl Service {
    /// Creates or replaces a cluster.
    ///
    /// # Errors
    /// `PreconditionFailed`; what `decode` and the domain find wrong with the body; `OperationNotAllowed` while an
    /// operation is under way; storage's.
    pub async fn put_managed_cluster(
        &self,
        context: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce() -> Result<ClusterSpec, Refusal> + Send,
    ) -> Result<Written<ManagedCluster>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let group = self.group_around(tx.as_mut(), id).await?;
        let existing = self.existing_for_put::<ManagedCluster>(tx.as_mut(), id, preconditions).await?;
        let spec = decode()?;
        match existing {
            None => self.create_managed_cluster(context, tx, id, group, spec).await,
            Some(existing) => self.replace_managed_cluster(context, tx, existing, spec).await,
        }
    }

    async fn create_managed_cluster(
        &self,
        context: &CallContext,
        mut tx: Box<dyn Transaction>,
        id: &ResourceId,
        group: Option<Stored<ResourceGroup>>,
        spec: ClusterSpec,
    ) -> Result<Written<ManagedCluster>, ServiceError> {
        check_cluster_name(id.name())
            .map_err(|problem| Refusal::at(Code::InvalidResourceName, "resourceName", problem))?;
        let now = self.clock.now();
        let catalogue = self.catalogue_in(tx.as_mut()).await?;
        let system_data = SystemData::created(&context.principal, now);
        let mut entity = create(id.clone(), spec, &catalogue, system_data, now, self.ids.as_ref())?;
        self.apply_snapshots(tx.as_mut(), &mut entity.pools).await?;
        let group = self.writable_group(tx.as_mut(), context, id, group, &entity.location).await?;
        entity.id = group.child("managedClusters", id.name());
        let id = &entity.id.clone();
        let mut writes = ClusterWrites::default();
        let plan = self.plan(Action::Create, OperationScope::Cluster, UpgradeRequest::default(), WRITE);
        let operation = self.begin(tx.as_mut(), &mut entity, id, plan, &mut writes).await?;
        let (etag, version, sequence) = (self.new_etag(), NOT_STORED, 0);
        let stored = Stored { entity: entity.clone(), version, etag, sequence };
        let etag = self.save_cluster(tx, stored, writes).await?;
        let entity = in_flight(entity, ProvisioningState::Creating);
        Ok(Written { entity, etag, outcome: Outcome::Created, operation: Some(operation) })
    }

    async fn replace_managed_cluster(
        &self,
        context: &CallContext,
        mut tx: Box<dyn Transaction>,
        existing: Stored<ManagedCluster>,
        spec: ClusterSpec,
    ) -> Result<Written<ManagedCluster>, ServiceError> {
        let now = self.clock.now();
        let catalogue = self.catalogue_in(tx.as_mut()).await?;
        let replaced = replace(&existing, spec, &catalogue, now, self.ids.as_ref())?;
        self.check_group_stays(tx.as_mut(), &existing.id).await?;
        check_free(&existing.id, existing.busy(now))?;
        let mut entity = replaced.cluster;
        let old = existing.pools.len();
        self.apply_snapshots(tx.as_mut(), &mut entity.pools[old..]).await?;
        entity.system_data = entity.system_data.modified(&context.principal, now);
        let mut writes = ClusterWrites::default();
        let plan = self.plan(Action::Update, OperationScope::Cluster, replaced.request, WRITE);
        let id = existing.entity.id.clone();
        let operation = self.begin(tx.as_mut(), &mut entity, &id, plan, &mut writes).await?;
        let etag = self.save_cluster(tx, Stored { entity: entity.clone(), ..existing }, writes).await?;
        let entity = in_flight(entity, ProvisioningState::Updating);
        Ok(Written { entity, etag, outcome: Outcome::Replaced, operation: Some(operation) })
    }

    /// Replaces a cluster's tags, at once.
    ///
    /// # Errors
    /// `ResourceNotFound`, `PreconditionFailed`, `OperationNotAllowed` while an operation is under way; what `decode`
    /// finds; storage's.
    pub async fn patch_managed_cluster(
        &self,
        context: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce() -> Result<Option<Tags>, Refusal> + Send,
    ) -> Result<Written<ManagedCluster>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let existing = self.existing_for_patch::<ManagedCluster>(tx.as_mut(), id, preconditions).await?;
        let tags = decode()?;
        let now = self.clock.now();
        self.check_group_stays(tx.as_mut(), id).await?;
        check_free(&existing.id, existing.busy(now))?;
        let mut entity = existing.entity.clone();
        entity.tags = tags.unwrap_or(entity.tags);
        entity.system_data = entity.system_data.modified(&context.principal, now);
        let renew = entity.renew_pools(&OperationScope::Cluster, self.ids.as_ref());
        let mut writes = ClusterWrites::default();
        writes.changed(&entity, renew);
        let etag = self.save_cluster(tx, Stored { entity: entity.clone(), ..existing }, writes).await?;
        Ok(Written { entity, etag, outcome: Outcome::Replaced, operation: None })
    }

    /// Deletes a cluster with all that is part of it; what is under way on it is cancelled. `None`: there was none.
    ///
    /// # Errors
    /// `PreconditionFailed`, or storage's.
    pub async fn delete_managed_cluster(
        &self,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<Option<Written<ManagedCluster>>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let existing = self.existing_for_delete::<ManagedCluster>(tx.as_mut(), id, preconditions).await?;
        let Some(mut existing) = existing else { return Ok(None) };
        let scope = OperationScope::Cluster;
        let running = running_deletion(tx.as_mut(), &existing, &scope).await?;
        if let Some(operation) = running {
            let (entity, etag) = (existing.entity, existing.etag);
            let operation = Some(operation);
            return Ok(Some(Written { entity, etag, outcome: Outcome::Replaced, operation }));
        }
        let mut writes = ClusterWrites::default();
        let cluster = &mut existing.entity;
        let error = canceled(&cluster.id);
        let canceled = cluster.cancel(&scope, &error, self.ids.as_ref());
        writes.advanced(cluster, &canceled);
        let plan = self.plan(Action::Delete, scope, UpgradeRequest::default(), WRITE);
        let id = cluster.id.clone();
        let operation = self.begin(tx.as_mut(), cluster, &id, plan, &mut writes).await?;
        let entity = in_flight(cluster.clone(), ProvisioningState::Deleting);
        let etag = self.save_cluster(tx, existing, writes).await?;
        Ok(Some(Written { entity, etag, outcome: Outcome::Replaced, operation: Some(operation) }))
    }
}
