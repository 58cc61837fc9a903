//! What the simulator is asked and told.

use fleetplane::testing::app::SUBSCRIPTION;
use serde_json::json;

use super::Recorder;
use crate::api::CLUSTER;

/// Makes more clusters that join the fleet, one of them slow.
pub async fn begin(recorder: &mut Recorder) {
    let body = json!({
        "subscriptionId": SUBSCRIPTION.trim_start_matches("/subscriptions/"),
        "resourceGroup": "rg",
        "namePrefix": "shop",
        "count": 3,
        "regions": ["westeurope"],
        "kubernetesVersion": "1.35",
        "fleet": "fleet1",
        "groups": ["canary", "prod", "prod"],
    });
    recorder.post_body("/simulator/clusters", body).await;
    let behavior = format!("/simulator/behaviors{CLUSTER}");
    let slow = json!({
        "controlPlaneMinutes": 30,
        "failures": [{ "at": "ControlPlane", "code": "OperationTimeout", "message": "It took too long.", "times": 1 }],
    });
    recorder.put(&behavior, slow).await;
    recorder.get(&behavior).await;
    recorder.delete(&behavior).await;
    recorder.get("/simulator/clock").await;
    recorder.get("/simulator/catalogue").await;
}

/// Changes how the clock goes: a clock that goes by itself would make nothing after it repeatable.
pub async fn end(recorder: &mut Recorder) {
    recorder.put("/simulator/clock", json!({ "mode": "manual" })).await;
}
