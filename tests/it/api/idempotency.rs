//! The same request twice: what a client gets that repeats one because it did not hear the answer.

use axum::http::Method;
use fleetplane::testing::app::{Backend, FLEET, TestAnswer, TestApp};
use rstest::rstest;
use serde_json::{Value, json};

use super::CLUSTER;
use super::estate::Estate;
use super::kinds::{Kind, of_each_kind};

of_each_kind!(a_put_repeated_changes_nothing, a_delete_repeated_is_the_same_one_and_then_nothing);

/// A service whose operations take time, with one of the kind, nothing of it under way.
async fn settled(kind: Kind, backend: Backend) -> TestApp {
    let app = TestApp::simulated(backend).await;
    kind.make_room(&app).await;
    app.pass(300).await;
    let _ = app.put(&kind.path(), kind.body()).await.expect(201);
    app.pass(300).await;
    app
}

/// A body without what every write renews.
fn lasting(kind: Kind, answer: &TestAnswer) -> Value {
    let mut body = answer.json();
    body["eTag"].take();
    body["systemData"].take();
    body["properties"]["status"].take();
    if matches!(kind, Kind::Pool | Kind::Cluster) {
        body["properties"]["eTag"].take();
        for pool in body["properties"]["agentPoolProfiles"].as_array_mut().into_iter().flatten() {
            pool["eTag"].take();
        }
    }
    body
}

async fn a_put_repeated_changes_nothing(kind: Kind, backend: Backend) {
    let app = settled(kind, backend).await;
    let before = app.get(&kind.path()).await.expect(200);
    let first = app.put(&kind.path(), kind.body()).await.expect(200);
    let second = app.put(&kind.path(), kind.body()).await;
    if first.header("azure-asyncoperation").is_empty() {
        let _ = second.expect(200);
    } else {
        assert_eq!(second.expect(409).code(), "OperationNotAllowed", "one operation at a time");
    }
    app.pass(300).await;
    let after = app.get(&kind.path()).await.expect(200);
    assert_eq!(lasting(kind, &before), lasting(kind, &after));
}

async fn a_delete_repeated_is_the_same_one_and_then_nothing(kind: Kind, backend: Backend) {
    let app = settled(kind, backend).await;
    let first = app.delete(&kind.path()).await.expect(kind.deleted());
    let again = app.delete(&kind.path()).await;
    if kind.deleted() == 202 {
        let again = again.expect(202);
        for header in ["location", "azure-asyncoperation", "etag"] {
            assert_eq!(again.header(header), first.header(header), "{header}");
        }
        assert_eq!(again.json(), first.json());
        assert_eq!(app.put(&kind.path(), kind.body()).await.expect(409).code(), "OperationNotAllowed");
    } else {
        let _ = again.expect(204);
    }
    app.pass(300).await;
    let _ = app.get(&kind.path()).await.expect(404);
    let _ = app.delete(&kind.path()).await.expect(204);
}

#[rstest]
#[tokio::test]
async fn what_changes_nothing_on_a_started_run_renews_nothing(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = Estate::new(backend).await.app;
    let run = format!("{FLEET}/updateRuns/waiting");
    let before = app.get(&run).await.expect(200);
    let same = app.put(&run, before.json()).await.expect(200);
    assert_eq!((same.text.as_str(), same.header("etag")), (before.text.as_str(), before.header("etag")));
    assert_eq!(app.put(&run, super::run_body()).await.expect(409).code(), "OperationNotAllowed");
    assert_eq!(app.post(&format!("{run}/start")).await.expect(409).code(), "OperationNotAllowed");
    assert_eq!(app.get(&run).await.expect(200).text, before.text);
}

#[rstest]
#[tokio::test]
async fn actions_on_a_run_and_its_gate_are_done_once(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = Estate::new(backend).await.app;
    let run = format!("{FLEET}/updateRuns/waiting");
    let _ = app.post(&format!("{run}/stop")).await.expect(200);
    assert_eq!(app.post(&format!("{run}/stop")).await.expect(409).code(), "OperationNotAllowed");
    let _ = app.post(&format!("{run}/start")).await.expect(200);
    let gates = app.get(&format!("{FLEET}/gates")).await.expect(200).json();
    let gate = gates["value"][0]["id"].as_str().unwrap().to_owned();
    let complete = async || app.patch(&gate, json!({ "properties": { "state": "Completed" } })).await.expect(200);
    let (first, run_then) = (complete().await, app.get(&run).await.text);
    let second = complete().await;
    assert_eq!((first.text.as_str(), first.header("etag")), (second.text.as_str(), second.header("etag")));
    assert_eq!(app.get(&run).await.text, run_then);
    let skip = json!({ "targets": [{ "type": "Member", "name": "m1" }] });
    let path = format!("{}/skip", Kind::Run.path());
    let skip = async || app.request(Method::POST, &path).json(skip.clone()).send().await;
    let _ = skip().await.expect(200);
    assert_eq!(skip().await.expect(409).code(), "OperationNotAllowed");
}

#[rstest]
#[tokio::test]
async fn a_mesh_can_be_applied_again_and_a_run_is_generated_once(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = Estate::new(backend).await.app;
    let shown = async || {
        let mesh = app.post(&format!("{}/apply", Kind::Mesh.path())).await.expect(200);
        let member = app.get(&Kind::Member.path()).await.expect(200).json();
        (mesh.json()["properties"]["memberSelector"].clone(), member["properties"]["meshProperties"].clone())
    };
    assert_eq!(shown().await, shown().await);
    let generate = format!("{}/generateUpdateRun", Kind::Profile.path());
    let (first, second) = (app.post(&generate).await.expect(200), app.post(&generate).await.expect(200));
    assert_eq!(first.text, second.text);
}

#[rstest]
#[case("stop")]
#[case("start")]
#[tokio::test]
async fn an_action_under_way_on_a_cluster_is_not_begun_again(
    #[case] action: &str,
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = settled(Kind::Cluster, backend).await;
    let _ = app.post(&format!("{CLUSTER}/{action}")).await.expect(202);
    let before = app.get(CLUSTER).await.text;
    assert_eq!(app.post(&format!("{CLUSTER}/{action}")).await.expect(409).code(), "OperationNotAllowed");
    assert_eq!(app.get(CLUSTER).await.text, before);
    app.pass(300).await;
    let _ = app.post(&format!("{CLUSTER}/{action}")).await.expect(202);
}
