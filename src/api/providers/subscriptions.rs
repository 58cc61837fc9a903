//! `GET /subscriptions`: those that have anything.

use axum::Json;
use serde_json::{Value, json};

use super::subscription::body;
use crate::api::contract::Served;
use crate::api::contract::table::arm::subscription::SUBSCRIPTION;
use crate::api::error::ApiError;
use crate::api::extract::Unscoped;
use crate::api::route::{Answer, Operation};

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "Subscriptions_List",
    summary: "List the subscriptions that have resources; where none has, one to begin with.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::list(&SUBSCRIPTION)],
};

/// The handler.
pub async fn handle(call: Unscoped) -> Result<Json<Value>, ApiError> {
    let subscriptions: Vec<Value> = call.service.subscriptions().await?.iter().map(|id| body(id)).collect();
    Ok(Json(json!({ "value": subscriptions })))
}
