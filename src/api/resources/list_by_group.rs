//! `GET RG/resources`.

use axum::response::Response;

use super::listing::answer_resources;
use crate::api::contract::Served;
use crate::api::contract::table::arm::resource::GENERIC_RESOURCE;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::resource_groups::group_exists;
use crate::api::route::{Answer, Operation};
use crate::store::Scope;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "Resources_ListByResourceGroup",
    summary: "List the resources of a resource group, type by type.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::page(&GENERIC_RESOURCE)],
};

/// The handler.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    group_exists(&call).await?;
    answer_resources(&call, &Scope::Parent(call.id.key())).await
}
