//! Members: how they are kept.

use crate::domain::member::Member;
use crate::store::{Entity, Kind, Locator};

impl Entity for Member {
    const KIND: Kind = Kind::Member;

    fn locator(&self) -> Locator {
        Locator::from(&self.id)
    }

    /// A cluster joins one fleet once.
    fn unique_key(&self) -> Option<String> {
        Some(self.cluster_resource_id.key())
    }
}
