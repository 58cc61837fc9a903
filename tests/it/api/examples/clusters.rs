//! A managed cluster with its pools, windows and a snapshot.

use fleetplane::testing::app::{GROUP, SUBSCRIPTION};
use serde_json::json;

use super::Recorder;
use crate::api::{CLUSTER, cluster_body, snapshot_body, window_body};

const PROVIDER: &str = "providers/Microsoft.ContainerService";

/// Makes the cluster and everything in it.
pub async fn begin(recorder: &mut Recorder) {
    recorder.put(CLUSTER, cluster_body()).await;
    recorder.advance("PT15M").await;
    recorder.get(CLUSTER).await;
    recorder.get(&format!("{GROUP}/{PROVIDER}/managedClusters")).await;
    recorder.get(&format!("{SUBSCRIPTION}/{PROVIDER}/managedClusters?$top=10")).await;
    recorder.patch(CLUSTER, json!({ "tags": { "team": "shop" } })).await;
    recorder.post(&format!("{CLUSTER}/listClusterUserCredential")).await;
    recorder.post(&format!("{CLUSTER}/listClusterAdminCredential")).await;
    recorder.get(&format!("{CLUSTER}/upgradeProfiles/default")).await;
    let locations = format!("{SUBSCRIPTION}/{PROVIDER}/locations/eastus");
    recorder.get(&format!("{locations}/kubernetesVersions")).await;
    recorder.get(&format!("{locations}/nodeImageVersions?$top=3")).await;
    pools(recorder).await;
    windows(recorder).await;
    snapshots(recorder).await;
    operations(recorder).await;
}

async fn pools(recorder: &mut Recorder) {
    let pool = format!("{CLUSTER}/agentPools/extra");
    recorder.put(&pool, json!({ "properties": { "count": 2, "vmSize": "Standard_D4s_v5" } })).await;
    recorder.advance("PT15M").await;
    recorder.get(&pool).await;
    recorder.get(&format!("{CLUSTER}/agentPools")).await;
    recorder.get(&format!("{pool}/upgradeProfiles/default")).await;
    // A newer image, so that there is something to upgrade to.
    let image = json!({ "kind": "NodeImage", "version": "AKSUbuntu-2204gen2containerd-202612.01.0" });
    recorder.post_body("/simulator/releases", image).await;
    recorder.post(&format!("{pool}/upgradeNodeImageVersion")).await;
    recorder.post(&format!("{pool}/abort")).await;
    recorder.advance("PT15M").await;
}

async fn windows(recorder: &mut Recorder) {
    let window = format!("{CLUSTER}/maintenanceConfigurations/aksManagedNodeOSUpgradeSchedule");
    recorder.put(&window, window_body()).await;
    recorder.get(&window).await;
    recorder.get(&format!("{CLUSTER}/maintenanceConfigurations")).await;
    recorder.delete(&window).await;
}

async fn snapshots(recorder: &mut Recorder) {
    let snapshots = format!("{PROVIDER}/snapshots");
    let snapshot = format!("{GROUP}/{snapshots}/work-image");
    recorder.put(&snapshot, snapshot_body()).await;
    recorder.get(&snapshot).await;
    recorder.get(&format!("{GROUP}/{snapshots}")).await;
    recorder.get(&format!("{SUBSCRIPTION}/{snapshots}")).await;
    recorder.patch(&snapshot, json!({ "tags": { "keep": "yes" } })).await;
    recorder.delete(&snapshot).await;
}

async fn operations(recorder: &mut Recorder) {
    recorder.post(&format!("{CLUSTER}/stop")).await;
    recorder.post(&format!("{CLUSTER}/abort")).await;
    recorder.post(&format!("{CLUSTER}/stop")).await;
    recorder.advance("PT15M").await;
    recorder.post(&format!("{CLUSTER}/start")).await;
    recorder.advance("PT15M").await;
}

/// Deletes it.
pub async fn end(recorder: &mut Recorder) {
    recorder.delete(&format!("{CLUSTER}/agentPools/extra")).await;
    recorder.advance("PT15M").await;
    recorder.delete(CLUSTER).await;
}
