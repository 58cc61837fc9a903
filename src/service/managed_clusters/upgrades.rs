//! What clusters and pools can be upgraded to.

use super::{agent_pools, cluster_around};
use crate::domain::kubernetes_version::KubernetesVersion;
use crate::domain::managed_cluster::{AgentPool, ManagedCluster};
use crate::domain::node_image::NodeImage;
use crate::domain::resource_id::ResourceId;
use crate::service::resource::find;
use crate::service::{Service, ServiceError};
use crate::store::Access;

/// A version to go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Upgrade {
    /// Which.
    pub version: KubernetesVersion,
    /// Whether it is a preview.
    pub is_preview: bool,
}

/// What a pool can be upgraded to.
#[derive(Clone, Debug)]
pub struct PoolUpgrades {
    /// The pool.
    pub pool: AgentPool,
    /// Versions up to its control plane's.
    pub upgrades: Vec<Upgrade>,
    /// The newest image of its family in its region.
    pub latest_image: Option<NodeImage>,
}

impl Service {
    /// A cluster, and what its control plane can be upgraded to.
    ///
    /// # Errors
    /// `ResourceNotFound`, or storage's.
    pub async fn cluster_upgrades(
        &self,
        id: &ResourceId,
    ) -> Result<(ManagedCluster, Vec<Upgrade>), ServiceError> {
        let mut tx = self.store.begin(Access::Read).await?;
        let stored = find::<ManagedCluster>(tx.as_mut(), id).await?;
        let cluster = stored.ok_or_else(|| ServiceError::not_found(id))?.entity;
        let catalogue = self.catalogue_in(tx.as_mut()).await?;
        let from = cluster.current_version;
        let offered = catalogue.offered_versions(&cluster.region(), self.clock.now());
        let newer = offered
            .iter()
            .filter(|minor| minor.minor <= from.minor_version().next())
            .flat_map(|minor| &minor.patches)
            .filter(|patch| patch.version > from);
        let upgrades = newer.map(|patch| Upgrade { version: patch.version, is_preview: patch.is_preview });
        let upgrades = upgrades.collect();
        Ok((cluster, upgrades))
    }

    /// What a pool can be upgraded to.
    ///
    /// # Errors
    /// `ResourceNotFound`, or storage's.
    pub async fn pool_upgrades(&self, id: &ResourceId) -> Result<PoolUpgrades, ServiceError> {
        let mut tx = self.store.begin(Access::Read).await?;
        let cluster = cluster_around(tx.as_mut(), id).await?.ok_or_else(|| ServiceError::not_found(id))?;
        let found = agent_pools::on_cluster(cluster.entity, id)?;
        let (cluster, pool, now) = (found.cluster, found.pool, self.clock.now());
        let catalogue = self.catalogue_in(tx.as_mut()).await?;
        let reachable = pool.current_version..=cluster.current_version;
        let offered = catalogue.offered_versions(&cluster.region(), now);
        let newer = offered
            .iter()
            .flat_map(|minor| &minor.patches)
            .filter(|patch| patch.version != pool.current_version && reachable.contains(&patch.version));
        let upgrades =
            newer.map(|patch| Upgrade { version: patch.version, is_preview: patch.is_preview }).collect();
        let latest_image = catalogue.newest_image(&pool.image.family, &cluster.region(), now);
        Ok(PoolUpgrades { pool, upgrades, latest_image })
    }
}
