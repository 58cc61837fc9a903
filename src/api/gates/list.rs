//! `GET F/gates`.

use axum::response::Response;

use super::{BODY, SERVED};
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::filter::{self, Filterable};
use crate::api::page::answer_page;
use crate::api::route::{Answer, Operation};
use crate::domain::fleet::Fleet;
use crate::domain::gate::Gate;
use crate::store::Scope;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "Gates_ListByFleet",
    summary: "Lists a fleet's gates, by state, type or run where asked.",
    served: SERVED,
    takes: None,
    answers: &[Answer::page(BODY)],
};

/// What gates may be filtered by.
const FILTERS: &[Filterable] = &[
    by("state", &["state"], STATES),
    by("properties/state", &["state"], STATES),
    by("gateType", &["gateType"], TYPES),
    by("properties/gateType", &["gateType"], TYPES),
    by("properties/target/id", &["run"], &[]),
];

const STATES: &[&str] = &["Pending", "Skipped", "Completed"];
const TYPES: &[&str] = &["Approval", "ScheduledStart"];

const fn by(
    path: &'static str,
    stored: &'static [&'static str],
    values: &'static [&'static str],
) -> Filterable {
    Filterable { path, stored, ignore_case: true, values }
}

/// Answers it.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let filter = filter::parse(call.query.get("$filter"), FILTERS)?;
    call.service.check_parent::<Fleet>(&call.id).await?;
    answer_page::<Gate>(&call, Scope::Parent(call.id.key()), filter).await
}
