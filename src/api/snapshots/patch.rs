//! `PATCH RG/P/snapshots/{snapshot}`: tags.

use axum::response::Response;

use crate::api::attempt::attempt;
use crate::api::contract::Served;
use crate::api::contract::table::aks::{TAGS_OBJECT, snapshot::SNAPSHOT};
use crate::api::error::ApiError;
use crate::api::extract::{Call, RawBody};
use crate::api::lro::answer_patch;
use crate::api::managed_clusters::object;
use crate::api::route::{Answer, Operation};
use crate::domain::managed_cluster::read_tags_patch;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "Snapshots_UpdateTags",
    summary: "Replaces a snapshot's tags.",
    served: Served::Aks,
    takes: Some(&TAGS_OBJECT),
    answers: &[Answer::one(200, &SNAPSHOT)],
};

/// Answers it.
pub async fn handle(call: Call, body: RawBody) -> Result<Response, ApiError> {
    let decode = || read_tags_patch(object(&call, &body)?);
    let written =
        attempt(|| call.service.patch_snapshot(&call.context, &call.id, &call.preconditions, &decode))
            .await?;
    Ok(answer_patch(&call, &written))
}
