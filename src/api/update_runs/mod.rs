//! `fleets/updateRuns`.

pub mod delete;
pub mod get;
pub mod list;
pub mod put;
mod render;
pub mod skip;
pub mod start;
pub mod stop;

use super::contract::table::update_run::TYPE;
use super::contract::{Served, shape::Object};

/// One run, or a collection: at the versions that have the type.
const SERVED: Served = Served::Fleet(TYPE.versions);
/// Its body.
const BODY: &Object = TYPE.body;
