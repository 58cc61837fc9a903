//! `GET F/clusterMeshProfiles/{profile}`.

use axum::response::Response;

use crate::api::contract::Served;
use crate::api::contract::table::mesh::TYPE;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::resource::answer_get;
use crate::api::route::{Answer, Operation};
use crate::domain::mesh::ClusterMeshProfile;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "ClusterMeshProfiles_Get",
    summary: "Get a cluster mesh profile.",
    served: Served::Fleet(TYPE.versions),
    takes: None,
    answers: &[Answer::one(200, TYPE.body)],
};

/// The handler.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let stored = call.service.read::<ClusterMeshProfile>(&call.id).await?;
    Ok(answer_get(&call, &stored))
}
