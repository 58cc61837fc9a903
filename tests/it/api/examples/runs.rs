//! A rollout: strategy, run, gates, and a profile that makes runs.

use axum::http::Method;
use fleetplane::testing::app::FLEET;
use serde_json::{Value, json};

use super::Recorder;

fn strategy() -> String {
    format!("{FLEET}/updateStrategies/careful")
}

/// Canary first, after an approval and with an hour's wait; then the rest, a few at once.
fn strategy_body() -> Value {
    json!({ "properties": { "strategy": { "stages": [
        {
            "name": "canary",
            "groups": [{ "name": "canary" }],
            "beforeGates": [{ "displayName": "change board", "type": "Approval" }],
            "afterStageWaitInSeconds": 3600,
        },
        { "name": "prod", "groups": [{ "name": "prod", "maxConcurrency": "50%" }], "maxAllowedFailures": "1" },
    ] } } })
}

pub async fn play(recorder: &mut Recorder) {
    let any = [("if-none-match", "*")];
    recorder.send(Method::PUT, &strategy(), &any, Some(strategy_body())).await;
    recorder.get(&strategy()).await;
    recorder.get(&format!("{FLEET}/updateStrategies")).await;
    run(recorder).await;
    profile(recorder).await;
    recorder.delete(&strategy()).await;
}

async fn run(recorder: &mut Recorder) {
    let run = format!("{FLEET}/updateRuns/to-1-36");
    let body = json!({ "properties": {
        "updateStrategyId": strategy(),
        "managedClusterUpdate": {
            "upgrade": { "type": "Full", "kubernetesVersion": "1.36" },
            "nodeImageSelection": { "type": "Latest" },
        },
    } });
    let made = recorder.put(&run, body).await;
    recorder.get(&format!("/simulator/updateRuns{run}/plan")).await;
    let etag = made.header("etag").to_owned();
    recorder.send(Method::POST, &format!("{run}/start"), &[("if-match", &etag)], None).await;
    gates(recorder).await;
    recorder.advance("PT20M").await;
    recorder.get(&run).await;
    recorder.get(&format!("{FLEET}/updateRuns")).await;
    let wait = json!({ "targets": [{ "type": "AfterStageWait", "name": "canary" }] });
    recorder.post_body(&format!("{run}/skip"), wait).await;
    recorder.post(&format!("{run}/stop")).await;
    recorder.advance("PT2H").await;
    recorder.delete(&run).await;
}

async fn gates(recorder: &mut Recorder) {
    let pending = recorder.get(&format!("{FLEET}/gates?$filter=state%20eq%20Pending")).await.json();
    let gate = pending["value"][0]["id"].as_str().unwrap();
    recorder.get(gate).await;
    recorder.patch(gate, json!({ "properties": { "state": "Completed" } })).await;
}

async fn profile(recorder: &mut Recorder) {
    let profile = format!("{FLEET}/autoUpgradeProfiles/stable");
    let body = json!({ "properties": {
        "channel": "Stable", "updateStrategyId": strategy(), "nodeImageSelection": { "type": "Consistent" },
    } });
    recorder.put(&profile, body).await;
    recorder.get(&profile).await;
    recorder.get(&format!("{FLEET}/autoUpgradeProfiles")).await;
    recorder.post(&format!("{profile}/generateUpdateRun")).await;
    recorder.delete(&profile).await;
}
