//! `GET /simulator/behaviors{cluster}`.

use axum::Json;
use axum::extract::State;
use axum::http::Uri;

use crate::api::Api;
use crate::api::contract::Served;
use crate::api::contract::table::simulator::behavior::BEHAVIOR;
use crate::api::error::ApiError;
use crate::api::route::{Answer, Operation};
use crate::domain::managed_cluster::Behavior;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "Simulator_GetBehavior",
    summary: "Shows how a cluster behaves, as far as it was told.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::one(200, &BEHAVIOR)],
};

/// Answers it.
pub async fn handle(State(api): State<Api>, uri: Uri) -> Result<Json<Behavior>, ApiError> {
    Ok(Json(api.service.behavior(&super::cluster(&uri)?).await?))
}
