//! `GET RG/P/managedClusters/{cluster}/maintenanceConfigurations`.

use axum::response::Response;

use crate::api::contract::Served;
use crate::api::contract::table::aks::maintenance::MAINTENANCE_CONFIGURATION;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::filter;
use crate::api::page::answer_parts;
use crate::api::route::{Answer, Operation};
use crate::domain::managed_cluster::maintenance_view;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "MaintenanceConfigurations_ListByManagedCluster",
    summary: "Lists the maintenance configurations of a managed cluster, by name.",
    served: Served::Aks,
    takes: None,
    answers: &[Answer::page(&MAINTENANCE_CONFIGURATION)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    filter::parse(call.query.get("$filter"), &[])?;
    let cluster = call.service.cluster_of_children(&call.id).await?;
    let configurations = cluster.maintenance.iter();
    let parts =
        configurations.map(|(name, one)| (name.to_string(), maintenance_view(&cluster.id, *name, one)));
    answer_parts(&call, parts.collect())
}
