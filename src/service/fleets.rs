//! Fleets: put, patch, delete.

use super::long_running::LongRunning;
use super::resource::{Outcome, Written};
use super::{CallContext, Service, ServiceError};
use crate::domain::etag::Preconditions;
use crate::domain::fleet::{Fleet, FleetGrants, FleetPatch, FleetSpec};
use crate::domain::kubernetes_version::KubernetesVersion;
use crate::domain::lifecycle::Lifecycle;
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

impl LongRunning for Fleet {
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
    /// Creates or replaces the fleet `id`; `decode` reads the body against what is there.
    ///
    /// # Errors
    /// A refusal, or storage's: [`StoreError::Exists`] where another request creates it at this moment.
    pub async fn put_fleet(
        &self,
        call: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce(Option<&Fleet>) -> Result<FleetSpec, Refusal> + Send,
    ) -> Result<Written<Fleet>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let group = self.group_around(tx.as_mut(), id).await?;
        let existing = self.existing_for_put::<Fleet>(tx.as_mut(), id, preconditions).await?;
        let spec = decode(existing.as_ref().map(|stored| &stored.entity))?;
        if existing.is_none() {
            self.check_offered(tx.as_mut(), &spec.location).await?;
        }
        let group = self.writable_group(tx.as_mut(), call, id, group, &spec.location).await?;
        let (now, by) = (self.clock.now(), &call.principal);
        let hub_is_new = existing.as_ref().is_none_or(|fleet| fleet.hub_profile.is_none());
        let hub_version = match spec.hub {
            Some(_) if hub_is_new => self.hub_version(tx.as_mut(), &spec.location).await?,
            _ => None,
        };
        let grants = FleetGrants { principal: self.ids.next(), hub_version };
        let (fleet, version) = match existing {
            Some(stored) => {
                stored.lifecycle.check_writable(id)?;
                let fleet = stored.entity.replaced(spec, grants);
                (
                    Fleet { system_data: fleet.system_data.clone().modified(by, now), ..fleet },
                    Some(stored.version),
                )
            }
            None => {
                let id = group.child("fleets", id.name());
                let system_data = SystemData::created(by, now);
                (Fleet::create(id, spec, grants, system_data, Lifecycle::succeeded()), None)
            }
        };
        let (region, duration) = (fleet.location.clone(), fleet.operation_duration());
        let written = self.save_in_flight(tx.as_mut(), fleet, version, &region, duration).await?;
        self.commit(tx).await?;
        Ok(written)
    }

    /// Changes the fleet `id`: its tags at once, its identity by an operation.
    ///
    /// # Errors
    /// A refusal, or storage's.
    pub async fn patch_fleet(
        &self,
        call: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce(&Fleet) -> Result<FleetPatch, Refusal> + Send,
    ) -> Result<Written<Fleet>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let stored = self.existing_for_patch::<Fleet>(tx.as_mut(), id, preconditions).await?;
        let patch = decode(&stored)?;
        self.check_group_stays(tx.as_mut(), id).await?;
        stored.lifecycle.check_writable(id)?;
        let takes_time = patch.identity.is_some();
        let fleet = stored.entity.patched(patch, self.ids.next());
        let system_data = fleet.system_data.clone().modified(&call.principal, self.clock.now());
        let fleet = Fleet { system_data, ..fleet };
        let written = if takes_time {
            let (region, duration) = (fleet.location.clone(), fleet.operation_duration());
            self.save_in_flight(tx.as_mut(), fleet, Some(stored.version), &region, duration).await?
        } else {
            let etag = self.save(tx.as_mut(), &fleet, Some(stored.version)).await?;
            Written { entity: fleet, etag, outcome: Outcome::Replaced, operation: None }
        };
        self.commit(tx).await?;
        Ok(written)
    }

    /// Deletes the fleet `id` with everything in it; `None` where there is none.
    ///
    /// # Errors
    /// `PreconditionFailed`, or storage's.
    pub async fn delete_fleet(
        &self,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<Option<Written<Fleet>>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let Some(stored) = self.existing_for_delete::<Fleet>(tx.as_mut(), id, preconditions).await? else {
            return Ok(None);
        };
        let (region, duration) = (stored.location.clone(), stored.operation_duration());
        let written = self.delete_in_flight(tx.as_mut(), stored, &region, duration).await?;
        self.commit(tx).await?;
        Ok(Some(written))
    }

    /// What a hub that is made now runs.
    async fn hub_version(
        &self,
        tx: &mut dyn Transaction,
        region: &str,
    ) -> Result<Option<KubernetesVersion>, StoreError> {
        let (_, catalogue) = self.catalogue.edition(tx).await?;
        Ok(catalogue.default_version(region, self.clock.now()))
    }
}
