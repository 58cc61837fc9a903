//! `GET F/members`.

use axum::response::Response;

use crate::api::contract::Served;
use crate::api::contract::table::member::TYPE;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::filter::{self, Filterable};
use crate::api::page::{answer_page, page_of};
use crate::api::resource::Rendered as _;
use crate::api::route::{Answer, Operation};
use crate::domain::fleet::Fleet;
use crate::domain::member::Member;
use crate::store::{Kind, ListQuery, Scope};

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
    Filterable { path: "group", stored: &["group"], ignore_case: true, values: &[] },
    Filterable { path: "clusterMeshProfile", stored: &["mesh", "profile"], ignore_case: true, values: &[] },
    Filterable { path: "clusterMeshProfile.Selector", stored: SELECTED, ignore_case: true, values: &[] },
];

/// Stands for what no stored document says: the profile whose selector matches the member now.
const SELECTED: &[&str] = &["mesh", "selector"];

/// The handler.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let conditions = filter::parse(call.query.get("$filter"), FILTERS)?;
    call.service.check_parent::<Fleet>(&call.id).await?;
    let scope = Scope::Parent(call.id.key());
    let (selected, filter): (Vec<_>, Vec<_>) =
        conditions.into_iter().partition(|condition| condition.path == SELECTED);
    if selected.is_empty() {
        return answer_page::<Member>(&call, scope, filter).await;
    }
    let profiles: Vec<String> = selected.into_iter().map(|condition| condition.value).collect();
    let (limit, after) = (call.query.top()?, call.query.after()?);
    let query = ListQuery { kind: Kind::Member, scope, filter, after, limit: limit + 1 };
    let records = call.service.members_selected_by(&call.id, &profiles, &query).await?;
    page_of(&call, records, limit, |record| {
        let stored = record.decode::<Member>()?;
        Ok(stored.entity.shown(stored.etag, &call.version))
    })
}
