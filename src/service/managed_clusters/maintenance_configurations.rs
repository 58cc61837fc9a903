//! Maintenance configurations: written at once; runs that wait for the cluster's window look again.

use serde_json::{Map, Value};

use super::{check_not_deleting, cluster_around, parent_cluster};
use crate::cluster::writes::ClusterWrites;
use crate::domain::etag::{Preconditions, Verb};
use crate::domain::managed_cluster::{
    ConfigurationName, MaintenanceConfiguration, MaintenanceSpec, read_maintenance_window,
};
use crate::domain::refusal::Refusal;
use crate::domain::resource_id::ResourceId;
use crate::domain::system_data::SystemData;
use crate::service::resource::Outcome;
use crate::service::{CallContext, Service, ServiceError};
use crate::store::Access;

/// The answer to a read or write of a configuration.
#[derive(Clone, Debug)]
pub struct WrittenConfiguration {
    /// Its cluster.
    pub cluster: ResourceId,
    /// Its name.
    pub name: ConfigurationName,
    /// What it is.
    pub configuration: MaintenanceConfiguration,
    /// Whether it is new.
    pub outcome: Outcome,
}

impl Service {
    /// A configuration.
    ///
    /// # Errors
    /// `ResourceNotFound`, or storage's.
    pub async fn maintenance_configuration(
        &self,
        id: &ResourceId,
    ) -> Result<WrittenConfiguration, ServiceError> {
        let mut tx = self.store.begin(Access::Read).await?;
        let missing = || ServiceError::not_found(id);
        let name: ConfigurationName = id.name().parse().map_err(|_| missing())?;
        let stored = cluster_around(tx.as_mut(), id).await?.ok_or_else(missing)?;
        let configuration = stored.maintenance.get(&name).cloned().ok_or_else(missing)?;
        let cluster = stored.id.clone();
        Ok(WrittenConfiguration { cluster, name, configuration, outcome: Outcome::Replaced })
    }

    /// Creates or replaces a configuration.
    ///
    /// # Errors
    /// `ParentResourceNotFound`; `PreconditionFailed`; what is wrong with the name or body; storage's.
    pub async fn put_maintenance_configuration(
        &self,
        context: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce() -> Result<Map<String, Value>, Refusal> + Send,
    ) -> Result<WrittenConfiguration, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let mut stored = parent_cluster(tx.as_mut(), id).await?;
        let known: Result<ConfigurationName, Refusal> = id.name().parse();
        let existing = known.as_ref().ok().and_then(|name| stored.maintenance.get(name)).cloned();
        preconditions.check(Verb::Put, existing.as_ref().map(|existing| existing.etag))?;
        let (name, body, now) = (known?, decode()?, self.clock.now());
        let MaintenanceSpec { window, envelope, properties } =
            read_maintenance_window(name, body, existing.as_ref(), now)?;
        self.check_group_stays(tx.as_mut(), id).await?;
        check_not_deleting(&stored, now)?;
        let outcome = if existing.is_some() { Outcome::Replaced } else { Outcome::Created };
        let system_data = match existing {
            None => SystemData::created(&context.principal, now),
            Some(existing) => existing.system_data.modified(&context.principal, now),
        };
        let etag = self.new_etag();
        let configuration = MaintenanceConfiguration { etag, window, envelope, properties, system_data };
        stored.entity.maintenance.insert(name, configuration.clone());
        let mut writes = ClusterWrites::default();
        writes.changed(&stored, false);
        writes.touch(&stored);
        let cluster = stored.id.clone();
        self.save_cluster(tx, stored, writes).await?;
        Ok(WrittenConfiguration { cluster, name, configuration, outcome })
    }

    /// Deletes a configuration; `false`: there was none.
    ///
    /// # Errors
    /// `PreconditionFailed`, or storage's.
    pub async fn delete_maintenance_configuration(
        &self,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<bool, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let Ok(name) = id.name().parse::<ConfigurationName>() else { return Ok(false) };
        let Some(mut stored) = cluster_around(tx.as_mut(), id).await? else { return Ok(false) };
        let Some(existing) = stored.entity.maintenance.remove(&name) else { return Ok(false) };
        preconditions.check(Verb::Delete, Some(existing.etag))?;
        let mut writes = ClusterWrites::default();
        writes.changed(&stored, false);
        writes.touch(&stored);
        self.save_cluster(tx, stored, writes).await?;
        Ok(true)
    }
}
