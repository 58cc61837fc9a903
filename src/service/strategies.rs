//! Update strategies: how they are kept.

use crate::domain::strategy::UpdateStrategy;
use crate::store::{Entity, Kind, Locator};

impl Entity for UpdateStrategy {
    const KIND: Kind = Kind::UpdateStrategy;

    fn locator(&self) -> Locator {
        Locator::from(&self.id)
    }
}
