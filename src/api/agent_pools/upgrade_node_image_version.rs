//! `POST RG/P/managedClusters/{cluster}/agentPools/{pool}/upgradeNodeImageVersion`.

use axum::response::Response;

use crate::api::attempt::attempt;
use crate::api::contract::Served;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::lro::{Polling, answer_accepted};
use crate::api::route::{Answer, Operation};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "AgentPools_UpgradeNodeImageVersion",
    summary: "Upgrades an agent pool to the newest node image of its region.",
    served: Served::Aks,
    takes: None,
    answers: &[Answer::empty(202).polled(Polling::StatusAndResult)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let operation = attempt(|| call.service.upgrade_node_image(&call.id, &call.preconditions)).await?;
    Ok(answer_accepted(&call, &operation))
}
