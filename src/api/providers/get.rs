//! `GET SUB/providers/Microsoft.ContainerService`: the types, their regions and api-versions.

use axum::Json;
use serde_json::{Value, json};

use crate::api::contract::table::TYPES;
use crate::api::contract::table::arm::provider::PROVIDER;
use crate::api::contract::{FleetVersion, Served};
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::route::{Answer, Operation};
use crate::domain::resource_id::CONTAINER_SERVICE;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "Providers_Get",
    summary: "Get the provider's registration and its resource types.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::one(200, &PROVIDER)],
};

/// The AKS types, which take any date; the ones named are what clients usually ask for.
const AKS_TYPES: [&str; 4] = [
    "managedClusters",
    "managedClusters/agentPools",
    "managedClusters/maintenanceConfigurations",
    "snapshots",
];
const AKS_VERSIONS: [&str; 3] = ["2026-08-01", "2025-05-01", "2023-01-01"];

/// The handler.
pub async fn handle(call: Call) -> Result<Json<Value>, ApiError> {
    Ok(Json(body(&call, &call.service.regions().await?)))
}

/// The provider as Azure shows it.
pub(super) fn body(call: &Call, regions: &[String]) -> Value {
    let of_type = |name: &str, versions: Vec<&str>| json!({ "resourceType": name, "locations": regions, "apiVersions": versions });
    let fleet = TYPES.iter().map(|kind| {
        let mut versions: Vec<&str> = kind.versions.iter().map(FleetVersion::as_str).collect();
        versions.reverse();
        of_type(kind.path, versions)
    });
    let aks = AKS_TYPES.iter().map(|name| of_type(name, AKS_VERSIONS.to_vec()));
    json!({
        "id": format!("/subscriptions/{}/providers/{CONTAINER_SERVICE}", call.id.subscription_id()),
        "namespace": CONTAINER_SERVICE,
        "registrationPolicy": "RegistrationFree",
        "registrationState": "Registered",
        "resourceTypes": fleet.chain(aks).collect::<Vec<_>>(),
    })
}
