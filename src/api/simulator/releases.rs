//! `POST /simulator/releases`.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::api::Api;
use crate::api::attempt::attempt;
use crate::api::contract::Served;
use crate::api::contract::table::simulator::release::{RELEASE, RELEASE_REQUEST};
use crate::api::error::ApiError;
use crate::api::extract::RawBody;
use crate::api::route::{Answer, Operation};
use crate::domain::catalogue::Release;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "Simulator_Publish",
    summary: "Publishes Kubernetes versions, node images or security patches, now or later.",
    served: Served::Any,
    takes: Some(&RELEASE_REQUEST),
    answers: &[Answer::one(201, &RELEASE)],
};

/// Answers it.
pub async fn handle(State(api): State<Api>, body: RawBody) -> Result<(StatusCode, Json<Value>), ApiError> {
    let request = body.read_plain(&RELEASE_REQUEST, Release::read_into)?;
    let release = attempt(|| api.service.publish(request.clone())).await?;
    Ok((StatusCode::CREATED, Json(json!(release))))
}
