//! `POST SUB/providers/Microsoft.ContainerService/register`: it is registered already.

use axum::Json;
use serde_json::Value;

use super::get::body;
use crate::api::contract::Served;
use crate::api::contract::table::arm::provider::PROVIDER;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::route::{Answer, Operation};

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "Providers_Register",
    summary: "Register the provider with a subscription; every subscription has it from the start.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::one(200, &PROVIDER)],
};

/// The handler.
pub async fn handle(call: Call) -> Result<Json<Value>, ApiError> {
    Ok(Json(body(&call, &call.service.regions().await?)))
}
