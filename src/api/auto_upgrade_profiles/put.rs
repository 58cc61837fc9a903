//! `PUT F/autoUpgradeProfiles/{autoUpgradeProfileName}`.

use axum::response::Response;

use crate::api::attempt::attempt;
use crate::api::contract::table::auto_upgrade::TYPE;
use crate::api::contract::{Method, Served};
use crate::api::error::ApiError;
use crate::api::extract::{Call, RawBody};
use crate::api::lro::answer_put;
use crate::api::resource::Rendered as _;
use crate::api::route::{Answer, Operation};
use crate::domain::auto_upgrade::ProfileSpec;
use crate::domain::names::check_child_name;
use crate::domain::refusal::Code;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "AutoUpgradeProfiles_CreateOrUpdate",
    summary: "Create or replace an auto-upgrade profile.",
    served: Served::Fleet(TYPE.versions),
    takes: Some(TYPE.body),
    answers: &[Answer::one(200, TYPE.body), Answer::one(201, TYPE.body)],
};

/// The handler.
pub async fn handle(call: Call, body: RawBody) -> Result<Response, ApiError> {
    let (call, body) = (&call, &body);
    let written = attempt(|| {
        call.service.put_auto_upgrade_profile(&call.context, &call.id, &call.preconditions, move |existing| {
            let stored = existing.map(|existing| existing.newest());
            body.read(call, TYPE.body, Method::Put, stored.as_ref(), |value, faults| {
                if let Err(problem) = check_child_name(call.id.name()) {
                    faults.add(Code::InvalidResourceName, "name", format!("{problem}."));
                }
                ProfileSpec::read_into(&value["properties"], faults)
            })
        })
    })
    .await?;
    Ok(answer_put(call, &written))
}
