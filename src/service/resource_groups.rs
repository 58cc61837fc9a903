//! Resource groups: put, delete, and what a write into one needs of it.

use super::long_running::LongRunning;
use super::resource::{Outcome, Written, find};
use super::{CallContext, Service, ServiceError};
use crate::domain::lifecycle::Lifecycle;
use crate::domain::operation::Operation;
use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_group::{DELETE_DURATION, ResourceGroup, ResourceGroupSpec};
use crate::domain::resource_id::ResourceId;
use crate::domain::system_data::SystemData;
use crate::store::{Access, Entity, Kind, Locator, Record, Stored, Transaction};

impl Entity for ResourceGroup {
    const KIND: Kind = Kind::ResourceGroup;

    fn locator(&self) -> Locator {
        Locator::from(&self.id)
    }
}

impl LongRunning for ResourceGroup {
    fn id(&self) -> &ResourceId {
        &self.id
    }

    fn lifecycle(&self) -> &Lifecycle {
        &self.lifecycle
    }

    fn lifecycle_mut(&mut self) -> &mut Lifecycle {
        &mut self.lifecycle
    }
}

impl Service {
    /// Creates or replaces the group `id`, at once.
    ///
    /// # Errors
    /// A refusal, or storage's: [`StoreError::Exists`](crate::store::StoreError::Exists) where another request creates
    /// it at this moment.
    pub async fn put_resource_group(
        &self,
        call: &CallContext,
        id: &ResourceId,
        decode: impl FnOnce(Option<&ResourceGroup>) -> Result<ResourceGroupSpec, Refusal> + Send,
    ) -> Result<Written<ResourceGroup>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let existing = find::<ResourceGroup>(tx.as_mut(), id).await?;
        let spec = decode(existing.as_ref().map(|stored| &stored.entity))?;
        let (now, by) = (self.clock.now(), &call.principal);
        let (entity, version, outcome) = match existing {
            Some(stored) => {
                stored.lifecycle.check_writable(id)?;
                let group = stored.entity.replaced(spec);
                let system_data = group.system_data.clone().modified(by, now);
                (ResourceGroup { system_data, ..group }, Some(stored.version), Outcome::Replaced)
            }
            None => {
                self.check_offered(tx.as_mut(), &spec.location).await?;
                let group = ResourceGroup::create(id.clone(), spec, SystemData::created(by, now));
                (group, None, Outcome::Created)
            }
        };
        let etag = self.save(tx.as_mut(), &entity, version).await?;
        self.commit(tx).await?;
        Ok(Written { entity, etag, outcome, operation: None })
    }

    /// Changes the group `id`, at once; `decode` reads what it is to be like.
    ///
    /// # Errors
    /// `ResourceGroupNotFound`, what `decode` finds, `OperationNotAllowed` while it is being deleted, or storage's.
    pub async fn patch_resource_group(
        &self,
        call: &CallContext,
        id: &ResourceId,
        decode: impl FnOnce(&ResourceGroup) -> Result<ResourceGroupSpec, Refusal> + Send,
    ) -> Result<ResourceGroup, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let stored = find::<ResourceGroup>(tx.as_mut(), id).await?.ok_or_else(|| group_not_found(id))?;
        let spec = decode(&stored)?;
        stored.lifecycle.check_writable(id)?;
        let group = stored.entity.replaced(spec);
        let system_data = group.system_data.clone().modified(&call.principal, self.clock.now());
        let group = ResourceGroup { system_data, ..group };
        self.save(tx.as_mut(), &group, Some(stored.version)).await?;
        self.commit(tx).await?;
        Ok(group)
    }

    /// Deletes the group `id` with everything in it.
    ///
    /// # Errors
    /// `ResourceGroupNotFound`, or storage's.
    pub async fn delete_resource_group(&self, id: &ResourceId) -> Result<Operation, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let stored = find::<ResourceGroup>(tx.as_mut(), id).await?.ok_or_else(|| group_not_found(id))?;
        let region = stored.location.clone();
        let written = self.delete_in_flight(tx.as_mut(), stored, &region, DELETE_DURATION).await?;
        self.commit(tx).await?;
        written.operation.ok_or_else(|| group_not_found(id))
    }

    /// The group around the top-level resource `id`, before a write of it; `None` where it is still to be made.
    ///
    /// # Errors
    /// `ResourceGroupNotFound` where groups are not made implicitly, or storage's.
    pub async fn group_around(
        &self,
        tx: &mut dyn Transaction,
        id: &ResourceId,
    ) -> Result<Option<Stored<ResourceGroup>>, ServiceError> {
        let group = group_id(id);
        let found = find::<ResourceGroup>(tx, &group).await?;
        if found.is_none() && self.settings.strict_resource_groups {
            return Err(group_not_found(&group));
        }
        Ok(found)
    }

    /// That the group around the resource `id`, which exists, is not being deleted: what is in it can then only be read
    /// and deleted.
    ///
    /// # Errors
    /// `OperationNotAllowed`, or storage's.
    pub async fn check_group_stays(
        &self,
        tx: &mut dyn Transaction,
        id: &ResourceId,
    ) -> Result<(), ServiceError> {
        let found = tx.peek_many(Kind::ResourceGroup, &[group_id(id).key()]).await?.pop();
        if let Some(group) = found.map(Record::decode::<ResourceGroup>).transpose()? {
            group.lifecycle.check_children_writable(&group.id)?;
        }
        Ok(())
    }

    /// Checks that the group found by [`Service::group_around`] may be written into, or makes it, in `location`. Returns
    /// its id, spelled as it was first written.
    ///
    /// # Errors
    /// `OperationNotAllowed` while it is being deleted, `InvalidResourceName`, or storage's.
    pub async fn writable_group(
        &self,
        tx: &mut dyn Transaction,
        call: &CallContext,
        id: &ResourceId,
        found: Option<Stored<ResourceGroup>>,
        location: &str,
    ) -> Result<ResourceId, ServiceError> {
        if let Some(group) = found {
            group.lifecycle.check_children_writable(&group.id)?;
            return Ok(group.entity.id);
        }
        let id = group_id(id);
        let spec = ResourceGroupSpec::implicit(&id, location)?;
        let system_data = SystemData::created(&call.principal, self.clock.now());
        let group = ResourceGroup::create(id, spec, system_data);
        self.save(tx, &group, None).await?;
        Ok(group.id)
    }
}

fn group_id(id: &ResourceId) -> ResourceId {
    id.group().expect("routes place fleets and clusters in resource groups")
}

fn group_not_found(id: &ResourceId) -> ServiceError {
    Refusal::new(Code::ResourceGroupNotFound, format!("The resource group '{}' was not found.", id.name()))
        .into()
}
