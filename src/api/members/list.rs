//! `GET F/members`.

use axum::response::Response;

use crate::api::contract::Served;
use crate::api::contract::table::member::TYPE;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::filter::{self, Filterable};
use crate::api::page::answer_page;
use crate::api::route::{Answer, Operation};
use crate::domain::fleet::Fleet;
use crate::domain::member::Member;
use crate::store::Scope;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "FleetMembers_ListByFleet",
    summary: "List the members of a fleet, by name.",
    served: Served::Fleet(TYPE.versions),
    takes: None,
    answers: &[Answer::page(TYPE.body)],
};

/// What the contract lets members be listed by; a mesh is named by its profile.
const FILTERS: &[Filterable] = &[
    Filterable { path: "group", stored: &["group"], ignore_case: true },
    Filterable { path: "clusterMeshProfile", stored: &["mesh", "profile"], ignore_case: true },
];

/// The handler.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let filter = filter::parse(call.query.get("$filter"), FILTERS)?;
    call.service.check_parent::<Fleet>(&call.id).await?;
    answer_page::<Member>(&call, Scope::Parent(call.id.key()), filter).await
}
