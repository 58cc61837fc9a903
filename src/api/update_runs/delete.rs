//! `DELETE F/updateRuns/{updateRunName}`.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use super::SERVED;
use crate::api::attempt::attempt;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::route::{Answer, Operation};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "UpdateRuns_Delete",
    summary: "Removes an update run with its gates; upgrades under way finish on their own.",
    served: SERVED,
    takes: None,
    answers: &[Answer::empty(200), Answer::empty(204)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let existed = attempt(|| call.service.delete_update_run(&call.id, &call.preconditions)).await?;
    Ok(if existed { StatusCode::OK } else { StatusCode::NO_CONTENT }.into_response())
}
