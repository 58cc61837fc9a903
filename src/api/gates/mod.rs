//! `fleets/gates`: made by runs, read and completed by users.

pub mod get;
pub mod list;
pub mod patch;
mod render;

use super::contract::table::gate::TYPE;
use super::contract::{Served, shape::Object};

/// One gate, or a collection: at the versions that have the type.
const SERVED: Served = Served::Fleet(TYPE.versions);
/// Its body.
const BODY: &Object = TYPE.body;
