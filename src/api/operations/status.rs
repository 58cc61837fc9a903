//! `GET SUB/…/locations/{location}/operations/{operation}`: how an operation stands.

use axum::Json;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use serde_json::json;

use crate::api::contract::Served;
use crate::api::contract::table::arm::operation::OPERATION_STATUS;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::resource::object;
use crate::api::route::{Answer, Operation as Row};
use crate::domain::operation::OperationStatus;
use crate::domain::time::to_rfc3339;

/// The operation.
pub static OPERATION: Row = Row {
    id: "OperationStatus_Get",
    summary: "Poll a long-running operation: Azure-AsyncOperation.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::one(200, &OPERATION_STATUS)],
};

/// The handler.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let operation = call.service.operation(&call.id).await?;
    let body = object([
        ("id", json!(operation.id)),
        ("name", json!(operation.guid)),
        ("status", json!(operation.status)),
        ("startTime", json!(to_rfc3339(operation.start_time))),
        ("endTime", json!(operation.end_time.map(to_rfc3339))),
        ("error", json!(operation.error)),
    ]);
    let mut response = Json(body).into_response();
    if operation.status == OperationStatus::InProgress {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    Ok(response)
}
