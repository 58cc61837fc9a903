//! `POST RG/P/managedClusters/{cluster}/abort`.

use axum::response::Response;

use crate::api::attempt::attempt;
use crate::api::contract::Served;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::lro::{Polling, answer_accepted};
use crate::api::route::{Answer, Operation};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "ManagedClusters_AbortLatestOperation",
    summary: "Aborts what is under way on a managed cluster; what was done stays.",
    served: Served::Aks,
    takes: None,
    answers: &[Answer::empty(202).polled(Polling::StatusAndResult)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let operation = attempt(|| call.service.abort_managed_cluster(&call.id, &call.preconditions)).await?;
    Ok(answer_accepted(&call, &operation))
}
