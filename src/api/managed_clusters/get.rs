//! `GET RG/P/managedClusters/{cluster}`.

use axum::http::StatusCode;
use axum::response::Response;

use crate::api::contract::Served;
use crate::api::contract::table::aks::managed_cluster::MANAGED_CLUSTER;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::resource::{Rendered as _, answer};
use crate::api::route::{Answer, Operation};
use crate::domain::managed_cluster::ManagedCluster;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "ManagedClusters_Get",
    summary: "Shows a managed cluster with its agent pools.",
    served: Served::Aks,
    takes: None,
    answers: &[Answer::one(200, &MANAGED_CLUSTER)],
};

/// Answers it; never with 304, because the cluster's eTag does not cover its pools.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let stored = call.service.read::<ManagedCluster>(&call.id).await?;
    Ok(answer(StatusCode::OK, &stored.entity.shown(stored.etag, &call.version), stored.etag))
}
