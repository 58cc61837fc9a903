//! Fleets: made, changed, removed with everything in them.

use chrono::TimeDelta;

use super::resource::{Outcome, Written};
use super::{CallContext, Service, ServiceError};
use crate::domain::etag::Preconditions;
use crate::domain::fleet::{Fleet, FleetGrants, FleetPatch, FleetSpec};
use crate::domain::lifecycle::ProvisioningState;
use crate::domain::operation::Action;
use crate::domain::refusal::Refusal;
use crate::domain::resource_id::ResourceId;
use crate::domain::system_data::SystemData;
use crate::store::{Access, Entity, Kind, Locator, StoreError, Transaction};

impl Entity for Fleet {
    const KIND: Kind = Kind::Fleet;

    fn locator(&self) -> Locator {
        Locator::from(&self.id)
    }
}

impl Service {
    /// Creates or replaces a fleet, and its resource group where that is missing and may be. `decode` reads the body
    /// once existence and preconditions are checked.
    ///
    /// # Errors
    /// `ResourceGroupNotFound`, `PreconditionFailed`, what is wrong with the body, `OperationNotAllowed` while another
    /// operation is under way, or storage's.
    pub async fn put_fleet(
        &self,
        context: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce(Option<&Fleet>) -> Result<FleetSpec, Refusal> + Send,
    ) -> Result<Written<Fleet>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let group = self.group_for_write(tx.as_mut(), id).await?;
        let existing = self.existing_for_put::<Fleet>(tx.as_mut(), id, preconditions).await?;
        let spec = decode(existing.as_deref())?;
        let version = existing.as_ref().map(|stored| stored.version);
        if let Some(fleet) = &existing {
            fleet.lifecycle.check_writable(id)?;
        }
        // In the group's own casing, whatever the URL's.
        let own_id = group.as_ref().map_or_else(|| id.clone(), |group| group.id.child("fleets", id.name()));
        self.ensure_group(tx.as_mut(), context, group, id, &spec.location).await?;
        let work = if existing.is_some() {
            (Action::Update, ProvisioningState::Updating)
        } else {
            (Action::Create, ProvisioningState::Creating)
        };
        let begun =
            self.begin_write(tx.as_mut(), id, &spec.location, work, duration(spec.hub.is_some())).await?;
        let grants = self.fleet_grants(tx.as_mut(), &spec.location).await?;
        let now = self.clock.now();
        let mut entity = match existing {
            None => {
                let system_data = SystemData::created(&context.principal, now);
                Fleet::create(own_id, spec, grants, system_data, begun.stored)
            }
            Some(stored) => {
                let fleet = stored.entity.replaced(spec, grants);
                let system_data = fleet.system_data.clone().modified(&context.principal, now);
                Fleet { system_data, lifecycle: begun.stored, ..fleet }
            }
        };
        let etag = self.save(tx.as_mut(), &entity, version).await?;
        self.commit(tx).await?;
        entity.lifecycle = begun.shown;
        let outcome = if version.is_some() { Outcome::Replaced } else { Outcome::Created };
        Ok(Written { entity, etag, outcome, operation: Some(begun.operation) })
    }

    /// Changes tags at once, an identity by an operation.
    ///
    /// # Errors
    /// `ResourceNotFound`, `PreconditionFailed`, what is wrong with the body, `OperationNotAllowed`, or storage's.
    pub async fn patch_fleet(
        &self,
        context: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce(&Fleet) -> Result<FleetPatch, Refusal> + Send,
    ) -> Result<Written<Fleet>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let existing = self.existing_for_patch::<Fleet>(tx.as_mut(), id, preconditions).await?;
        let patch = decode(&existing)?;
        existing.lifecycle.check_writable(id)?;
        let version = existing.version;
        let begun = if patch.identity.is_some() {
            let (region, hub) = (existing.location.clone(), existing.hub_profile.is_some());
            let work = (Action::Update, ProvisioningState::Updating);
            Some(self.begin_write(tx.as_mut(), id, &region, work, duration(hub)).await?)
        } else {
            None
        };
        let fleet = existing.entity.patched(patch, self.ids.next());
        let system_data = fleet.system_data.clone().modified(&context.principal, self.clock.now());
        let lifecycle = begun.as_ref().map_or_else(|| fleet.lifecycle.clone(), |begun| begun.stored.clone());
        let mut entity = Fleet { system_data, lifecycle, ..fleet };
        let etag = self.save(tx.as_mut(), &entity, Some(version)).await?;
        self.commit(tx).await?;
        let operation = begun.map(|begun| {
            entity.lifecycle = begun.shown;
            begun.operation
        });
        Ok(Written { entity, etag, outcome: Outcome::Replaced, operation })
    }

    /// Deletes a fleet and its children; `None`: there was none.
    ///
    /// # Errors
    /// `PreconditionFailed`, or storage's.
    pub async fn delete_fleet(
        &self,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<Option<Written<Fleet>>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let Some(existing) = self.existing_for_delete::<Fleet>(tx.as_mut(), id, preconditions).await? else {
            return Ok(None);
        };
        let outcome = Outcome::Replaced;
        if let Some(operation) = self.running_delete(tx.as_mut(), &existing.lifecycle).await? {
            let (entity, etag) = (existing.entity, existing.etag);
            return Ok(Some(Written { entity, etag, outcome, operation: Some(operation) }));
        }
        self.cancel_operation(tx.as_mut(), &existing.lifecycle).await?;
        let work = (Action::Delete, ProvisioningState::Deleting);
        let hub = existing.hub_profile.is_some();
        let begun = self.begin_write(tx.as_mut(), id, &existing.location, work, duration(hub)).await?;
        let entity = Fleet { lifecycle: begun.shown, ..existing.entity };
        let etag = self.save(tx.as_mut(), &entity, Some(existing.version)).await?;
        if begun.stored.state != ProvisioningState::Deleting {
            remove_fleet(tx.as_mut(), id, existing.version + 1).await?;
        }
        self.commit(tx).await?;
        Ok(Some(Written { entity, etag, outcome, operation: Some(begun.operation) }))
    }

    async fn fleet_grants(&self, tx: &mut dyn Transaction, region: &str) -> Result<FleetGrants, StoreError> {
        let (_, catalogue) = self.catalogue.edition(tx).await?;
        let hub_version = catalogue.default_version(region, self.clock.now());
        Ok(FleetGrants { principal: self.ids.next(), hub_version })
    }
}

/// Removes a fleet's record and everything below it.
async fn remove_fleet(tx: &mut dyn Transaction, id: &ResourceId, version: i64) -> Result<(), StoreError> {
    tx.delete_below(&id.key()).await?;
    tx.delete(&id.key(), version).await
}

/// How long an operation on a fleet takes.
fn duration(has_hub: bool) -> TimeDelta {
    TimeDelta::seconds(if has_hub { 60 } else { 1 })
}
