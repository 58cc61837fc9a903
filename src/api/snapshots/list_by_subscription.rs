//! `GET SUB/P/snapshots`.

use axum::response::Response;

use crate::api::contract::Served;
use crate::api::contract::table::aks::snapshot::SNAPSHOT;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::filter;
use crate::api::page::answer_page;
use crate::api::route::{Answer, Operation};
use crate::domain::snapshot::Snapshot;
use crate::store::Scope;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "Snapshots_List",
    summary: "Lists the snapshots of a subscription, by group and name.",
    served: Served::Aks,
    takes: None,
    answers: &[Answer::page(&SNAPSHOT)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let filter = filter::parse(call.query.get("$filter"), &[])?;
    let scope = Scope::Subscription(call.id.subscription_id().to_ascii_lowercase());
    answer_page::<Snapshot>(&call, scope, filter).await
}
