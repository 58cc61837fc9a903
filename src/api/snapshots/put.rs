//! `PUT RG/P/snapshots/{snapshot}`.

use axum::response::Response;

use crate::api::attempt;
use crate::api::contract::Served;
use crate::api::contract::table::aks::snapshot::SNAPSHOT;
use crate::api::error::ApiError;
use crate::api::extract::{Call, RawBody};
use crate::api::lro::answer_put;
use crate::api::managed_clusters::object;
use crate::api::route::{Answer, Operation};
use crate::domain::managed_cluster::read_cluster;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "Snapshots_CreateOrUpdate",
    summary: "Takes a snapshot of an agent pool, or replaces a snapshot's tags.",
    served: Served::Aks,
    takes: Some(&SNAPSHOT),
    answers: &[Answer::one(200, &SNAPSHOT), Answer::one(201, &SNAPSHOT)],
};

/// Answers it.
pub async fn handle(call: Call, body: RawBody) -> Result<Response, ApiError> {
    let (call, body) = (&call, &body);
    let written = attempt(|| {
        let decode = move || read_cluster(object(call, body)?);
        call.service.put_snapshot(&call.context, &call.id, &call.preconditions, decode)
    })
    .await?;
    Ok(answer_put(call, &written))
}
