//! `DELETE /simulator/behaviors{cluster}`.

use axum::extract::State;
use axum::http::{StatusCode, Uri};

use crate::api::Api;
use crate::api::attempt::attempt;
use crate::api::contract::Served;
use crate::api::error::ApiError;
use crate::api::route::{Answer, Operation};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "Simulator_DeleteBehavior",
    summary: "Lets a cluster behave as usual; what hung goes on.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::empty(204)],
};

/// Answers it.
pub async fn handle(State(api): State<Api>, uri: Uri) -> Result<StatusCode, ApiError> {
    let cluster = super::cluster(&uri)?;
    attempt(|| api.service.set_behavior(&cluster, None)).await?;
    Ok(StatusCode::NO_CONTENT)
}
