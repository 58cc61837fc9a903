//! `POST F/updateRuns/{updateRunName}/stop`.

use axum::http::StatusCode;
use axum::response::Response;

use super::{BODY, SERVED};
use crate::api::attempt::attempt;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::resource::{Rendered as _, answer};
use crate::api::route::{Answer, Operation};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "UpdateRuns_Stop",
    summary: "Stops an update run: nothing new starts, what is under way ends first.",
    served: SERVED,
    takes: None,
    answers: &[Answer::one(200, BODY)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let stored =
        attempt(|| call.service.stop_update_run(&call.context, &call.id, &call.preconditions)).await?;
    Ok(answer(StatusCode::OK, &stored.entity.shown(stored.etag, &call.version), stored.etag))
}
