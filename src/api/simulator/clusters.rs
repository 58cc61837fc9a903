//! `POST /simulator/clusters`.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::api::Api;
use crate::api::attempt::attempt;
use crate::api::contract::Served;
use crate::api::contract::table::simulator::clusters::{BULK_CLUSTERS, BULK_RESULT};
use crate::api::error::ApiError;
use crate::api::extract::RawBody;
use crate::api::resource::object;
use crate::api::route::{Answer, Operation};
use crate::domain::system_data::Principal;
use crate::service::CallContext;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "Simulator_MakeClusters",
    summary: "Makes many managed clusters at once, and joins them to a fleet where asked.",
    served: Served::Any,
    takes: Some(&BULK_CLUSTERS),
    answers: &[Answer::one(201, &BULK_RESULT), Answer::refusal(404)],
};

/// Answers it.
pub async fn handle(State(api): State<Api>, body: RawBody) -> Result<(StatusCode, Json<Value>), ApiError> {
    let context = CallContext { principal: Principal::anonymous(), correlation_id: String::new() };
    let body = body.json()?;
    let made = attempt(|| api.service.make_clusters(&context, &body)).await?;
    let members = if made.fleet.is_some() { made.clusters } else { 0 };
    let body = object([
        ("clusters", json!(made.clusters)),
        ("members", json!(members)),
        ("fleet", json!(made.fleet)),
    ]);
    Ok((StatusCode::CREATED, Json(body)))
}
