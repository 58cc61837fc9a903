//! `PUT RG/P/managedClusters/{cluster}/agentPools/{pool}`.

use axum::http::StatusCode;
use axum::response::Response;

use super::answer_written;
use crate::api::attempt::attempt;
use crate::api::contract::Served;
use crate::api::contract::table::aks::agent_pool::AGENT_POOL;
use crate::api::error::ApiError;
use crate::api::extract::{Call, RawBody};
use crate::api::lro::Polling;
use crate::api::managed_clusters::object;
use crate::api::route::{Answer, Operation};
use crate::domain::managed_cluster::read_pool;
use crate::service::resource::Outcome;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "AgentPools_CreateOrUpdate",
    summary: "Makes an agent pool, or replaces one; a raised version upgrades it.",
    served: Served::Aks,
    takes: Some(&AGENT_POOL),
    answers: &[
        Answer::one(200, &AGENT_POOL).polled(Polling::Status),
        Answer::one(201, &AGENT_POOL).polled(Polling::Status),
    ],
};

/// Answers it.
pub async fn handle(call: Call, body: RawBody) -> Result<Response, ApiError> {
    let decode = || read_pool(call.id.name(), object(&call, &body)?);
    let written = attempt(|| call.service.put_agent_pool(&call.id, &call.preconditions, &decode)).await?;
    let status = match written.outcome {
        Outcome::Created => StatusCode::CREATED,
        Outcome::Replaced => StatusCode::OK,
    };
    Ok(answer_written(&call, status, &written, Polling::Status))
}
