//! The simulator's own API: no ARM, no api-version, off with `--no-simulator-api`.

pub mod behaviors;
pub mod catalogue;
pub mod clock;
pub mod clusters;
pub mod plan;
pub mod releases;
