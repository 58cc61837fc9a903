//! `DELETE RG/P/managedClusters/{cluster}/maintenanceConfigurations/{name}`.

use axum::http::StatusCode;

use crate::api::attempt::attempt;
use crate::api::contract::Served;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::route::{Answer, Operation};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "MaintenanceConfigurations_Delete",
    summary: "Deletes a maintenance configuration.",
    served: Served::Aks,
    takes: None,
    answers: &[Answer::empty(200), Answer::empty(204)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<StatusCode, ApiError> {
    let deleted =
        attempt(|| call.service.delete_maintenance_configuration(&call.id, &call.preconditions)).await?;
    Ok(if deleted { StatusCode::OK } else { StatusCode::NO_CONTENT })
}
