//! `GET RG/P/managedClusters/{cluster}/agentPools/{pool}`.

use axum::http::StatusCode;
use axum::response::Response;

use crate::api::contract::Served;
use crate::api::contract::table::aks::agent_pool::AGENT_POOL;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::resource::{answer, not_modified};
use crate::api::route::{Answer, Operation};
use crate::domain::managed_cluster::pool_view;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "AgentPools_Get",
    summary: "Shows an agent pool.",
    served: Served::Aks,
    takes: None,
    answers: &[Answer::one(200, &AGENT_POOL), Answer::empty(304)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let found = call.service.agent_pool(&call.id).await?;
    let etag = found.pool.etag;
    if call.is_not_modified(etag) {
        return Ok(not_modified(etag));
    }
    Ok(answer(StatusCode::OK, &pool_view(&found.cluster, &found.pool), etag))
}
