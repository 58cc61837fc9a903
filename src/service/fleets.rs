//! Fleets: how they are kept.

use crate::domain::fleet::Fleet;
use crate::store::{Entity, Kind, Locator};

impl Entity for Fleet {
    const KIND: Kind = Kind::Fleet;

    fn locator(&self) -> Locator {
        Locator::from(&self.id)
    }
}
