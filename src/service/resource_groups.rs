//! Resource groups: how they are kept.

use crate::domain::resource_group::ResourceGroup;
use crate::store::{Entity, Kind, Locator};

impl Entity for ResourceGroup {
    const KIND: Kind = Kind::ResourceGroup;

    fn locator(&self) -> Locator {
        Locator::from(&self.id)
    }
}
