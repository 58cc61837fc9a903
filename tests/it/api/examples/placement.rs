//! A managed namespace and a cluster mesh on the fleet's members.

use fleetplane::testing::app::FLEET;
use serde_json::json;

use super::Recorder;
use crate::api::mesh_body;

pub async fn play(recorder: &mut Recorder) {
    namespace(recorder).await;
    mesh(recorder).await;
}

async fn namespace(recorder: &mut Recorder) {
    let namespace = format!("{FLEET}/managedNamespaces/shop");
    let body = json!({
        "location": "westeurope",
        "properties": {
            "managedNamespaceProperties": {
                "labels": { "team": "shop" },
                "defaultResourceQuota": { "cpuRequest": "500m", "cpuLimit": "1" },
                "defaultNetworkPolicy": { "ingress": "AllowSameNamespace", "egress": "AllowAll" },
            },
            "adoptionPolicy": "IfIdentical",
            "deletePolicy": "Delete",
            "propagationPolicy": {
                "type": "Placement",
                "placementProfile": { "defaultClusterResourcePlacement": {
                    "policy": { "placementType": "PickFixed", "clusterNames": ["m1"] },
                } },
            },
        },
    });
    recorder.put(&namespace, body).await;
    recorder.advance("PT1M").await;
    recorder.get(&namespace).await;
    recorder.get(&format!("{FLEET}/managedNamespaces")).await;
    recorder.patch(&namespace, json!({ "properties": { "deletePolicy": "Keep" } })).await;
    recorder.advance("PT1M").await;
    recorder.delete(&namespace).await;
    recorder.advance("PT1M").await;
}

async fn mesh(recorder: &mut Recorder) {
    let mesh = format!("{FLEET}/clusterMeshProfiles/web");
    recorder.put(&mesh, mesh_body("tier=web")).await;
    recorder.post(&format!("{mesh}/apply")).await;
    recorder.get(&mesh).await;
    recorder.get(&format!("{FLEET}/clusterMeshProfiles")).await;
    // Only a mesh that nobody is in can go.
    recorder.put(&mesh, json!({ "properties": {} })).await;
    recorder.post(&format!("{mesh}/apply")).await;
    recorder.delete(&mesh).await;
}
