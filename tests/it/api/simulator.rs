//! What the simulator is told: all that is wrong with a body, each where it is.

use axum::http::Method;
use fleetplane::testing::app::{Backend, TestApp};
use serde_json::{Value, json};

/// The places of the faults of a body, and the whole answer.
async fn faults(app: &TestApp, method: Method, path: &str, body: Value) -> (Vec<String>, String) {
    let answer = app.request(method, path).json(body).send().await.expect(400);
    let error = answer.json()["error"].clone();
    let one = [error.clone()];
    let faults = error["details"].as_array().map_or(&one[..], Vec::as_slice);
    (faults.iter().map(|fault| fault["target"].as_str().unwrap().to_owned()).collect(), answer.text)
}

#[tokio::test]
async fn every_fault_of_a_behavior_is_told_where_it_is() {
    let app = TestApp::new(Backend::Sqlite).await;
    let body = json!({
        "controlPlaneMinutes": -1, "poolBatchMinutes": "5", "hangs": true, "busyUntil": "soon",
        "failures": [{ "at": "Pool", "times": 1.5 }, { "code": "Quota" }],
    });
    let path = format!("/simulator/behaviors{}", super::CLUSTER);
    let (targets, text) = faults(&app, Method::PUT, &path, body).await;
    let expected = [
        "hangs",
        "poolBatchMinutes",
        "failures[0].times",
        "failures[1].at",
        "busyUntil",
        "controlPlaneMinutes",
        "failures[0].at",
    ];
    assert_eq!(targets, expected, "{text}");
    assert!(
        text.contains("Did you mean 'hang'?") && text.contains("ControlPlane or AgentPool:NAME"),
        "{text}"
    );
}

#[tokio::test]
async fn every_fault_of_a_release_is_told_where_it_is() {
    let app = TestApp::new(Backend::Sqlite).await;
    let path = "/simulator/releases";
    let body = json!({ "kind": "Pod", "version": "1.36.5", "at": "soon" });
    let (targets, text) = faults(&app, Method::POST, path, body).await;
    assert_eq!(targets, ["at", "kind"], "{text}");
    assert!(text.contains("it must be one of: KubernetesVersion, NodeImage, SecurityPatch"), "{text}");
    let items = json!([{ "kind": "NodeImage", "version": "1.36.5", "deprecated": true }, { "kind": "SecurityPatch" }, 7]);
    let (targets, text) = faults(&app, Method::POST, path, json!({ "items": items })).await;
    let expected = ["items[1].version", "items[2]", "items[0].version", "items[0].deprecated"];
    assert_eq!(targets, expected, "{text}");
}
