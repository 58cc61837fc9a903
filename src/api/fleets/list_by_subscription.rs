//! `GET SUB/…/fleets`.

use axum::response::Response;

use crate::api::contract::Served;
use crate::api::contract::table::fleet::TYPE;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::filter;
use crate::api::page::answer_page;
use crate::api::route::{Answer, Operation};
use crate::domain::fleet::Fleet;
use crate::store::Scope;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "Fleets_ListBySubscription",
    summary: "List the fleets of a subscription, by group and name.",
    served: Served::Fleet(TYPE.versions),
    takes: None,
    answers: &[Answer::page(TYPE.body)],
};

/// The handler.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let filter = filter::parse(call.query.get("$filter"), &[])?;
    answer_page::<Fleet>(&call, Scope::Subscription(call.id.subscription_id().to_ascii_lowercase()), filter)
        .await
}
