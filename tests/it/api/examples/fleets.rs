//! A fleet and a member of it.

use axum::http::Method;
use fleetplane::testing::app::{FLEET, GROUP, SUBSCRIPTION, TestAnswer};
use serde_json::json;

use super::Recorder;
use crate::api::CLUSTER;

/// The member that is made one by one.
pub fn member() -> String {
    format!("{FLEET}/members/m1")
}

/// The path of a polling URL.
fn polled(answer: &TestAnswer, header: &str) -> String {
    answer.header(header).replacen("http://localhost", "", 1)
}

/// Makes a fleet with a hub, follows the operations, and lets the cluster join.
pub async fn begin(recorder: &mut Recorder) {
    let body = json!({
        "location": "westeurope",
        "tags": { "team": "platform" },
        "properties": { "hubProfile": { "dnsPrefix": "shop" } },
    });
    let made = recorder.put(FLEET, body).await;
    recorder.get(&polled(&made, "azure-asyncoperation")).await;
    recorder.advance("PT15M").await;
    recorder.get(FLEET).await;
    recorder.get(&format!("{GROUP}/providers/Microsoft.ContainerService/fleets")).await;
    recorder.get(&format!("{SUBSCRIPTION}/providers/Microsoft.ContainerService/fleets")).await;
    let changed = recorder.patch(FLEET, json!({ "identity": { "type": "SystemAssigned" } })).await;
    recorder.advance("PT15M").await;
    recorder.get(&polled(&changed, "location")).await;
    recorder.post(&format!("{FLEET}/listCredentials")).await;

    let body = json!({ "properties": {
        "clusterResourceId": CLUSTER, "group": "prod", "labels": { "tier": "web" },
    } });
    recorder.put(&member(), body).await;
    recorder.advance("PT1M").await;
    let etag = recorder.get(&member()).await.header("etag").to_owned();
    let change = json!({ "properties": { "group": "canary" } });
    recorder.send(Method::PATCH, &member(), &[("if-match", &etag)], Some(change)).await;
    recorder.get(&format!("{FLEET}/members?$filter=group%20eq%20canary")).await;
}

/// Deletes both.
pub async fn end(recorder: &mut Recorder) {
    recorder.delete(&member()).await;
    recorder.advance("PT1M").await;
    recorder.delete(FLEET).await;
    recorder.advance("PT15M").await;
}
