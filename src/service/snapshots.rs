//! Snapshots of agent pools: written at once.

use super::resource::{Outcome, Written, find};
use super::{CallContext, Service, ServiceError};
use crate::domain::etag::Preconditions;
use crate::domain::managed_cluster::{ClusterSpec, ManagedCluster};
use crate::domain::names::check_cluster_name;
use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::domain::snapshot::{Snapshot, source_of};
use crate::domain::system_data::SystemData;
use crate::domain::tags::Tags;
use crate::store::{Access, Entity, Kind, Locator};

impl Entity for Snapshot {
    const KIND: Kind = Kind::Snapshot;

    fn locator(&self) -> Locator {
        Locator::from(&self.id)
    }
}

impl Service {
    /// Takes a snapshot, or replaces an existing one's tags.
    ///
    /// # Errors
    /// `PreconditionFailed`; what `decode` and the domain find wrong with the body; storage's.
    pub async fn put_snapshot(
        &self,
        context: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce() -> Result<ClusterSpec, Refusal> + Send,
    ) -> Result<Written<Snapshot>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let group = self.group_around(tx.as_mut(), id).await?;
        let existing = self.existing_for_put::<Snapshot>(tx.as_mut(), id, preconditions).await?;
        let (spec, now) = (decode()?, self.clock.now());
        let (version, outcome) = match &existing {
            Some(stored) => (Some(stored.version), Outcome::Replaced),
            None => (None, Outcome::Created),
        };
        let entity = match existing {
            Some(stored) => {
                let mut snapshot = stored.entity.replaced(spec)?;
                self.check_group_stays(tx.as_mut(), id).await?;
                snapshot.system_data = snapshot.system_data.modified(&context.principal, now);
                snapshot
            }
            None => {
                check_cluster_name(id.name())
                    .map_err(|problem| Refusal::at(Code::InvalidResourceName, "resourceName", problem))?;
                let source = source_of(&spec)?;
                let cluster = match source.parent() {
                    Some(cluster) => find::<ManagedCluster>(tx.as_mut(), &cluster).await?,
                    None => None,
                };
                let found =
                    cluster.as_ref().and_then(|cluster| Some((cluster, cluster.pool(source.name())?)));
                let (cluster, pool) = found.ok_or_else(|| {
                    let target = "properties.creationData.sourceResourceId";
                    Refusal::at(Code::InvalidParameter, target, format!("{source} does not exist."))
                })?;
                let (_, catalogue) = self.catalogue.edition(tx.as_mut()).await?;
                let system_data = SystemData::created(&context.principal, now);
                let snapshot = Snapshot::take(id.clone(), spec, cluster, pool, &catalogue, system_data)?;
                let group = self.writable_group(tx.as_mut(), context, id, group, &snapshot.location).await?;
                // In the group's own casing, whatever the URL's.
                Snapshot { id: group.child("snapshots", id.name()), ..snapshot }
            }
        };
        let etag = self.save(tx.as_mut(), &entity, version).await?;
        self.commit(tx).await?;
        Ok(Written { entity, etag, outcome, operation: None })
    }

    /// Replaces a snapshot's tags.
    ///
    /// # Errors
    /// `ResourceNotFound`, `PreconditionFailed`; what `decode` finds; storage's.
    pub async fn patch_snapshot(
        &self,
        context: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce() -> Result<Option<Tags>, Refusal> + Send,
    ) -> Result<Written<Snapshot>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let stored = self.existing_for_patch::<Snapshot>(tx.as_mut(), id, preconditions).await?;
        let (tags, version, mut entity) = (decode()?, stored.version, stored.entity);
        self.check_group_stays(tx.as_mut(), id).await?;
        entity.tags = tags.unwrap_or(entity.tags);
        entity.system_data = entity.system_data.modified(&context.principal, self.clock.now());
        let etag = self.save(tx.as_mut(), &entity, Some(version)).await?;
        self.commit(tx).await?;
        Ok(Written { entity, etag, outcome: Outcome::Replaced, operation: None })
    }

    /// Deletes a snapshot; pools made from it keep their image. `false`: there was none.
    ///
    /// # Errors
    /// `PreconditionFailed`, or storage's.
    pub async fn delete_snapshot(
        &self,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<bool, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let existing = self.existing_for_delete::<Snapshot>(tx.as_mut(), id, preconditions).await?;
        let Some(stored) = existing else { return Ok(false) };
        tx.delete(&id.key(), stored.version).await?;
        self.commit(tx).await?;
        Ok(true)
    }
}
