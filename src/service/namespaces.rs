//! Managed namespaces: put, patch, delete, all long-running.

use super::long_running::LongRunning;
use super::resource::Written;
use super::{CallContext, Service, ServiceError};
use crate::domain::etag::Preconditions;
use crate::domain::fleet::{Fleet, HubProfile};
use crate::domain::lifecycle::Lifecycle;
use crate::domain::namespace::{
    CLUSTER_NAMES, ManagedNamespace, NamespacePatch, NamespaceSettings, NamespaceSpec, OPERATION_DURATION,
    cluster_names,
};
use crate::domain::refusal::{Code, Faults, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::domain::system_data::SystemData;
use crate::store::{Access, Entity, Kind, Locator, Transaction};

impl Entity for ManagedNamespace {
    const KIND: Kind = Kind::ManagedNamespace;

    fn locator(&self) -> Locator {
        Locator::from(&self.id)
    }
}

impl LongRunning for ManagedNamespace {
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
    /// Creates or replaces the namespace `id`.
    ///
    /// # Errors
    /// A refusal (`HubProfileRequired` where the fleet is hubless), or storage's:
    /// [`StoreError::Exists`](crate::store::StoreError::Exists) where another request creates it at this moment.
    pub async fn put_managed_namespace(
        &self,
        call: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce(Option<&ManagedNamespace>) -> Result<NamespaceSpec, Refusal> + Send,
    ) -> Result<Written<ManagedNamespace>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let fleet = self.parent::<Fleet>(tx.as_mut(), id).await?;
        let existing = self.existing_for_put::<ManagedNamespace>(tx.as_mut(), id, preconditions).await?;
        let spec = decode(existing.as_ref().map(|stored| &stored.entity))?;
        if existing.is_none() {
            self.check_offered(tx.as_mut(), &spec.location).await?;
        }
        let hub = hub_of(&fleet)?;
        let named = match &existing {
            Some(stored) => newly_named(&stored.settings, &spec.settings),
            None => cluster_names(&spec.settings),
        };
        check_named_members(tx.as_mut(), &fleet.id, &named).await?;
        self.check_children_writable(tx.as_mut(), &fleet).await?;
        let (now, by) = (self.clock.now(), &call.principal);
        let (id, system_data, version) = match existing {
            Some(stored) => {
                stored.lifecycle.check_writable(id)?;
                (stored.entity.id, stored.entity.system_data.modified(by, now), Some(stored.version))
            }
            None => (fleet.id.child("managedNamespaces", id.name()), SystemData::created(by, now), None),
        };
        let NamespaceSpec { location, tags, settings } = spec;
        let (portal_fqdn, lifecycle) = (hub.portal_fqdn.clone(), Lifecycle::succeeded());
        let region = location.clone();
        let namespace =
            ManagedNamespace { id, location, tags, settings, portal_fqdn, lifecycle, system_data };
        let written =
            self.save_in_flight(tx.as_mut(), namespace, version, &region, OPERATION_DURATION).await?;
        self.commit(tx).await?;
        Ok(written)
    }

    /// Changes tags and settings of the namespace `id`.
    ///
    /// # Errors
    /// A refusal, or storage's.
    pub async fn patch_managed_namespace(
        &self,
        call: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce(&ManagedNamespace) -> Result<NamespacePatch, Refusal> + Send,
    ) -> Result<Written<ManagedNamespace>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let stored = self.existing_for_patch::<ManagedNamespace>(tx.as_mut(), id, preconditions).await?;
        let patch = decode(&stored)?;
        let fleet = id.parent().expect("a namespace is in a fleet");
        check_named_members(tx.as_mut(), &fleet, &newly_named(&stored.settings, &patch.settings)).await?;
        self.check_fleet_stays(tx.as_mut(), id).await?;
        stored.lifecycle.check_writable(id)?;
        let namespace = stored.entity.patched(patch);
        let system_data = namespace.system_data.clone().modified(&call.principal, self.clock.now());
        let namespace = ManagedNamespace { system_data, ..namespace };
        let (version, region) = (Some(stored.version), namespace.location.clone());
        let written =
            self.save_in_flight(tx.as_mut(), namespace, version, &region, OPERATION_DURATION).await?;
        self.commit(tx).await?;
        Ok(written)
    }

    /// Deletes the namespace `id`; `None` where there is none.
    ///
    /// # Errors
    /// `PreconditionFailed`, or storage's.
    pub async fn delete_managed_namespace(
        &self,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<Option<Written<ManagedNamespace>>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let stored = self.existing_for_delete::<ManagedNamespace>(tx.as_mut(), id, preconditions).await?;
        let Some(stored) = stored else { return Ok(None) };
        let region = stored.location.clone();
        let written = self.delete_in_flight(tx.as_mut(), stored, &region, OPERATION_DURATION).await?;
        self.commit(tx).await?;
        Ok(Some(written))
    }
}

/// The hub that a namespace lives on.
fn hub_of(fleet: &Fleet) -> Result<&HubProfile, Refusal> {
    fleet.hub_profile.as_ref().ok_or_else(|| {
        let message = format!(
            "Managed namespaces live on a fleet's hub, and the fleet '{}' has none. Add a hubProfile to it first.",
            fleet.id.name()
        );
        Refusal::new(Code::HubProfileRequired, message)
    })
}

/// What `after` names that `before` does not: a write is not refused for a member that has left since.
fn newly_named<'a>(before: &NamespaceSettings, after: &'a NamespaceSettings) -> Vec<&'a str> {
    let before = cluster_names(before);
    cluster_names(after).into_iter().filter(|name| !before.contains(name)).collect()
}

/// That every member a namespace is placed on by name is one of the fleet's.
async fn check_named_members(
    tx: &mut dyn Transaction,
    fleet: &ResourceId,
    names: &[&str],
) -> Result<(), ServiceError> {
    let keys: Vec<String> = names.iter().map(|name| fleet.child("members", name).key()).collect();
    let found = tx.peek_many(Kind::Member, &keys).await?;
    let mut faults = Faults::new();
    for (name, key) in names.iter().zip(&keys) {
        if !found.iter().any(|member| member.key == *key) {
            let message = format!("The fleet has no member '{name}'. Name members that have joined it.");
            faults.add(Code::InvalidParameter, CLUSTER_NAMES, message);
        }
    }
    Ok(faults.finish()?)
}
