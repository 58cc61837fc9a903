//! `GET SUB/P/managedClusters`.

use axum::response::Response;

use crate::api::contract::Served;
use crate::api::contract::table::aks::managed_cluster::MANAGED_CLUSTER;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::filter;
use crate::api::page::answer_page;
use crate::api::route::{Answer, Operation};
use crate::domain::managed_cluster::ManagedCluster;
use crate::store::Scope;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "ManagedClusters_List",
    summary: "Lists the managed clusters of a subscription, by group and name.",
    served: Served::Aks,
    takes: None,
    answers: &[Answer::page(&MANAGED_CLUSTER)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let filter = filter::parse(call.query.get("$filter"), &[])?;
    let scope = Scope::Subscription(call.id.subscription_id().to_ascii_lowercase());
    answer_page::<ManagedCluster>(&call, scope, filter).await
}
