//! What clients of Azure Resource Manager need around the fleet and AKS types: groups, subscriptions, providers, polling.

pub mod cloud;
pub mod operation;
pub mod provider;
pub mod resource;
pub mod resource_group;
pub mod subscription;
