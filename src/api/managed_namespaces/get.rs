//! `GET F/managedNamespaces/{namespace}`.

use axum::response::Response;

use crate::api::contract::Served;
use crate::api::contract::table::namespace::TYPE;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::resource::answer_get;
use crate::api::route::{Answer, Operation};
use crate::domain::namespace::ManagedNamespace;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "FleetManagedNamespaces_Get",
    summary: "Get a managed namespace.",
    served: Served::Fleet(TYPE.versions),
    takes: None,
    answers: &[Answer::one(200, TYPE.body)],
};

/// The handler.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let stored = call.service.read::<ManagedNamespace>(&call.id).await?;
    Ok(answer_get(&call, &stored))
}
