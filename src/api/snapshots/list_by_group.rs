//! `GET RG/P/snapshots`.

use axum::response::Response;

use crate::api::contract::Served;
use crate::api::contract::table::aks::snapshot::SNAPSHOT;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::filter;
use crate::api::page::answer_page;
use crate::api::resource_groups::group_exists;
use crate::api::route::{Answer, Operation};
use crate::domain::snapshot::Snapshot;
use crate::store::Scope;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "Snapshots_ListByResourceGroup",
    summary: "Lists the snapshots of a resource group, by name.",
    served: Served::Aks,
    takes: None,
    answers: &[Answer::page(&SNAPSHOT)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let filter = filter::parse(call.query.get("$filter"), &[])?;
    group_exists(&call).await?;
    let scope = Scope::Parent(call.id.key());
    answer_page::<Snapshot>(&call, scope, filter).await
}
