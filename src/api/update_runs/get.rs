//! `GET F/updateRuns/{updateRunName}`.

use axum::response::Response;

use super::{BODY, SERVED};
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::resource::answer_get;
use crate::api::route::{Answer, Operation};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "UpdateRuns_Get",
    summary: "Shows an update run with its plan and progress.",
    served: SERVED,
    takes: None,
    answers: &[Answer::one(200, BODY)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let stored = call.service.update_run(&call.id).await?;
    Ok(answer_get(&call, &stored))
}
