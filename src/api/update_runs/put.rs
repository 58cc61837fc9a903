//! `PUT F/updateRuns/{updateRunName}`.

use axum::response::Response;

use super::{BODY, SERVED};
use crate::api::attempt::attempt;
use crate::api::contract::Method;
use crate::api::error::ApiError;
use crate::api::extract::{Call, RawBody};
use crate::api::lro::answer_put;
use crate::api::resource::Rendered as _;
use crate::api::route::{Answer, Operation};
use crate::domain::etag::ETag;
use crate::domain::names::check_child_name;
use crate::domain::refusal::Code;
use crate::domain::update_run::{RunSpec, UpdateRun};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "UpdateRuns_CreateOrUpdate",
    summary: "Makes an update run, or replaces one that has not started.",
    served: SERVED,
    takes: Some(BODY),
    answers: &[Answer::one(200, BODY), Answer::one(201, BODY)],
};

/// Answers it.
pub async fn handle(call: Call, body: RawBody) -> Result<Response, ApiError> {
    let decode = |existing: Option<&UpdateRun>| {
        let stored = existing.map(|run| run.body(ETag(uuid::Uuid::nil())));
        body.read(&call, BODY, Method::Put, stored.as_ref(), |value, faults| {
            if existing.is_none()
                && let Err(problem) = check_child_name(call.id.name())
            {
                faults.add(Code::InvalidResourceName, "name", format!("{problem}."));
            }
            RunSpec::read_into(&value["properties"], faults)
        })
    };
    let written =
        attempt(|| call.service.put_update_run(&call.context, &call.id, &call.preconditions, &decode))
            .await?;
    Ok(answer_put(&call, &written))
}
