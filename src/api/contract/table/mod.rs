//! The contract's table: every type and body, member by member; of the fleet types with the versions that know it.
//!
//! The fleet types are here; below are [`aks`] types, what is [`arm`]'s own, and the [`simulator`]'s.
//! Data only; one file a resource. The sets follow the fleet resources' table, and the official SDK's changelog where
//! the two disagree (custom node images came with auto-upgrade profiles in 2024-05-02-preview). To add a member, add a
//! line to its object; to add a type, add a file and a [`ResourceType`].

pub mod aks;
pub mod arm;
pub mod auto_upgrade;
pub mod fleet;
pub mod gate;
pub mod member;
pub mod mesh;
pub mod namespace;
pub mod shared;
pub mod simulator;
pub mod strategy;
pub mod update_run;

use super::shape::Object;
use super::version::{FleetVersion as V, Versions};

/// What came with 2024-02-02-preview.
pub const HUB: Versions = Versions::since(V::V20240202Preview);
/// The two vnet members, which 2024-04-01 lacks.
pub const VNET: Versions = HUB.without(V::V20240401);
/// What came with 2024-05-02-preview.
pub const PROFILES: Versions = Versions::since(V::V20240502Preview);
/// What came with 2025-03-01.
pub const STATUS: Versions = Versions::since(V::V20250301);
/// What came with 2025-04-01-preview.
pub const GATES: Versions = Versions::since(V::V20250401Preview);
/// What came with 2025-08-01-preview.
pub const NAMESPACES: Versions = Versions::since(V::V20250801Preview);
/// What came with 2026-02-01-preview.
pub const CONCURRENCY: Versions = Versions::since(V::V20260201Preview);
/// Cluster meshes, which are in previews only.
pub const MESH: Versions = Versions::only(V::V20260302Preview).and(V::V20260602Preview);
/// What only the newest preview has.
pub const NEWEST: Versions = Versions::only(V::V20260602Preview);

/// A resource type of the fleet provider.
#[derive(Debug)]
pub struct ResourceType {
    /// Its type path: `fleets/members`.
    pub path: &'static str,
    /// Its body.
    pub body: &'static Object,
    /// The versions at which it exists.
    pub versions: Versions,
}

/// All types.
pub static TYPES: [&ResourceType; 8] = [
    &fleet::TYPE,
    &member::TYPE,
    &strategy::TYPE,
    &update_run::TYPE,
    &gate::TYPE,
    &auto_upgrade::TYPE,
    &namespace::TYPE,
    &mesh::TYPE,
];
