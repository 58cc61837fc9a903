//! `DELETE F/autoUpgradeProfiles/{autoUpgradeProfileName}`.

use axum::http::StatusCode;

use crate::api::attempt::attempt;
use crate::api::contract::Served;
use crate::api::contract::table::auto_upgrade::TYPE;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::route::{Answer, Operation};

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "AutoUpgradeProfiles_Delete",
    summary: "Delete an auto-upgrade profile; its runs stay.",
    served: Served::Fleet(TYPE.versions),
    takes: None,
    answers: &[Answer::empty(204)],
};

/// The handler: 204 either way, the contract knows nothing else that is done at once.
pub async fn handle(call: Call) -> Result<StatusCode, ApiError> {
    attempt(|| call.service.delete_auto_upgrade_profile(&call.id, &call.preconditions)).await?;
    Ok(StatusCode::NO_CONTENT)
}
