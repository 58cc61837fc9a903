//! `fleets/managedNamespaces`.

pub mod delete;
pub mod get;
pub mod list;
pub mod patch;
pub mod put;
mod render;
