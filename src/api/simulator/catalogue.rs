//! `GET /simulator/catalogue`.

use axum::Json;
use axum::extract::State;

use crate::api::Api;
use crate::api::contract::Served;
use crate::api::contract::table::simulator::catalogue::CATALOGUE;
use crate::api::error::ApiError;
use crate::api::route::{Answer, Operation};
use crate::domain::catalogue::ShownCatalogue;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "Simulator_GetCatalogue",
    summary: "Shows regions, Kubernetes versions and node images, and where each is and when it comes.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::one(200, &CATALOGUE)],
};

/// Answers it.
pub async fn handle(State(api): State<Api>) -> Result<Json<ShownCatalogue>, ApiError> {
    Ok(Json(api.service.shown_catalogue().await?))
}
