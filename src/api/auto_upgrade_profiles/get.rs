//! `GET F/autoUpgradeProfiles/{autoUpgradeProfileName}`.

use axum::response::Response;

use crate::api::contract::Served;
use crate::api::contract::table::auto_upgrade::TYPE;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::resource::answer_get;
use crate::api::route::{Answer, Operation};
use crate::domain::auto_upgrade::AutoUpgradeProfile;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "AutoUpgradeProfiles_Get",
    summary: "Get an auto-upgrade profile.",
    served: Served::Fleet(TYPE.versions),
    takes: None,
    answers: &[Answer::one(200, TYPE.body)],
};

/// The handler.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let stored = call.service.read::<AutoUpgradeProfile>(&call.id).await?;
    Ok(answer_get(&call, &stored))
}
