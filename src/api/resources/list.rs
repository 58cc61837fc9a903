//! `GET SUB/resources`.

use axum::response::Response;

use super::listing::answer_resources;
use crate::api::contract::Served;
use crate::api::contract::table::arm::resource::GENERIC_RESOURCE;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::route::{Answer, Operation};
use crate::store::Scope;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "Resources_List",
    summary: "List the resources of a subscription, type by type.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::page(&GENERIC_RESOURCE)],
};

/// The handler.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let subscription = call.id.subscription_id().to_ascii_lowercase();
    answer_resources(&call, &Scope::Subscription(subscription)).await
}
