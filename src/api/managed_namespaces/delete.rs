//! `DELETE F/managedNamespaces/{namespace}`.

use axum::response::Response;

use crate::api::attempt::attempt;
use crate::api::contract::Served;
use crate::api::contract::table::namespace::TYPE;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::lro::{Polling, answer_delete};
use crate::api::route::{Answer, Operation};

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "FleetManagedNamespaces_Delete",
    summary: "Delete a managed namespace.",
    served: Served::Fleet(TYPE.versions),
    takes: None,
    answers: &[Answer::one(202, TYPE.body).polled(Polling::StatusAndResult), Answer::empty(204)],
};

/// The handler.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let deleted = attempt(|| call.service.delete_managed_namespace(&call.id, &call.preconditions)).await?;
    Ok(answer_delete(&call, deleted.as_ref()))
}
