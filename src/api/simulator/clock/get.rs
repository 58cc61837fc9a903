//! `GET /simulator/clock`.

use axum::Json;
use axum::extract::State;
use serde_json::Value;

use crate::api::Api;
use crate::api::contract::Served;
use crate::api::contract::table::simulator::clock::CLOCK;
use crate::api::route::{Answer, Operation};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "Simulator_GetClock",
    summary: "Shows the simulated time and how it passes.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::one(200, &CLOCK)],
};

/// Answers it.
pub async fn handle(State(api): State<Api>) -> Json<Value> {
    let clock = &api.service.clock;
    Json(super::shown(clock.now(), clock.setting().mode))
}
