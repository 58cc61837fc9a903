//! `DELETE RG/P/managedClusters/{cluster}`.

use axum::response::Response;

use crate::api::attempt::attempt;
use crate::api::contract::Served;
use crate::api::contract::table::aks::managed_cluster::MANAGED_CLUSTER;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::lro::{Polling, answer_delete};
use crate::api::route::{Answer, Operation};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "ManagedClusters_Delete",
    summary: "Deletes a managed cluster; what is under way on it is cancelled.",
    served: Served::Aks,
    takes: None,
    answers: &[Answer::one(202, &MANAGED_CLUSTER).polled(Polling::StatusAndResult), Answer::empty(204)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let deleted = attempt(|| call.service.delete_managed_cluster(&call.id, &call.preconditions)).await?;
    Ok(answer_delete(&call, deleted.as_ref()))
}
