//! `POST F/clusterMeshProfiles/{profile}/apply`.

use axum::response::Response;

use crate::api::attempt::attempt;
use crate::api::contract::Served;
use crate::api::contract::table::mesh::TYPE;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::lro::answer_patch;
use crate::api::route::{Answer, Operation};

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "ClusterMeshProfiles_Apply",
    summary: "Connect the members that a cluster mesh profile selects, and disconnect the others.",
    served: Served::Fleet(TYPE.versions),
    takes: None,
    answers: &[Answer::one(200, TYPE.body)],
};

/// The handler.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let call = &call;
    let apply = || call.service.apply_cluster_mesh_profile(&call.context, &call.id, &call.preconditions);
    Ok(answer_patch(call, &attempt(apply).await?))
}
