//! `DELETE RG/P/managedClusters/{cluster}/agentPools/{pool}`.

use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};

use super::answer_written;
use crate::api::attempt::attempt;
use crate::api::contract::Served;
use crate::api::contract::table::aks::agent_pool::AGENT_POOL;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::lro::Polling;
use crate::api::route::{Answer, Operation};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "AgentPools_Delete",
    summary: "Deletes an agent pool; the last System pool stays.",
    served: Served::Aks,
    takes: None,
    answers: &[Answer::one(202, &AGENT_POOL).polled(Polling::StatusAndResult), Answer::empty(204)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let deleted = attempt(|| call.service.delete_agent_pool(&call.id, &call.preconditions)).await?;
    let Some(deleted) = deleted else { return Ok(StatusCode::NO_CONTENT.into_response()) };
    Ok(answer_written(&call, StatusCode::ACCEPTED, &deleted, Polling::StatusAndResult))
}
