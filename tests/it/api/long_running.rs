//! Polling of operations that take time.

use axum::http::Method;
use fleetplane::testing::app::{Backend, FLEET, GROUP, TestAnswer, TestApp};
use rstest::rstest;
use serde_json::json;

use super::kinds::Kind;

/// The path of a polling URL.
fn polled(answer: &TestAnswer, header: &str) -> String {
    let url = answer.header(header);
    url.strip_prefix("http://localhost").unwrap_or_else(|| panic!("{header}: {url:?}")).to_owned()
}

#[rstest]
#[tokio::test]
async fn a_creation_is_polled_to_its_end(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let app = TestApp::simulated(backend).await;
    let put = app.put(FLEET, super::fleet_body()).await.expect(201);
    assert_eq!(put.json()["properties"]["provisioningState"], "Creating");
    let status = polled(&put, "azure-asyncoperation");
    let running = app.get(&status).await.expect(200);
    assert_eq!(running.json()["status"], "InProgress");
    assert_eq!(running.header("retry-after"), "1");
    let busy = app.put(FLEET, super::fleet_body()).await.expect(409);
    assert_eq!(busy.code(), "OperationNotAllowed");

    app.pass(1).await;
    let ended = app.get(&status).await.expect(200);
    assert_eq!((&ended.json()["status"], ended.json()["endTime"].is_string()), (&json!("Succeeded"), true));
    assert_eq!(ended.header("retry-after"), "");
    let fleet = app.get(FLEET).await.expect(200);
    assert_eq!(fleet.json()["properties"]["provisioningState"], "Succeeded");
    assert_ne!(fleet.header("etag"), put.header("etag"), "the end of an operation renews the eTag");
}

#[tokio::test]
async fn a_conflict_names_the_state_that_the_resource_shows() {
    let app = TestApp::simulated(Backend::Sqlite).await;
    let _ = app.put(FLEET, super::fleet_body()).await.expect(201);
    app.pass(60).await;
    let member = format!("{FLEET}/members/m1");
    let conflict = async |write: &TestAnswer| {
        let shown = app.get(&member).await.expect(200).json()["properties"]["provisioningState"].clone();
        let busy = app.patch(&member, json!({ "properties": { "group": "g" } })).await.expect(409);
        let state = shown.as_str().unwrap().to_owned();
        assert!(busy.text.contains(&format!("(provisioningState {state})")), "{write:?}: {}", busy.text);
        state
    };
    let joining = app.put(&member, super::member_body("c1")).await.expect(201);
    assert_eq!(conflict(&joining).await, "Joining");
    app.pass(60).await;
    let leaving = app.delete(&member).await.expect(202);
    assert_eq!(conflict(&leaving).await, "Leaving");
}

#[tokio::test]
async fn a_deletion_is_polled_by_its_result() {
    let app = TestApp::simulated(Backend::Sqlite).await;
    let put = app.put(FLEET, super::fleet_body()).await.expect(201);
    let creation = polled(&put, "azure-asyncoperation");
    let delete = app.delete(FLEET).await.expect(202);
    assert_eq!(app.get(&creation).await.json()["status"], "Canceled", "a delete wins");
    let result = polled(&delete, "location");
    let running = app.get(&result).await.expect(202);
    assert_eq!(polled(&running, "location"), result);
    let again = app.delete(FLEET).await.expect(202);
    assert_eq!(again.header("location"), delete.header("location"), "a second delete is the first one");
    let refused = app.put(FLEET, super::fleet_body()).await.expect(409);
    assert_eq!(refused.code(), "OperationNotAllowed");
    app.pass(60).await;
    let _ = app.get(&result).await.expect(204);
    let _ = app.get(FLEET).await.expect(404);
}

/// The path at which the result of an operation stands whose status is at `status`.
fn result_of(status: &str) -> String {
    status.replacen("/operations/", "/operationresults/", 1)
}

#[tokio::test]
async fn a_write_results_in_the_resource_and_a_deletion_or_an_action_in_nothing() {
    let app = TestApp::new(Backend::Sqlite).await;
    super::with_hub(&app).await;
    let _ = app.put(super::CLUSTER, super::cluster_body()).await.expect(201);
    for kind in [Kind::Fleet, Kind::Member, Kind::Namespace, Kind::Cluster, Kind::Pool] {
        let put = app.put(&kind.path(), kind.body()).await;
        let result = app.get(&result_of(&polled(&put, "azure-asyncoperation"))).await.expect(200);
        let shown = app.get(&kind.path()).await.expect(200);
        assert_eq!(
            (result.text.as_str(), result.header("etag")),
            (shown.text.as_str(), shown.header("etag"))
        );
    }
    let upgrade = format!("{}/upgradeNodeImageVersion", Kind::Pool.path());
    let stop = format!("{}/stop", super::CLUSTER);
    for answer in [app.post(&upgrade).await, app.post(&stop).await] {
        let _ = app.get(&polled(&answer, "location")).await.expect(204);
    }
    for kind in [Kind::Pool, Kind::Cluster, Kind::Namespace, Kind::Member, Kind::Fleet] {
        let gone = app.delete(&kind.path()).await.expect(202);
        let _ = app.get(&polled(&gone, "location")).await.expect(204);
    }
}

