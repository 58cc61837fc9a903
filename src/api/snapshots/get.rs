//! `GET RG/P/snapshots/{snapshot}`.

use axum::response::Response;

use crate::api::contract::Served;
use crate::api::contract::table::aks::snapshot::SNAPSHOT;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::resource::answer_get;
use crate::api::route::{Answer, Operation};
use crate::domain::snapshot::Snapshot;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "Snapshots_Get",
    summary: "Shows a snapshot.",
    served: Served::Aks,
    takes: None,
    answers: &[Answer::one(200, &SNAPSHOT), Answer::empty(304)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let stored = call.service.read::<Snapshot>(&call.id).await?;
    Ok(answer_get(&call, &stored))
}
