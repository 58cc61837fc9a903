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
    Filterable { path: "state", stored: &["state"], ignore_case: true },
    Filterable { path: "properties/state", stored: &["state"], ignore_case: true },
    Filterable { path: "gateType", stored: &["gateType"], ignore_case: true },
    Filterable { path: "properties/gateType", stored: &["gateType"], ignore_case: true },
    Filterable { path: "properties/target/id", stored: &["run"], ignore_case: true },
];

/// Answers it.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let filter = filter::parse(call.query.get("$filter"), FILTERS)?;
    call.service.check_parent::<Fleet>(&call.id).await?;
    answer_page::<Gate>(&call, Scope::Parent(call.id.key()), filter).await
}
