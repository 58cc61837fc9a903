//! Resource groups: written by users, made implicitly by what is put into them, removed with all that is in them.

use chrono::TimeDelta;

use super::resource::{Outcome, Written, find};
use super::{CallContext, Service, ServiceError};
use crate::domain::lifecycle::ProvisioningState;
use crate::domain::operation::{Action, Operation};
use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_group::{ResourceGroup, ResourceGroupSpec};
use crate::domain::resource_id::ResourceId;
use crate::domain::system_data::SystemData;
use crate::store::{Access, Entity, Kind, Locator, StoreError, Stored, Transaction};

/// How long the deletion of a group takes.
const DURATION: TimeDelta = TimeDelta::seconds(5);

impl Entity for ResourceGroup {
    const KIND: Kind = Kind::ResourceGroup;

    fn locator(&self) -> Locator {
        Locator::from(&self.id)
    }
}

impl Service {
    /// Creates or replaces a group.
    ///
    /// # Errors
    /// What is wrong with the body, `OperationNotAllowed` while it is being deleted, or storage's.
    pub async fn put_resource_group(
        &self,
        context: &CallContext,
        id: &ResourceId,
        decode: impl FnOnce(Option<&ResourceGroup>) -> Result<ResourceGroupSpec, Refusal> + Send,
    ) -> Result<Written<ResourceGroup>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let existing = find::<ResourceGroup>(tx.as_mut(), id).await?;
        let spec = decode(existing.as_deref())?;
        let version = existing.as_ref().map(|stored| stored.version);
        let now = self.clock.now();
        let entity = match existing {
            None => ResourceGroup::create(id.clone(), spec, SystemData::created(&context.principal, now)),
            Some(stored) => {
                stored.lifecycle.check_writable(id)?;
                let group = stored.entity.replaced(spec);
                let system_data = group.system_data.clone().modified(&context.principal, now);
                ResourceGroup { system_data, ..group }
            }
        };
        let etag = self.save(tx.as_mut(), &entity, version).await?;
        self.commit(tx).await?;
        let outcome = if version.is_some() { Outcome::Replaced } else { Outcome::Created };
        Ok(Written { entity, etag, outcome, operation: None })
    }

    /// Deletes a group with everything in it. A delete that is under way is answered again.
    ///
    /// # Errors
    /// `ResourceGroupNotFound`, or storage's.
    pub async fn delete_resource_group(&self, id: &ResourceId) -> Result<Operation, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let existing = find::<ResourceGroup>(tx.as_mut(), id).await?.ok_or_else(|| not_found(id))?;
        if let Some(operation) = self.running_delete(tx.as_mut(), &existing.lifecycle).await? {
            return Ok(operation);
        }
        let work = (Action::Delete, ProvisioningState::Deleting);
        let begun = self.begin_write(tx.as_mut(), id, &existing.location, work, DURATION).await?;
        if begun.stored.state == ProvisioningState::Deleting {
            let group = ResourceGroup { lifecycle: begun.stored, ..existing.entity };
            self.save(tx.as_mut(), &group, Some(existing.version)).await?;
        } else {
            self.remove_group(tx.as_mut(), id, existing.version).await?;
        }
        self.commit(tx).await?;
        Ok(begun.operation)
    }

    /// Ends the deletion of a group whose time has come.
    ///
    /// # Errors
    /// Storage's.
    pub(super) async fn finish_group_deletion(
        &self,
        tx: &mut dyn Transaction,
        id: &ResourceId,
    ) -> Result<(), StoreError> {
        match find::<ResourceGroup>(tx, id).await? {
            Some(group) => self.remove_group(tx, id, group.version).await,
            None => Ok(()),
        }
    }

    /// Removes a group's record and everything in it; runs elsewhere learn that their clusters are gone.
    ///
    /// # Errors
    /// Storage's.
    async fn remove_group(
        &self,
        tx: &mut dyn Transaction,
        id: &ResourceId,
        version: i64,
    ) -> Result<(), StoreError> {
        let clusters = tx.children(Kind::ManagedCluster, &id.key()).await?;
        let clusters: Vec<String> = clusters.into_iter().map(|cluster| cluster.key).collect();
        tx.delete_below(&id.key()).await?;
        tx.delete(&id.key(), version).await?;
        tx.touch_clusters(&clusters, self.clock.now()).await
    }

    /// The group that a resource is to be written into, if it is there.
    ///
    /// # Errors
    /// `ResourceGroupNotFound` where it is not, and groups are not made implicitly; storage's.
    pub async fn group_for_write(
        &self,
        tx: &mut dyn Transaction,
        resource: &ResourceId,
    ) -> Result<Option<Stored<ResourceGroup>>, ServiceError> {
        let id = resource.group().expect("the resource is in a group");
        let group = find::<ResourceGroup>(tx, &id).await?;
        if group.is_none() && self.settings.strict_resource_groups {
            return Err(not_found(&id));
        }
        Ok(group)
    }

    /// Makes the group that [`Service::group_for_write`] did not find.
    ///
    /// # Errors
    /// `OperationNotAllowed` where the group is being deleted, `InvalidResourceName`, or storage's.
    pub async fn ensure_group(
        &self,
        tx: &mut dyn Transaction,
        context: &CallContext,
        group: Option<Stored<ResourceGroup>>,
        resource: &ResourceId,
        location: &str,
    ) -> Result<(), ServiceError> {
        if let Some(group) = group {
            return Ok(group.lifecycle.check_children_writable(&group.id)?);
        }
        let id = resource.group().expect("the resource is in a group");
        let spec = ResourceGroupSpec::implicit(&id, location)?;
        let system_data = SystemData::created(&context.principal, self.clock.now());
        self.save(tx, &ResourceGroup::create(id, spec, system_data), None).await?;
        Ok(())
    }
}

fn not_found(id: &ResourceId) -> ServiceError {
    Refusal::new(
        Code::ResourceGroupNotFound,
        format!("The resource group '{}' was not found. Create it first.", id.name()),
    )
    .into()
}
