//! `DELETE RG`: the group and everything in it.

use axum::response::Response;

use crate::api::attempt::attempt;
use crate::api::contract::Served;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::lro::{Polling, answer_accepted};
use crate::api::route::{Answer, Operation};

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "ResourceGroups_Delete",
    summary: "Delete a resource group with everything in it.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::empty(202).polled(Polling::StatusAndResult)],
};

/// The handler.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let operation = attempt(|| call.service.delete_resource_group(&call.id)).await?;
    Ok(answer_accepted(&call, &operation))
}
