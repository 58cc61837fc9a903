//! `GET F/gates/{gateName}`.

use axum::response::Response;

use super::{BODY, SERVED};
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::resource::answer_get;
use crate::api::route::{Answer, Operation};
use crate::domain::gate::Gate;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "Gates_Get",
    summary: "Shows a gate: what it holds back, and whether it is open.",
    served: SERVED,
    takes: None,
    answers: &[Answer::one(200, BODY)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let stored = call.service.read::<Gate>(&call.id).await?;
    Ok(answer_get(&call, &stored))
}
