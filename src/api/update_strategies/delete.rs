//! `DELETE F/updateStrategies/{strategy}`.

use axum::http::StatusCode;

use crate::api::attempt::attempt;
use crate::api::contract::Served;
use crate::api::contract::table::strategy::TYPE;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::route::{Answer, Operation};

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "FleetUpdateStrategies_Delete",
    summary: "Delete an update strategy; runs keep the snapshot they took.",
    served: Served::Fleet(TYPE.versions),
    takes: None,
    answers: &[Answer::empty(200), Answer::empty(204)],
};

/// The handler.
pub async fn handle(call: Call) -> Result<StatusCode, ApiError> {
    let deleted = attempt(|| call.service.delete_update_strategy(&call.id, &call.preconditions)).await?;
    Ok(if deleted { StatusCode::OK } else { StatusCode::NO_CONTENT })
}
