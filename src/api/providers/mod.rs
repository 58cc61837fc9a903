//! What clients ask about their surroundings: subscriptions, tenants, providers, regions. Answers are fixed, or follow
//! from the catalogue; nothing here is a resource.

pub mod locations;
pub mod operations;
pub mod provider;
pub mod providers;
pub mod subscription;
pub mod subscriptions;
pub mod tenants;
