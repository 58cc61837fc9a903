//! `POST F/updateRuns/{updateRunName}/skip`.

use axum::http::StatusCode;
use axum::response::Response;
use serde_json::Value;

use super::BODY;
use crate::api::attempt::attempt;
use crate::api::contract::table::HUB;
use crate::api::contract::table::update_run::SKIP;
use crate::api::contract::{Method, Served};
use crate::api::error::ApiError;
use crate::api::extract::{Call, RawBody};
use crate::api::resource::{Rendered as _, answer};
use crate::api::route::{Answer, Operation};
use crate::domain::refusal::{Code, Faults};
use crate::domain::update_run::skip::{SkipTarget, TargetType};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "UpdateRuns_Skip",
    summary: "Skips members, groups, stages or the waits after stages; all targets or none.",
    served: Served::Fleet(HUB),
    takes: Some(&SKIP),
    answers: &[Answer::one(200, BODY)],
};

/// Answers it.
pub async fn handle(call: Call, body: RawBody) -> Result<Response, ApiError> {
    let decode = || body.read(&call, &SKIP, Method::Patch, None, targets);
    let stored =
        attempt(|| call.service.skip_in_update_run(&call.context, &call.id, &call.preconditions, &decode))
            .await?;
    Ok(answer(StatusCode::OK, &stored.entity.shown(stored.etag, &call.version), stored.etag))
}

fn targets(value: &Value, faults: &mut Faults) -> Vec<SkipTarget> {
    let list = value["targets"].as_array().map(Vec::as_slice).unwrap_or_default();
    if value["targets"].is_array() && list.is_empty() {
        faults.add(Code::InvalidParameter, "targets", "Name at least one target to skip.");
    }
    list.iter().map(target).collect()
}

fn target(value: &Value) -> SkipTarget {
    let kind = match value["type"].as_str() {
        Some("Group") => TargetType::Group,
        Some("Stage") => TargetType::Stage,
        Some("AfterStageWait") => TargetType::AfterStageWait,
        _ => TargetType::Member,
    };
    SkipTarget { kind, name: value["name"].as_str().unwrap_or_default().to_owned() }
}
