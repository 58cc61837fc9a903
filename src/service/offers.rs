//! What the catalogue in force offers, for whoever asks.

use super::{Service, ServiceError};
use crate::domain::catalogue::{OfferedMinor, ShownCatalogue, normal_region};
use crate::domain::node_image::NodeImage;
use crate::domain::refusal::{Code, Refusal};
use crate::store::Access;

impl Service {
    /// A region as regions compare.
    ///
    /// # Errors
    /// `LocationNotAvailable` where the catalogue does not know it; storage's.
    pub async fn check_region(&self, region: &str) -> Result<String, ServiceError> {
        let mut tx = self.store.begin(Access::Read).await?;
        let (_, catalogue) = self.catalogue.edition(tx.as_mut()).await?;
        if catalogue.is_region(region) {
            return Ok(normal_region(region));
        }
        let message = format!("'{region}' is not a region; those are {}.", catalogue.regions().join(", "));
        Err(Refusal::at(Code::LocationNotAvailable, "location", message).into())
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
