//! `PATCH F/gates/{gateName}`: the approval.

use axum::http::StatusCode;
use axum::response::Response;

use super::{BODY, SERVED};
use crate::api::attempt::attempt;
use crate::api::contract::Method;
use crate::api::contract::table::gate::PATCH;
use crate::api::error::ApiError;
use crate::api::extract::{Call, RawBody};
use crate::api::resource::{Rendered as _, answer};
use crate::api::route::{Answer, Operation};
use crate::domain::gate::Gate;
use crate::domain::refusal::Code;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "Gates_Update",
    summary: "Completes a gate: an approval, or a scheduled start ahead of its time.",
    served: SERVED,
    takes: Some(&PATCH),
    answers: &[Answer::one(200, BODY)],
};

/// Answers it.
pub async fn handle(call: Call, body: RawBody) -> Result<Response, ApiError> {
    let decode = |_: &Gate| {
        body.read(&call, &PATCH, Method::Patch, None, |value, faults| {
            let state = value["properties"]["state"].as_str();
            if let Some(other) = state.filter(|state| *state != "Completed") {
                let message = format!("A gate can only be set to Completed; the request asks for {other}.");
                faults.add(Code::InvalidParameter, "properties.state", message);
            }
        })
    };
    let stored =
        attempt(|| call.service.patch_gate(&call.context, &call.id, &call.preconditions, &decode)).await?;
    Ok(answer(StatusCode::OK, &stored.entity.shown(stored.etag, &call.version), stored.etag))
}
