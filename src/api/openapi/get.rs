//! `GET /openapi.json`.

use axum::Json;
use axum::extract::State;
use serde_json::Value;

use super::document;
use crate::api::contract::Served;
use crate::api::route::{Answer, Operation};
use crate::api::{Api, served_routes};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "OpenApi_Get",
    summary: "Shows this document.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::json(200)],
};

/// Answers it: what this process serves, so without the simulator's API where that is off.
pub async fn handle(State(api): State<Api>) -> Json<Value> {
    Json(document(&served_routes(&api)))
}
