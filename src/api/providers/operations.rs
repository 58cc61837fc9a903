//! `GET /providers/Microsoft.ContainerService/operations`: every action, with texts for people.

use axum::Json;
use serde_json::{Value, json};

use crate::api::contract::Served;
use crate::api::contract::table::arm::operation::PROVIDER_OPERATION;
use crate::api::extract::Unscoped;
use crate::api::route::{Answer, Operation};
use crate::domain::resource_id::CONTAINER_SERVICE;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "Operations_List",
    summary: "List the provider's operations.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::list(&PROVIDER_OPERATION)],
};

/// Types, what one of them is called, and what can be done with it beside reading, writing and deleting.
const TYPES: &[(&str, &str, &[&str])] = &[
    ("fleets", "fleet", &["listCredentials"]),
    ("fleets/members", "fleet member", &[]),
    ("fleets/updateStrategies", "update strategy", &[]),
    ("fleets/updateRuns", "update run", &["start", "stop", "skip"]),
    ("fleets/gates", "gate", &[]),
    ("fleets/autoUpgradeProfiles", "auto-upgrade profile", &["generateUpdateRun"]),
    ("fleets/managedNamespaces", "managed namespace", &[]),
    ("fleets/clusterMeshProfiles", "cluster mesh profile", &["apply"]),
    ("managedClusters", "managed cluster", &["start", "stop", "abort"]),
    ("managedClusters/agentPools", "agent pool", &["upgradeNodeImageVersion"]),
    ("managedClusters/maintenanceConfigurations", "maintenance configuration", &[]),
    ("snapshots", "snapshot", &[]),
];

/// The handler.
pub async fn handle(_: Unscoped) -> Json<Value> {
    let operations: Vec<Value> = TYPES.iter().flat_map(of_type).collect();
    Json(json!({ "value": operations }))
}

fn of_type((path, what, actions): &(&str, &str, &[&str])) -> Vec<Value> {
    let operation = |name: String, title: String, description: String| {
        json!({
            "name": format!("{CONTAINER_SERVICE}/{path}/{name}"),
            "isDataAction": false,
            "display": {
                "provider": "Microsoft Container Service",
                "resource": what,
                "operation": title,
                "description": description,
            },
            "origin": "user,system",
        })
    };
    let plain = [("read", "Get"), ("write", "Create or update"), ("delete", "Delete")];
    let plain = plain.iter().map(|(name, verb)| {
        operation((*name).to_owned(), format!("{verb} {what}"), format!("{verb} a {what}."))
    });
    let actions = actions.iter().map(|action| {
        operation(
            format!("{action}/action"),
            format!("{action} {what}"),
            format!("Call {action} on a {what}."),
        )
    });
    plain.chain(actions).collect()
}
