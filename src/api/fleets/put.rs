//! `PUT RG/…/fleets/{fleet}`.

use axum::response::Response;

use crate::api::attempt::attempt;
use crate::api::contract::table::fleet::TYPE;
use crate::api::contract::{Method, Served};
use crate::api::error::ApiError;
use crate::api::extract::{Call, RawBody};
use crate::api::lro::{Polling, answer_put};
use crate::api::resource::Rendered as _;
use crate::api::route::{Answer, Operation};
use crate::domain::fleet::FleetSpec;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "Fleets_CreateOrUpdate",
    summary: "Create or replace a fleet.",
    served: Served::Fleet(TYPE.versions),
    takes: Some(TYPE.body),
    answers: &[
        Answer::one(200, TYPE.body).polled(Polling::Status),
        Answer::one(201, TYPE.body).polled(Polling::Status),
    ],
};

/// The handler.
pub async fn handle(call: Call, body: RawBody) -> Result<Response, ApiError> {
    let (call, body) = (&call, &body);
    let written = attempt(|| {
        call.service.put_fleet(&call.context, &call.id, &call.preconditions, move |existing| {
            let stored = existing.map(|existing| existing.newest());
            body.read(call, TYPE.body, Method::Put, stored.as_ref(), |value, faults| {
                FleetSpec::read_into(&call.id, value, existing, faults)
            })
        })
    })
    .await?;
    Ok(answer_put(call, &written))
}
