//! `PUT F/updateStrategies/{strategy}`.

use axum::response::Response;

use crate::api::attempt::attempt;
use crate::api::contract::table::strategy::TYPE;
use crate::api::contract::{Method, Served};
use crate::api::error::ApiError;
use crate::api::extract::{Call, RawBody};
use crate::api::lro::answer_put;
use crate::api::resource::Rendered as _;
use crate::api::route::{Answer, Operation};
use crate::domain::names::check_child_name;
use crate::domain::refusal::Code;
use crate::domain::strategy::Strategy;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "FleetUpdateStrategies_CreateOrUpdate",
    summary: "Create or replace an update strategy.",
    served: Served::Fleet(TYPE.versions),
    takes: Some(TYPE.body),
    answers: &[Answer::one(200, TYPE.body), Answer::one(201, TYPE.body)],
};

/// The handler.
pub async fn handle(call: Call, body: RawBody) -> Result<Response, ApiError> {
    let (call, body) = (&call, &body);
    let written = attempt(|| {
        call.service.put_update_strategy(&call.context, &call.id, &call.preconditions, move |existing| {
            let stored = existing.map(|existing| existing.newest());
            body.read(call, TYPE.body, Method::Put, stored.as_ref(), |value, faults| {
                if existing.is_none()
                    && let Err(problem) = check_child_name(call.id.name())
                {
                    faults.add(Code::InvalidResourceName, "name", format!("{problem}."));
                }
                Strategy::read_into(&value["properties"]["strategy"], "properties.strategy", faults)
            })
        })
    })
    .await?;
    Ok(answer_put(call, &written))
}
