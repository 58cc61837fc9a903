//! `PUT F/members/{member}`.

use axum::response::Response;

use crate::api::attempt::attempt;
use crate::api::contract::table::member::TYPE;
use crate::api::contract::{Method, Served};
use crate::api::error::ApiError;
use crate::api::extract::{Call, RawBody};
use crate::api::lro::{Polling, answer_put};
use crate::api::resource::Rendered as _;
use crate::api::route::{Answer, Operation};
use crate::domain::member::MemberSpec;
use crate::domain::refusal::{Code, Refusal};

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "FleetMembers_Create",
    summary: "Let a cluster join a fleet, or change its membership.",
    served: Served::Fleet(TYPE.versions),
    takes: Some(TYPE.body),
    answers: &[
        Answer::one(200, TYPE.body).polled(Polling::Status),
        Answer::one(201, TYPE.body).polled(Polling::Status),
    ],
};

/// What a member cannot be without.
const CLUSTER: &str = "properties.clusterResourceId";

/// The handler.
pub async fn handle(call: Call, body: RawBody) -> Result<Response, ApiError> {
    let (call, body) = (&call, &body);
    let written = attempt(|| {
        call.service.put_member(&call.context, &call.id, &call.preconditions, move |existing| {
            let stored = existing.map(|existing| existing.newest());
            let spec = body.read(call, TYPE.body, Method::Put, stored.as_ref(), |value, faults| {
                MemberSpec::read_into(&call.id, value, existing, faults)
            })?;
            spec.ok_or_else(|| {
                Refusal::at(Code::RequiredPropertyMissing, CLUSTER, "A member needs a cluster.")
            })
        })
    })
    .await?;
    Ok(answer_put(call, &written))
}
