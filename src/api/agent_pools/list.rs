//! `GET RG/P/managedClusters/{cluster}/agentPools`.

use axum::response::Response;

use crate::api::contract::Served;
use crate::api::contract::table::aks::agent_pool::AGENT_POOL;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::filter;
use crate::api::page::answer_parts;
use crate::api::route::{Answer, Operation};
use crate::domain::managed_cluster::pool_view;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "AgentPools_List",
    summary: "Lists the agent pools of a managed cluster, by name.",
    served: Served::Aks,
    takes: None,
    answers: &[Answer::page(&AGENT_POOL)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    filter::parse(call.query.get("$filter"), &[])?;
    let cluster = call.service.cluster_of_children(&call.id).await?;
    let pools = cluster.pools.iter().map(|pool| (pool.name.clone(), pool_view(&cluster, pool)));
    answer_parts(&call, pools.collect())
}
