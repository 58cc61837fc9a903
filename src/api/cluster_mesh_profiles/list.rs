//! `GET F/clusterMeshProfiles`.

use axum::response::Response;

use crate::api::contract::Served;
use crate::api::contract::table::mesh::TYPE;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::filter;
use crate::api::page::answer_page;
use crate::api::route::{Answer, Operation};
use crate::domain::fleet::Fleet;
use crate::domain::mesh::ClusterMeshProfile;
use crate::store::Scope;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "ClusterMeshProfiles_ListByFleet",
    summary: "List the cluster mesh profiles of a fleet, by name.",
    served: Served::Fleet(TYPE.versions),
    takes: None,
    answers: &[Answer::page(TYPE.body)],
};

/// The handler.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let filter = filter::parse(call.query.get("$filter"), &[])?;
    call.service.check_parent::<Fleet>(&call.id).await?;
    answer_page::<ClusterMeshProfile>(&call, Scope::Parent(call.id.key()), filter).await
}
