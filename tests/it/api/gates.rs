//! `fleets/gates`: made by runs, completed by users.

use axum::http::Method;
use fleetplane::testing::app::{Backend, FLEET, TestAnswer, TestApp};
use rstest::rstest;
use serde_json::{Value, json};

const RUN: &str = "updateRuns/r1";

/// A started run that waits for an approval before its only stage; the path of the gate.
async fn waiting(app: &TestApp) -> String {
    super::with_fleet(app).await;
    let _ = app.put(&format!("{FLEET}/members/m1"), super::member_body("c1")).await.expect(201);
    let mut body = super::run_body();
    body["properties"]["strategy"] = json!({ "stages": [{
        "name": "one",
        "memberSelector": { "byLabel": "" },
        "beforeGates": [{ "displayName": "board", "type": "Approval" }]
    }] });
    let _ = app.put(&format!("{FLEET}/{RUN}"), body).await.expect(201);
    let started = app.post(&format!("{FLEET}/{RUN}/start")).await.expect(200);
    let stage = &started.json()["properties"]["status"]["stages"][0];
    assert_eq!(stage["status"]["state"], "Pending");
    assert_eq!(stage["status"]["error"]["code"], "WaitingForApproval");
    stage["beforeGates"][0]["gateId"].as_str().expect("the gate is reached").to_owned()
}

async fn complete(app: &TestApp, gate: &str) -> TestAnswer {
    app.patch(gate, json!({ "properties": { "state": "completed" } })).await
}

#[rstest]
#[tokio::test]
async fn a_gate_is_shown_and_completed_by_a_user(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    let gate = waiting(&app).await;
    let shown = app.get(&gate).await.expect(200).json();
    assert_eq!((&shown["properties"]["state"], shown.get("systemData")), (&json!("Pending"), None));
    let completed = complete(&app, &gate).await.expect(200);
    let shown = completed.json();
    assert_eq!(
        (&shown["properties"]["state"], shown.get("systemData").is_some()),
        (&json!("Completed"), true)
    );
    let run = app.get(&format!("{FLEET}/{RUN}")).await.json();
    assert_eq!(
        run["properties"]["status"]["status"]["state"], "Skipped",
        "its only cluster is no managed one"
    );
    let again = complete(&app, &gate).await.expect(200);
    assert_eq!(again.header("etag"), completed.header("etag"), "completing it again renews nothing");
}

#[tokio::test]
async fn gates_are_listed_by_state_type_and_run() {
    let app = TestApp::new(Backend::Sqlite).await;
    let gate = waiting(&app).await;
    let count = async |filter: &str| {
        let filter = filter.replace(' ', "%20");
        let page = app.get(&format!("{FLEET}/gates?$filter={filter}")).await.expect(200).json();
        page["value"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(count("state eq Pending and gateType eq 'Approval'").await, 1);
    assert_eq!(count(&format!("properties/target/id eq '{FLEET}/{RUN}'")).await, 1);
    assert_eq!(count(&format!("properties/target/id eq '{FLEET}/updateRuns/other'")).await, 0);
    assert_eq!(count("state eq Completed").await, 0);
    for (filter, values) in
        [("state eq Bogus", "Pending, Skipped, Completed"), ("gateType eq X", "Approval, ScheduledStart")]
    {
        let path = format!("{FLEET}/gates?$filter={}", filter.replace(' ', "%20"));
        let refused = app.get(&path).await.expect(400);
        assert!(refused.code() == "InvalidFilter" && refused.text.contains(values), "{}", refused.text);
    }
    let _ = complete(&app, &gate).await.expect(200);
    assert_eq!(count("state eq Completed").await, 1);
}

#[rstest]
#[case(json!({ "properties": { "state": "Pending" } }), 400)]
#[case(json!({ "properties": { "state": "Skipped" } }), 400)]
#[case(json!({ "properties": {} }), 400)]
#[case(json!({ "properties": { "displayName": "x", "state": "Completed" } }), 400)]
#[tokio::test]
async fn nothing_else_can_be_made_of_a_gate(#[case] body: Value, #[case] status: u16) {
    let app = TestApp::new(Backend::Sqlite).await;
    let gate = waiting(&app).await;
    let _ = app.patch(&gate, body).await.expect(status);
    assert_eq!(app.get(&gate).await.json()["properties"]["state"], "Pending");
}

#[tokio::test]
async fn a_stale_etag_approves_nothing() {
    let app = TestApp::new(Backend::Sqlite).await;
    let gate = waiting(&app).await;
    let request = app.request(Method::PATCH, &gate).header("if-match", "xyz");
    let answer = request.json(json!({ "properties": { "state": "Completed" } })).send().await.expect(412);
    assert_eq!(answer.code(), "PreconditionFailed");
    for method in [Method::PUT, Method::DELETE] {
        assert_eq!(app.request(method, &gate).send().await.expect(405).code(), "MethodNotAllowed");
    }
}

#[tokio::test]
async fn pending_reads_running_to_a_version_without_gates() {
    let app = TestApp::new(Backend::Sqlite).await;
    let _ = waiting(&app).await;
    let run = app.get(&format!("{FLEET}/{RUN}?api-version=2025-03-01")).await.expect(200).json();
    assert_eq!(run["properties"]["status"]["status"]["state"], "Running");
    assert!(run["properties"]["status"]["stages"][0].get("beforeGates").is_none());
}
