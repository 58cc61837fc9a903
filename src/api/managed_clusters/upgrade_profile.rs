//! `GET RG/P/managedClusters/{cluster}/upgradeProfiles/default`.

use axum::Json;
use serde_json::{Value, json};

use crate::api::contract::Served;
use crate::api::contract::table::aks::upgrade_profile::OF_CLUSTER;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::route::{Answer, Operation};
use crate::domain::kubernetes_version::KubernetesVersion;
use crate::domain::resource_id::ResourceId;
use crate::service::ServiceError;
use crate::service::managed_clusters::Upgrade;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "ManagedClusters_GetUpgradeProfile",
    summary: "Shows what a managed cluster and its pools can be upgraded to.",
    served: Served::Aks,
    takes: None,
    answers: &[Answer::one(200, &OF_CLUSTER)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Json<Value>, ApiError> {
    let cluster = profile_of(&call.id)?;
    let (cluster, upgrades) = call.service.cluster_upgrades(&cluster).await?;
    let pools = cluster.pools.iter().map(|pool| {
        let below: Vec<Upgrade> = upgrades_of_pool(pool.current_version, cluster.current_version, &upgrades);
        let mut profile = shown(pool.current_version, &below);
        (profile["name"], profile["osType"]) = (json!(pool.name), json!(pool.os));
        profile
    });
    let mut control_plane = shown(cluster.current_version, &upgrades);
    (control_plane["name"], control_plane["osType"]) = (json!("master"), json!("Linux"));
    Ok(Json(json!({
        "id": call.id,
        "name": "default",
        "type": call.id.type_name(),
        "properties": { "controlPlaneProfile": control_plane, "agentPoolProfiles": pools.collect::<Vec<_>>() },
    })))
}

/// What a pool can go to: where its control plane is, and where that can go.
fn upgrades_of_pool(
    pool: KubernetesVersion,
    control_plane: KubernetesVersion,
    upgrades: &[Upgrade],
) -> Vec<Upgrade> {
    let here = (pool < control_plane).then_some(Upgrade { version: control_plane, is_preview: false });
    here.into_iter().chain(upgrades.iter().copied()).collect()
}

/// A profile's version and upgrades.
pub(in crate::api) fn shown(version: KubernetesVersion, upgrades: &[Upgrade]) -> Value {
    let upgrades: Vec<Value> = upgrades
        .iter()
        .map(|upgrade| {
            let mut shown = json!({ "kubernetesVersion": upgrade.version });
            if upgrade.is_preview {
                shown["isPreview"] = json!(true);
            }
            shown
        })
        .collect();
    json!({ "kubernetesVersion": version, "upgrades": upgrades })
}

/// The resource whose profile `id` is; there is only the profile `default`.
pub(in crate::api) fn profile_of(id: &ResourceId) -> Result<ResourceId, ServiceError> {
    let parent = id.parent().filter(|_| id.name().eq_ignore_ascii_case("default"));
    parent.ok_or_else(|| ServiceError::not_found(id))
}
