//! `PUT RG`.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};

use crate::api::attempt::attempt;
use crate::api::contract::Served;
use crate::api::contract::table::arm::resource_group::RESOURCE_GROUP;
use crate::api::error::ApiError;
use crate::api::extract::{Call, RawBody};
use crate::api::resource::Rendered as _;
use crate::api::route::{Answer, Operation};
use crate::domain::resource_group::ResourceGroupSpec;
use crate::service::resource::Outcome;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "ResourceGroups_CreateOrUpdate",
    summary: "Create or replace a resource group.",
    served: Served::Any,
    takes: Some(&RESOURCE_GROUP),
    answers: &[Answer::one(200, &RESOURCE_GROUP), Answer::one(201, &RESOURCE_GROUP)],
};

/// The handler.
pub async fn handle(call: Call, body: RawBody) -> Result<Response, ApiError> {
    let (call, body) = (&call, &body);
    let written = attempt(|| {
        call.service.put_resource_group(&call.context, &call.id, move |existing| {
            ResourceGroupSpec::read(&call.id, &super::body(call, body)?, existing)
        })
    })
    .await?;
    let status = match written.outcome {
        Outcome::Created => StatusCode::CREATED,
        Outcome::Replaced => StatusCode::OK,
    };
    Ok((status, Json(written.entity.newest())).into_response())
}
