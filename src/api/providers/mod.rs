//! What clients ask about their surroundings: subscriptions, tenants, providers, regions. Answers are fixed, or follow
//! from the catalogue; nothing here is a resource.

pub mod get;
pub mod list;
pub mod locations;
pub mod operations;
pub mod register;
pub mod subscription;
pub mod subscriptions;
pub mod tenants;
