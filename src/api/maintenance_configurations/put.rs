//! `PUT RG/P/managedClusters/{cluster}/maintenanceConfigurations/{name}`.

use axum::http::StatusCode;
use axum::response::Response;

use crate::api::attempt::attempt;
use crate::api::contract::Served;
use crate::api::contract::table::aks::maintenance::MAINTENANCE_CONFIGURATION;
use crate::api::error::ApiError;
use crate::api::extract::{Call, RawBody};
use crate::api::managed_clusters::object;
use crate::api::resource::answer;
use crate::api::route::{Answer, Operation};
use crate::service::resource::Outcome;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "MaintenanceConfigurations_CreateOrUpdate",
    summary: "Makes or replaces a maintenance configuration.",
    served: Served::Aks,
    takes: Some(&MAINTENANCE_CONFIGURATION),
    answers: &[Answer::one(200, &MAINTENANCE_CONFIGURATION), Answer::one(201, &MAINTENANCE_CONFIGURATION)],
};

/// Answers it.
pub async fn handle(call: Call, body: RawBody) -> Result<Response, ApiError> {
    let decode = || object(&call, &body);
    let written = attempt(|| {
        call.service.put_maintenance_configuration(&call.context, &call.id, &call.preconditions, decode)
    })
    .await?;
    let status = match written.outcome {
        Outcome::Created => StatusCode::CREATED,
        Outcome::Replaced => StatusCode::OK,
    };
    Ok(answer(status, &super::body(&written), written.configuration.etag))
}
