//! `PUT RG/P/managedClusters/{cluster}`.

use axum::response::Response;

use super::object;
use crate::api::attempt;
use crate::api::contract::Served;
use crate::api::contract::table::aks::managed_cluster::MANAGED_CLUSTER;
use crate::api::error::ApiError;
use crate::api::extract::{Call, RawBody};
use crate::api::lro::{Polling, answer_put};
use crate::api::route::{Answer, Operation};
use crate::domain::managed_cluster::read_cluster;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "ManagedClusters_CreateOrUpdate",
    summary: "Makes a managed cluster, or replaces one; a raised version upgrades it.",
    served: Served::Aks,
    takes: Some(&MANAGED_CLUSTER),
    answers: &[
        Answer::one(200, &MANAGED_CLUSTER).polled(Polling::Status),
        Answer::one(201, &MANAGED_CLUSTER).polled(Polling::Status),
    ],
};

/// Answers it.
pub async fn handle(call: Call, body: RawBody) -> Result<Response, ApiError> {
    let (call, body) = (&call, &body);
    let written = attempt(|| {
        let decode = move || read_cluster(object(call, body)?);
        call.service.put_managed_cluster(&call.context, &call.id, &call.preconditions, decode)
    })
    .await?;
    Ok(answer_put(call, &written))
}
