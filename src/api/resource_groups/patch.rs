//! `PATCH RG`.

use axum::Json;
use serde_json::Value;

use crate::api::attempt::attempt;
use crate::api::contract::Served;
use crate::api::contract::table::arm::resource_group::{RESOURCE_GROUP, RESOURCE_GROUP_PATCH};
use crate::api::error::ApiError;
use crate::api::extract::{Call, RawBody};
use crate::api::resource::Rendered as _;
use crate::api::route::{Answer, Operation};
use crate::domain::resource_group::ResourceGroupSpec;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "ResourceGroups_Update",
    summary: "Change a resource group's tags and what manages it.",
    served: Served::Any,
    takes: Some(&RESOURCE_GROUP_PATCH),
    answers: &[Answer::one(200, &RESOURCE_GROUP)],
};

/// The handler.
pub async fn handle(call: Call, body: RawBody) -> Result<Json<Value>, ApiError> {
    let (call, body) = (&call, &body);
    let group = attempt(|| {
        call.service.patch_resource_group(&call.context, &call.id, move |existing| {
            ResourceGroupSpec::read_patch(&super::body(call, body)?, existing)
        })
    })
    .await?;
    Ok(Json(group.newest()))
}
