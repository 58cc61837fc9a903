//! `GET RG`.

use axum::Json;

use super::group_exists;
use crate::api::contract::Served;
use crate::api::contract::table::arm::resource_group::RESOURCE_GROUP;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::resource::Rendered as _;
use crate::api::route::{Answer, Operation};
use crate::domain::resource_group::ResourceGroup;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "ResourceGroups_Get",
    summary: "Get a resource group.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::one(200, &RESOURCE_GROUP)],
};

/// The handler.
pub async fn handle(call: Call) -> Result<Json<serde_json::Value>, ApiError> {
    group_exists(&call).await?;
    Ok(Json(call.service.read::<ResourceGroup>(&call.id).await?.entity.newest()))
}
