//! `GET F/updateRuns`.

use axum::response::Response;

use super::{BODY, SERVED};
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::filter;
use crate::api::page::page_of_bodies;
use crate::api::resource::Rendered as _;
use crate::api::route::{Answer, Operation};
use crate::domain::fleet::Fleet;
use crate::store::{Kind, ListQuery, Scope};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "UpdateRuns_ListByFleet",
    summary: "Lists a fleet's update runs with their plans and progress.",
    served: SERVED,
    takes: None,
    answers: &[Answer::page(BODY)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let filter = filter::parse(call.query.get("$filter"), &[])?;
    call.service.check_parent::<Fleet>(&call.id).await?;
    let limit = call.query.top()?;
    let scope = Scope::Parent(call.id.key());
    let query =
        ListQuery { kind: Kind::UpdateRun, scope, filter, after: call.query.after()?, limit: limit + 1 };
    let runs = call.service.update_runs(&query).await?;
    let shown = runs.into_iter().map(|(place, run)| (place, run.entity.shown(run.etag, &call.version)));
    Ok(page_of_bodies(&call, shown.collect(), limit))
}
