//! The API through the real router, on both stores: one folder a resource, one file a verb; what all resources share is
//! beside them.

mod auto_upgrade_profiles;
mod cluster_mesh_profiles;
mod completeness;
mod connections;
mod deleting;
mod envelope;
mod estate;
mod examples;
mod fleets;
mod fuzz;
mod gates;
mod health;
mod https;
mod kinds;
mod limits;
mod long_running;
mod managed_clusters;
mod managed_namespaces;
mod members;
mod paging;
mod preconditions;
mod races;
mod resource_groups;
mod resources;
mod round_trip;
mod simulator;
mod surroundings;
mod throttling;
mod update_runs;
mod update_strategies;
mod vanishing;
mod versions;

use fleetplane::testing::app::{FLEET, GROUP, TestApp};
use serde_json::{Value, json};

/// Whether a request of `path` is on the route of the table.
fn is_on(path: &str, route: &str) -> bool {
    let path = path.split('?').next().unwrap_or(path);
    let (path, route): (Vec<_>, Vec<_>) = (path.split('/').collect(), route.split('/').collect());
    let same = |(segment, of_route): (&&str, &&str)| of_route.starts_with('{') || segment == of_route;
    path.len() == route.len() && path.iter().zip(&route).all(same)
}

/// A body that makes a fleet.
fn fleet_body() -> Value {
    json!({ "location": "westeurope" })
}

/// A body that lets a connected cluster join.
fn member_body(cluster: &str) -> Value {
    let id = format!("{GROUP}/providers/Microsoft.Kubernetes/connectedClusters/{cluster}");
    json!({ "properties": { "clusterResourceId": id } })
}

/// A body that makes a strategy of one stage and group.
fn strategy_body() -> Value {
    json!({ "properties": { "strategy": { "stages": [{ "name": "one", "groups": [{ "name": "all" }] }] } } })
}

/// A body that makes a namespace.
fn namespace_body() -> Value {
    json!({ "location": "westeurope", "properties": { "adoptionPolicy": "Never", "deletePolicy": "Keep" } })
}

/// A body that makes a mesh of the members with these labels.
fn mesh_body(labels: &str) -> Value {
    json!({ "properties": { "memberSelector": { "byLabel": labels } } })
}

/// A body that makes a run of node images.
fn run_body() -> Value {
    json!({ "properties": { "managedClusterUpdate": { "upgrade": { "type": "NodeImageOnly" } } } })
}

/// A managed cluster in the group that most tests are in.
const CLUSTER: &str = "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/rg/providers/\
                       Microsoft.ContainerService/managedClusters/c1";

/// A body that makes a managed cluster of two pools, 3 and 25 nodes.
fn cluster_body() -> Value {
    json!({
        "location": "eastus",
        "properties": {
            "kubernetesVersion": "1.36.2",
            "dnsPrefix": "dns",
            "agentPoolProfiles": [{ "name": "sys", "mode": "System", "count": 3 }, { "name": "work", "count": 25 }],
        },
    })
}

/// A body that makes a maintenance configuration: every night.
fn window_body() -> Value {
    json!({ "properties": { "maintenanceWindow": {
        "schedule": { "daily": { "intervalDays": 1 } }, "durationHours": 4, "startTime": "01:00",
    } } })
}

/// A body that makes a snapshot of the cluster's second pool.
fn snapshot_body() -> Value {
    json!({
        "location": "eastus",
        "properties": { "creationData": { "sourceResourceId": format!("{CLUSTER}/agentPools/work") } },
    })
}

/// Makes the fleet that most tests are in.
async fn with_fleet(app: &TestApp) {
    let _ = app.put(FLEET, fleet_body()).await.expect(201);
}

/// Makes that fleet with a hub.
async fn with_hub(app: &TestApp) {
    let hub = json!({ "location": "westeurope", "properties": { "hubProfile": { "dnsPrefix": "one" } } });
    let _ = app.put(FLEET, hub).await.expect(201);
}
