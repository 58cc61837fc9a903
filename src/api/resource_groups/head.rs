//! `HEAD RG`: whether the group exists.

use axum::http::StatusCode;

use super::group_exists;
use crate::api::contract::Served;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::route::{Answer, Operation};

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "ResourceGroups_CheckExistence",
    summary: "Tell whether a resource group exists.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::empty(204)],
};

/// The handler.
pub async fn handle(call: Call) -> Result<StatusCode, ApiError> {
    group_exists(&call).await?;
    Ok(StatusCode::NO_CONTENT)
}
