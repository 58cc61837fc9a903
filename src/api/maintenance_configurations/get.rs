//! `GET RG/P/managedClusters/{cluster}/maintenanceConfigurations/{name}`.

use axum::http::StatusCode;
use axum::response::Response;

use super::body;
use crate::api::contract::Served;
use crate::api::contract::table::aks::maintenance::MAINTENANCE_CONFIGURATION;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::resource::{answer, not_modified};
use crate::api::route::{Answer, Operation};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "MaintenanceConfigurations_Get",
    summary: "Shows a maintenance configuration.",
    served: Served::Aks,
    takes: None,
    answers: &[Answer::one(200, &MAINTENANCE_CONFIGURATION), Answer::empty(304)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let found = call.service.maintenance_configuration(&call.id).await?;
    let etag = found.configuration.etag;
    if call.is_not_modified(etag) {
        return Ok(not_modified(etag));
    }
    Ok(answer(StatusCode::OK, &body(&found), etag))
}
