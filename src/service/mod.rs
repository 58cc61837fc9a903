//! Use cases: load, ask the domain, save, return. The only layer that opens transactions.
//!
//! No HTTP and no SQL here, and no rule either: rules are in `domain`. What all resources share (parents,
//! preconditions, compare-and-set, long-running operations) is in [`resource`], [`long_running`] and [`operations`];
//! each resource has a file with its use cases as methods of [`Service`]. To add one, copy the smallest (`strategies`).

mod auto_upgrade_profiles;
pub mod catalogue;
mod due_operations;
pub mod error;
mod fleets;
mod gates;
pub mod long_running;
pub mod managed_clusters;
mod members;
mod meshes;
mod namespaces;
mod offers;
pub mod operations;
pub mod releases;
pub mod resource;
mod resource_groups;
mod signal;
mod snapshots;
mod strategies;
mod surroundings;
pub mod update_runs;

pub use auto_upgrade_profiles::Generated;
pub use catalogue::CurrentCatalogue;
pub use error::ServiceError;
pub use signal::Signal;

use std::sync::Arc;

use crate::clock::ServiceClock;
use crate::cluster::Clusters;
use crate::domain::ids::IdSource;
use crate::domain::system_data::Principal;
use crate::store::Store;

/// Whether long-running operations other than upgrades take simulated time (the product: names).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperationDurations {
    /// They end in the transaction that begins them: the first poll is already final.
    Zero,
    /// They take the times of the simulated-AKS specification.
    Simulated,
}

/// Settings that use cases look at.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// See [`OperationDurations`].
    pub operation_durations: OperationDurations,
    /// Members a fleet may have.
    pub max_members: u32,
    /// Whether a write into a missing resource group is refused instead of creating the group.
    pub strict_resource_groups: bool,
}

/// Who calls.
#[derive(Clone, Debug)]
pub struct CallContext {
    /// The principal, taken unverified from the token.
    pub principal: Principal,
    /// `x-ms-correlation-request-id`.
    pub correlation_id: String,
}

/// Everything use cases need; one for the process.
#[derive(Clone)]
pub struct Service {
    /// Storage.
    pub store: Arc<dyn Store>,
    /// The one clock.
    pub clock: Arc<ServiceClock>,
    /// New ids and eTags.
    pub ids: Arc<dyn IdSource>,
    /// The managed clusters that runs upgrade.
    pub clusters: Arc<dyn Clusters>,
    /// Versions and images, with what was released since.
    pub catalogue: Arc<CurrentCatalogue>,
    /// Settings.
    pub settings: Settings,
    /// Tells the scheduler that something was written.
    pub signal: Signal,
}

#[cfg(all(test, feature = "test-util"))]
mod tests;
