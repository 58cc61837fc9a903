//! `DELETE F/clusterMeshProfiles/{profile}`.

use axum::http::StatusCode;

use crate::api::attempt::attempt;
use crate::api::contract::Served;
use crate::api::contract::table::mesh::TYPE;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::route::{Answer, Operation};

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "ClusterMeshProfiles_Delete",
    summary: "Delete a cluster mesh profile that connects nobody.",
    served: Served::Fleet(TYPE.versions),
    takes: None,
    answers: &[Answer::empty(204)],
};

/// The handler.
pub async fn handle(call: Call) -> Result<StatusCode, ApiError> {
    attempt(|| call.service.delete_cluster_mesh_profile(&call.id, &call.preconditions)).await?;
    Ok(StatusCode::NO_CONTENT)
}
