//! `GET RG/P/managedClusters/{cluster}/agentPools/{pool}/upgradeProfiles/default`.

use axum::Json;
use serde_json::{Value, json};

use crate::api::contract::Served;
use crate::api::contract::table::aks::upgrade_profile::OF_POOL;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::managed_clusters::upgrade_profile::{profile_of, shown};
use crate::api::route::{Answer, Operation};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "AgentPools_GetUpgradeProfile",
    summary: "Shows what an agent pool can be upgraded to.",
    served: Served::Aks,
    takes: None,
    answers: &[Answer::one(200, &OF_POOL)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Json<Value>, ApiError> {
    let pool = profile_of(&call.id)?;
    let found = call.service.pool_upgrades(&pool).await?;
    let mut properties = shown(found.pool.current_version, &found.upgrades);
    properties["osType"] = json!(found.pool.os);
    properties["latestNodeImageVersion"] = json!(found.latest_image);
    Ok(Json(json!({
        "id": call.id,
        "name": "default",
        "type": call.id.type_name(),
        "properties": properties,
    })))
}
