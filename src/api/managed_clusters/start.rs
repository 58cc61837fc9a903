//! `POST RG/P/managedClusters/{cluster}/start`.

use axum::response::Response;

use crate::api::attempt::attempt;
use crate::api::contract::Served;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::lro::{Polling, answer_accepted};
use crate::api::route::{Answer, Operation};
use crate::domain::operation::Action;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "ManagedClusters_Start",
    summary: "Starts a managed cluster.",
    served: Served::Aks,
    takes: None,
    answers: &[Answer::empty(202).polled(Polling::StatusAndResult)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let service = &call.service;
    let operation =
        attempt(|| service.power_managed_cluster(&call.id, &call.preconditions, Action::Start)).await?;
    Ok(answer_accepted(&call, &operation))
}
