//! Subscriptions, providers, resource groups, and the process itself.

use std::sync::Arc;

use axum::http::Method;
use fleetplane::lifecycle::shutdown;
use fleetplane::testing::app::{GROUP, SUBSCRIPTION};
use serde_json::json;

use super::Recorder;

pub async fn begin(recorder: &mut Recorder) {
    recorder.put(GROUP, json!({ "location": "westeurope", "tags": { "team": "platform" } })).await;
    recorder.get(GROUP).await;
    recorder.send(Method::HEAD, GROUP, &[], None).await;
    recorder.patch(GROUP, json!({ "tags": { "team": "platform", "stage": "prod" } })).await;
    recorder.get(&format!("{SUBSCRIPTION}/resourceGroups")).await;
    recorder.get("/subscriptions").await;
    recorder.get("/tenants").await;
    recorder.get("/providers/Microsoft.ContainerService/operations").await;
    recorder.get(SUBSCRIPTION).await;
    recorder.get("/metadata/endpoints?api-version=2022-09-01").await;
    let token = "/dev/identity/token?api-version=2019-08-01&resource=http://localhost/";
    recorder.send(Method::GET, token, &[("X-IDENTITY-HEADER", "any")], None).await;
    for path in ["locations", "providers", "providers/Microsoft.ContainerService"] {
        recorder.get(&format!("{SUBSCRIPTION}/{path}")).await;
    }
    recorder.post(&format!("{SUBSCRIPTION}/providers/Microsoft.ContainerService/register")).await;
}

/// Lists what there is by now.
pub async fn look_around(recorder: &mut Recorder) {
    recorder.get(&format!("{SUBSCRIPTION}/resources")).await;
    recorder.get(&format!("{GROUP}/resources")).await;
}

/// Deletes the group, and looks after the process.
pub async fn end(recorder: &mut Recorder) {
    recorder.delete(GROUP).await;
    recorder.get("/livez").await;
    recorder.get("/openapi.json").await;
    recorder.get("/metrics").await;
    let scheduler = Arc::clone(recorder.app.scheduler());
    let (trigger, until) = shutdown();
    let running = Arc::clone(&scheduler);
    let driver = tokio::spawn(async move { running.run(until).await });
    while !scheduler.status().is_alive() {
        tokio::task::yield_now().await;
    }
    recorder.get("/readyz").await;
    trigger.request();
    driver.await.unwrap();
}
