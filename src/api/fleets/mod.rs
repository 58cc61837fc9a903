//! `fleets`.

pub mod delete;
pub mod get;
pub mod list_by_group;
pub mod list_by_subscription;
pub mod list_credentials;
pub mod patch;
pub mod put;
mod render;
