//! `GET F/updateStrategies`.

use axum::response::Response;

use crate::api::contract::Served;
use crate::api::contract::table::strategy::TYPE;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::filter;
use crate::api::page::answer_page;
use crate::api::route::{Answer, Operation};
use crate::domain::fleet::Fleet;
use crate::domain::strategy::UpdateStrategy;
use crate::store::Scope;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "FleetUpdateStrategies_ListByFleet",
    summary: "List the update strategies of a fleet, by name.",
    served: Served::Fleet(TYPE.versions),
    takes: None,
    answers: &[Answer::page(TYPE.body)],
};

/// The handler.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let filter = filter::parse(call.query.get("$filter"), &[])?;
    call.service.check_parent::<Fleet>(&call.id).await?;
    answer_page::<UpdateStrategy>(&call, Scope::Parent(call.id.key()), filter).await
}
