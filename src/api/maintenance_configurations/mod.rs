//! `managedClusters/maintenanceConfigurations`: when upgrades of a cluster may start.

pub mod delete;
pub mod get;
pub mod list;
pub mod put;

use serde_json::Value;

use crate::domain::managed_cluster::maintenance_view;
use crate::service::managed_clusters::WrittenConfiguration;

fn body(written: &WrittenConfiguration) -> Value {
    maintenance_view(&written.cluster, written.name, &written.configuration)
}
