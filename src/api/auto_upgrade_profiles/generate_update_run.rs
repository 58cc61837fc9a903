//! `POST F/autoUpgradeProfiles/{autoUpgradeProfileName}/generateUpdateRun`.

use axum::Json;
use axum::http::{HeaderName, HeaderValue};
use axum::response::{IntoResponse as _, Response};
use serde_json::json;

use crate::api::attempt::attempt;
use crate::api::contract::Served;
use crate::api::contract::table::STATUS;
use crate::api::contract::table::auto_upgrade::GENERATED;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::route::{Answer, Operation};

/// Says that the run was there already, and is as it was.
const EXISTING: HeaderName = HeaderName::from_static("x-ms-fleetplane-existing");

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "AutoUpgradeProfileOperations_GenerateUpdateRun",
    summary: "Make the update run that the profile would make now, without starting it.",
    served: Served::Fleet(STATUS),
    takes: None,
    answers: &[Answer::one(200, &GENERATED)],
};

/// The handler.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let call = &call;
    let generate = || call.service.generate_update_run(&call.context, &call.id, &call.preconditions);
    let generated = attempt(generate).await?;
    let mut response = Json(json!({ "id": generated.id })).into_response();
    if generated.existing {
        response.headers_mut().insert(EXISTING, HeaderValue::from_static("true"));
    }
    Ok(response)
}
