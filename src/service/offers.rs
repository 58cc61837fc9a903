//! What the catalogue in force offers, for whoever asks.

use super::{Service, ServiceError};
use crate::domain::catalogue::{OfferedMinor, ShownCatalogue, normal_region};
use crate::domain::node_image::NodeImage;
use crate::store::{Access, Transaction};

impl Service {
    /// A region as regions compare.
    ///
    /// # Errors
    /// `LocationNotAvailable` where the catalogue does not know it; storage's.
    pub async fn check_region(&self, region: &str) -> Result<String, ServiceError> {
        let mut tx = self.store.begin(Access::Read).await?;
        let (_, catalogue) = self.catalogue.edition(tx.as_mut()).await?;
        catalogue.check_region(region)?;
        Ok(normal_region(region))
    }

    /// That something new can be made in `region`; what exists stays where it is, whatever the catalogue becomes.
    ///
    /// # Errors
    /// `LocationNotAvailable`; storage's.
    pub(super) async fn check_offered(
        &self,
        tx: &mut dyn Transaction,
        region: &str,
    ) -> Result<(), ServiceError> {
        let (_, catalogue) = self.catalogue.edition(tx).await?;
        Ok(catalogue.check_region(region)?)
    }

    /// The Kubernetes versions that a region offers now.
    ///
    /// # Errors
    /// Storage's.
    pub async fn offered_versions(&self, region: &str) -> Result<Vec<OfferedMinor>, ServiceError> {
        let mut tx = self.store.begin(Access::Read).await?;
        let (_, catalogue) = self.catalogue.edition(tx.as_mut()).await?;
        Ok(catalogue.offered_versions(region, self.clock.now()))
    }

    /// The node images that a region has now.
    ///
    /// # Errors
    /// Storage's.
    pub async fn offered_images(&self, region: &str) -> Result<Vec<NodeImage>, ServiceError> {
        let mut tx = self.store.begin(Access::Read).await?;
        let (_, catalogue) = self.catalogue.edition(tx.as_mut()).await?;
        Ok(catalogue.offered_images(region, self.clock.now()))
    }

    /// The whole catalogue as of now.
    ///
    /// # Errors
    /// Storage's.
    pub async fn shown_catalogue(&self) -> Result<ShownCatalogue, ServiceError> {
        let mut tx = self.store.begin(Access::Read).await?;
        let (_, catalogue) = self.catalogue.edition(tx.as_mut()).await?;
        Ok(catalogue.show(self.clock.now()))
    }
}