#[tokio::test]
async fn an_operation_that_failed_results_in_its_own_error() {
    let app = TestApp::simulated(Backend::Sqlite).await;
    let _ = app.put(super::CLUSTER, super::cluster_body()).await.expect(201);
    app.pass(60).await;
    let failures =
        json!({ "failures": [{ "at": "ControlPlane", "times": 1, "code": "Boom", "message": "It broke." }] });
    let behavior =
        app.request(Method::PUT, &format!("/simulator/behaviors{}", super::CLUSTER)).json(failures);
    let _ = behavior.send().await.expect(200);
    let mut body = super::cluster_body();
    body["properties"]["kubernetesVersion"] = json!("1.36.3");
    let put = app.put(super::CLUSTER, body).await.expect(200);
    let status = polled(&put, "azure-asyncoperation");
    app.pass(24 * 3600).await;
    assert_eq!(app.get(&status).await.expect(200).json()["status"], "Failed");
    let failed = app.get(&result_of(&status)).await.expect(409);
    assert_eq!(failed.json(), json!({ "error": { "code": "Boom", "message": "It broke." } }));
    assert_eq!(failed.header("x-ms-error-code"), "Boom");
}

#[tokio::test]
async fn an_operation_that_was_aborted_or_overtaken_says_so() {
    let app = TestApp::simulated(Backend::Sqlite).await;
    let created = app.put(super::CLUSTER, super::cluster_body()).await.expect(201);
    let _ = app.post(&format!("{}/abort", super::CLUSTER)).await.expect(202);
    let aborted = app.get(&result_of(&polled(&created, "azure-asyncoperation"))).await.expect(409);
    assert_eq!(aborted.code(), "OperationAborted");
    let created = app.put(FLEET, super::fleet_body()).await.expect(201);
    let _ = app.delete(FLEET).await.expect(202);
    let overtaken = app.get(&result_of(&polled(&created, "azure-asyncoperation"))).await.expect(409);
    assert_eq!(overtaken.code(), "OperationCanceled");
}

#[tokio::test]
async fn a_group_goes_when_its_operation_ends() {
    let app = TestApp::simulated(Backend::Sqlite).await;
    let _ = app.put(FLEET, super::fleet_body()).await.expect(201);
    let delete = app.delete(GROUP).await.expect(202);
    let _ = app.get(GROUP).await.expect(200);
    app.pass(60).await;
    let _ = app.get(&polled(&delete, "location")).await.expect(204);
    let _ = app.get(GROUP).await.expect(404);
    let _ = app.get(FLEET).await.expect(404);
}

#[tokio::test]
async fn an_operation_of_another_subscription_is_none() {
    let app = TestApp::new(Backend::Sqlite).await;
    let put = app.put(FLEET, super::fleet_body()).await.expect(201);
    let foreign = polled(&put, "azure-asyncoperation").replace("11111111-", "99999999-");
    assert_eq!(app.get(&foreign).await.expect(404).code(), "ResourceNotFound");
}

#[rstest]
#[tokio::test]
async fn children_of_a_fleet_that_is_being_deleted_are_only_read_and_deleted(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::simulated(backend).await;
    let _ = app.put(FLEET, super::fleet_body()).await.expect(201);
    let (member, run) = (format!("{FLEET}/members/m1"), format!("{FLEET}/updateRuns/r1"));
    let _ = app.put(&member, super::member_body("c1")).await.expect(201);
    app.pass(60).await;
    let mut body = super::run_body();
    body["properties"]["strategy"] = json!({ "stages": [{
        "name": "one",
        "memberSelector": { "byLabel": "" },
        "beforeGates": [{ "type": "Approval" }],
    }] });
    let _ = app.put(&run, body.clone()).await.expect(201);
    let _ = app.post(&format!("{run}/start")).await.expect(200);
    let gates = app.get(&format!("{FLEET}/gates")).await.expect(200).json();
    let _ = app.delete(FLEET).await.expect(202);

    let skip = json!({ "targets": [{ "type": "Stage", "name": "one" }] });
    let skip = app.request(Method::POST, &format!("{run}/skip")).json(skip).send().await;
    let mut answers = vec![
        app.post(&format!("{run}/start")).await,
        app.post(&format!("{run}/stop")).await,
        skip,
        app.put(&format!("{FLEET}/updateRuns/r2"), body).await,
        app.patch(&member, json!({ "properties": { "group": "all" } })).await,
        app.put(&member, super::member_body("c1")).await,
    ];
    for gate in gates["value"].as_array().unwrap() {
        let completed = json!({ "properties": { "state": "Completed" } });
        answers.push(app.patch(gate["id"].as_str().unwrap(), completed).await);
    }
    assert_eq!(answers.len(), 7, "the run waits at a gate");
    for answer in answers {
        assert_eq!(answer.expect(409).code(), "OperationNotAllowed");
    }
    let _ = app.get(&run).await.expect(200);
    let _ = app.delete(&run).await.expect(200);
}
