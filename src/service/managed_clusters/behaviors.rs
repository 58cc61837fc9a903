//! What the simulator is told about a cluster.

use crate::cluster::writes::ClusterWrites;
use crate::domain::managed_cluster::{Behavior, ManagedCluster};
use crate::domain::resource_id::ResourceId;
use crate::service::resource::find;
use crate::service::{Service, ServiceError};
use crate::store::Access;

impl Service {
    /// How a cluster behaves; one that was told nothing has the usual behaviour.
    ///
    /// # Errors
    /// `ResourceNotFound` for a missing cluster; storage's.
    pub async fn behavior(&self, cluster: &ResourceId) -> Result<Behavior, ServiceError> {
        let stored = self.read::<ManagedCluster>(cluster).await?;
        Ok(stored.entity.behavior.unwrap_or_default())
    }

    /// Tells a cluster how to behave, or (`None`) to behave as usual. Operations under way keep their timeline, but go
    /// on where they hung and `behavior` does not say to hang.
    ///
    /// # Errors
    /// `ResourceNotFound` for a missing cluster; storage's.
    pub async fn set_behavior(
        &self,
        cluster: &ResourceId,
        behavior: Option<Behavior>,
    ) -> Result<(), ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let found = find::<ManagedCluster>(tx.as_mut(), cluster).await?;
        let mut stored = found.ok_or_else(|| ServiceError::not_found(cluster))?;
        let mut writes = ClusterWrites::default();
        if !behavior.as_ref().is_some_and(|behavior| behavior.hang) {
            for (operation, at) in stored.entity.end_hang(self.clock.now()) {
                writes.wake(operation, at);
            }
        }
        stored.entity.behavior = behavior;
        writes.changed(&stored, false);
        writes.touch(&stored);
        self.save_cluster(tx, stored, writes).await?;
        Ok(())
    }
}
