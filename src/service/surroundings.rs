//! What clients ask about where they are: subscriptions in use, regions of the catalogue.

use std::collections::BTreeSet;

use super::{Service, ServiceError};
use crate::domain::resource_group::ResourceGroup;
use crate::store::{Access, Kind, Record};

/// The subscription that is shown while none is in use.
const FIRST_SUBSCRIPTION: &str = "00000000-0000-0000-0000-000000000001";

impl Service {
    /// The subscriptions that have a resource group, by id; where none has, one to begin with.
    ///
    /// # Errors
    /// Storage's.
    pub async fn subscriptions(&self) -> Result<Vec<String>, ServiceError> {
        let mut tx = self.store.begin(Access::Read).await?;
        let mut found = BTreeSet::new();
        for record in tx.all(Kind::ResourceGroup).await? {
            let group = Record::decode::<ResourceGroup>(record)?;
            found.insert(group.id.subscription_id().to_ascii_lowercase());
        }
        if found.is_empty() {
            found.insert(FIRST_SUBSCRIPTION.to_owned());
        }
        Ok(found.into_iter().collect())
    }

    /// The names of the catalogue's regions.
    ///
    /// # Errors
    /// Storage's.
    pub async fn regions(&self) -> Result<Vec<String>, ServiceError> {
        let mut tx = self.store.begin(Access::Read).await?;
        let (_, catalogue) = self.catalogue.edition(tx.as_mut()).await?;
        Ok(catalogue.regions().into_iter().map(str::to_owned).collect())
    }
}
