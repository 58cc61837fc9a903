//! The catalogue in force: the one the process started with, plus every release published since.
//!
//! Kept in memory under the releases counter, so that asking costs one indexed row and a release anywhere is seen.

use std::sync::{Arc, Mutex, PoisonError};

use crate::domain::catalogue::{Catalogue, Release};
use crate::store::{Counter, Entity, Kind, Locator, Record, StoreError, Transaction};

/// The releases counter's value with the catalogue that belongs to it.
pub type Edition = (i64, Arc<Catalogue>);

/// See the module's doc.
#[derive(Debug)]
pub struct CurrentCatalogue {
    base: Catalogue,
    edition: Mutex<Edition>,
}

impl CurrentCatalogue {
    /// Starts from `base`, before any release.
    pub fn new(base: Catalogue) -> Self {
        // No counter is ever negative, so the first look reads the releases.
        let edition = Mutex::new((-1, Arc::new(base.clone())));
        Self { base, edition }
    }

    /// The catalogue with all releases that `tx` sees.
    ///
    /// # Errors
    /// Storage's.
    pub async fn edition(&self, tx: &mut dyn Transaction) -> Result<Edition, StoreError> {
        let counter = tx.counter(Counter::Releases).await?;
        let known = self.edition.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if known.0 == counter {
            return Ok(known);
        }
        let records = tx.all(Kind::Release).await?;
        let releases: Vec<Release> = records
            .into_iter()
            .map(|record| Record::decode::<Release>(record).map(|stored| stored.entity))
            .collect::<Result<_, _>>()?;
        let edition = (counter, Arc::new(self.base.with_releases(&releases)));
        *self.edition.lock().unwrap_or_else(PoisonError::into_inner) = edition.clone();
        Ok(edition)
    }
}

impl Entity for Release {
    const KIND: Kind = Kind::Release;

    fn locator(&self) -> Locator {
        let name = self.id.to_string();
        let (subscription, group) = Default::default();
        Locator {
            key: format!("/releases/{name}"),
            parent: "/releases".to_owned(),
            subscription,
            group,
            name,
        }
    }
}
