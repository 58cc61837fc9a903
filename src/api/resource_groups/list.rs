//! `GET SUB/resourceGroups`.

use axum::response::Response;

use crate::api::contract::Served;
use crate::api::contract::table::arm::resource_group::RESOURCE_GROUP;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::filter;
use crate::api::page::answer_page;
use crate::api::route::{Answer, Operation};
use crate::domain::resource_group::ResourceGroup;
use crate::store::Scope;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "ResourceGroups_List",
    summary: "List the resource groups of a subscription, by name.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::page(&RESOURCE_GROUP)],
};

/// The handler.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let filter = filter::parse(call.query.get("$filter"), &[])?;
    let subscription = call.id.subscription_id().to_ascii_lowercase();
    answer_page::<ResourceGroup>(&call, Scope::Subscription(subscription), filter).await
}
