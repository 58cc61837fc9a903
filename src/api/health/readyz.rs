//! `GET /readyz`: storage answers, its schema is this version's, and the scheduler reaches it.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::api::Api;
use crate::api::contract::Served;
use crate::api::contract::table::simulator::health::HEALTH;
use crate::api::error::ApiError;
use crate::api::route::{Answer, Operation};
use crate::domain::refusal::{Code, Refusal};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "Health_Ready",
    summary: "Answers 200 while requests can be served and runs advance, else 503.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::one(200, &HEALTH)],
};

/// Answers it.
pub async fn handle(State(api): State<Api>) -> Result<Json<Value>, ApiError> {
    if let Err(error) = api.service.store.ready().await {
        tracing::warn!(error = &error as &dyn std::error::Error, "storage is not ready");
        return Err(unavailable("Storage cannot be reached, or its schema is not this version's.").into());
    }
    if !api.scheduler.status().is_alive() {
        return Err(unavailable("The scheduler does not reach its storage, or has not begun.").into());
    }
    Ok(Json(json!({ "status": "ok" })))
}

fn unavailable(message: &str) -> Refusal {
    Refusal::new(Code::ServiceUnavailable, message)
}
