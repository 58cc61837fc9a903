//! `GET /livez`: the process answers, whatever its storage does, so that nobody restarts it for an outage elsewhere.

use crate::api::contract::Served;
use crate::api::contract::table::simulator::health::HEALTH;
use crate::api::route::{Answer, Operation};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "Health_Live",
    summary: "Answers while the process lives.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::one(200, &HEALTH)],
};

/// Answers it.
pub async fn handle() -> axum::Json<serde_json::Value> {
    axum::Json(serde_json::json!({ "status": "ok" }))
}
