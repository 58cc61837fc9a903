//! `GET /livez`: the process answers, whatever its storage does, so that nobody restarts it for an outage elsewhere.

use crate::api::contract::Served;
use crate::api::route::{Answer, Operation};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "Health_Live",
    summary: "Answers while the process lives.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::json(200)],
};

/// Answers it.
pub async fn handle() -> axum::Json<serde_json::Value> {
    axum::Json(serde_json::json!({ "status": "ok" }))
}
