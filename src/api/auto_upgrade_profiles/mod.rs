//! `fleets/autoUpgradeProfiles`.

pub mod delete;
pub mod generate_update_run;
pub mod get;
pub mod list;
pub mod put;
mod render;
