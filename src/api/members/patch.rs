//! `PATCH F/members/{member}`.

use axum::response::Response;

use crate::api::attempt::attempt;
use crate::api::contract::table::member::{PATCH, TYPE};
use crate::api::contract::{Method, Served};
use crate::api::error::ApiError;
use crate::api::extract::{Call, RawBody};
use crate::api::lro::answer_patch;
use crate::api::resource::Rendered as _;
use crate::api::route::{Answer, Operation};
use crate::domain::member::{Member, Placement};

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "FleetMembers_Update",
    summary: "Change the group or labels of a member.",
    served: Served::Fleet(TYPE.versions),
    takes: Some(&PATCH),
    answers: &[Answer::one(200, TYPE.body)],
};

/// The handler.
pub async fn handle(call: Call, body: RawBody) -> Result<Response, ApiError> {
    let decode = |existing: &Member| {
        let stored = existing.newest();
        body.read(&call, &PATCH, Method::Patch, Some(&stored), |value, faults| {
            Placement::patch_into(value, existing, faults)
        })
    };
    let written =
        attempt(|| call.service.patch_member(&call.context, &call.id, &call.preconditions, &decode)).await?;
    Ok(answer_patch(&call, &written))
}
