//! `fleets/clusterMeshProfiles`.

pub mod apply;
pub mod delete;
pub mod get;
pub mod list;
pub mod put;
mod render;
