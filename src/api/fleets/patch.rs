//! `PATCH RG/…/fleets/{fleet}`.

use axum::response::Response;

use crate::api::attempt::attempt;
use crate::api::contract::table::fleet::{PATCH, TYPE};
use crate::api::contract::{Method, Served};
use crate::api::error::ApiError;
use crate::api::extract::{Call, RawBody};
use crate::api::lro::{Polling, answer_patch};
use crate::api::resource::Rendered as _;
use crate::api::route::{Answer, Operation};
use crate::domain::fleet::{Fleet, FleetPatch};

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "Fleets_Update",
    summary: "Change the tags or identity of a fleet.",
    served: Served::Fleet(TYPE.versions),
    takes: Some(&PATCH),
    answers: &[Answer::one(200, TYPE.body), Answer::one(202, TYPE.body).polled(Polling::StatusAndResult)],
};

/// The handler.
pub async fn handle(call: Call, body: RawBody) -> Result<Response, ApiError> {
    let decode = |existing: &Fleet| {
        let stored = existing.newest();
        body.read(&call, &PATCH, Method::Patch, Some(&stored), |value, faults| {
            FleetPatch::read_into(value, existing, faults)
        })
    };
    let written =
        attempt(|| call.service.patch_fleet(&call.context, &call.id, &call.preconditions, &decode)).await?;
    Ok(answer_patch(&call, &written))
}
