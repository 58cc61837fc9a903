//! `GET SUB/providers`.

use axum::Json;
use serde_json::{Value, json};

use super::get::body;
use crate::api::contract::Served;
use crate::api::contract::table::arm::provider::PROVIDER;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::route::{Answer, Operation};

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "Providers_List",
    summary: "List the providers: there is one.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::list(&PROVIDER)],
};

/// The handler.
pub async fn handle(call: Call) -> Result<Json<Value>, ApiError> {
    let regions = call.service.regions().await?;
    Ok(Json(json!({ "value": [body(&call, &regions)] })))
}
