//! What is written is what is read: every member that the contract has, byte by byte, over restarts and on both stores.

mod contract;

use axum::http::Method;
use fleetplane::testing::app::{Backend, FLEET, GROUP, TestApp};
use rstest::rstest;
use serde_json::{Value, json};

use contract::{Difference, added, contract_of};

use super::kinds::{Kind, of_each_kind};

of_each_kind!(a_get_shows_what_a_put_said_also_after_a_restart, an_id_has_the_casing_of_what_it_is_in,);

async fn a_get_shows_what_a_put_said_also_after_a_restart(kind: Kind, backend: Backend) {
    for sent in kind.maximal() {
        let (app, shown) = made(kind, backend, &sent).await;
        let body: Value = serde_json::from_str(&shown).unwrap();
        assert_eq!(Difference::between(&sent, &body, ""), None, "sent {sent:#}\nread {body:#}");
        if let Some(object) = contract_of(kind) {
            let added = added(object, &sent, &body, "");
            assert_eq!(added, Vec::<String>::new(), "neither sent nor read-only: {body:#}");
        }
        let app = app.restarted().await;
        assert_eq!(app.get(&kind.path()).await.expect(200).text, shown);
        // A PUT of the same changes nothing but what every write does.
        let _ = app.put(&kind.path(), body.clone()).await.expect(200);
        let again = app.get(&kind.path()).await.expect(200).json();
        assert_eq!(Difference::between(&sent, &again, ""), None, "read again {again:#}");
    }
}

/// Fixed segments are canonical, and every name is as it was first written, whatever the URL says later.
async fn an_id_has_the_casing_of_what_it_is_in(kind: Kind, backend: Backend) {
    let app = kind.app(backend).await;
    let _ = app.put(GROUP, json!({ "location": "westeurope" })).await;
    let path = kind.path();
    let (around, name) = path.rsplit_once('/').unwrap();
    let made = app.put(&format!("{}/{name}", around.to_ascii_uppercase()), kind.body()).await.expect(201);
    assert_eq!(made.json()["id"], path);
    let again = app.get(&path.to_ascii_uppercase()).await.expect(200).json();
    assert_eq!((&again["id"], &again["name"]), (&json!(path), &json!(name)));
}

#[rstest]
#[tokio::test]
async fn both_stores_show_the_same_bytes(
    #[values(
        Kind::Fleet,
        Kind::Member,
        Kind::Strategy,
        Kind::Run,
        Kind::Profile,
        Kind::Namespace,
        Kind::Mesh,
        Kind::Cluster,
        Kind::Pool,
        Kind::Window,
        Kind::Snapshot
    )]
    kind: Kind,
) {
    for sent in kind.maximal() {
        let (_, on_sqlite) = made(kind, Backend::Sqlite, &sent).await;
        let (_, on_postgres) = made(kind, Backend::Postgres, &sent).await;
        assert_eq!(on_sqlite, on_postgres);
    }
}

/// Makes one of a kind; what a GET shows of it.
async fn made(kind: Kind, backend: Backend, sent: &Value) -> (TestApp, String) {
    let app = kind.app(backend).await;
    kind.make_referred(&app).await;
    let _ = app.put(&kind.path(), sent.clone()).await.expect(201);
    let shown = app.get(&kind.path()).await.expect(200).text;
    assert_eq!(app.get(&kind.path()).await.expect(200).text, shown);
    (app, shown)
}

/// A run under way: a member upgraded, a gate waited for.
async fn run_under_way(backend: Backend) -> (TestApp, String) {
    let app = TestApp::new(backend).await;
    super::with_fleet(&app).await;
    let clusters = json!({
        "subscriptionId": "11111111-2222-3333-4444-555555555555", "resourceGroup": "rg", "namePrefix": "c", "count": 3,
        "regions": ["westeurope"], "kubernetesVersion": "1.35", "fleet": "fleet1", "groups": ["a", "b"],
    });
    let request = app.request(Method::POST, "/simulator/clusters").json(clusters);
    let _ = request.send().await.expect(201);
    let run = format!("{FLEET}/updateRuns/r1");
    let gate = json!([{ "displayName": "board", "type": "Approval" }]);
    let stages = json!([
        { "name": "one", "groups": [{ "name": "a" }] },
        { "name": "two", "groups": [{ "name": "b" }], "beforeGates": gate },
    ]);
    let body = json!({ "properties": {
        "strategy": { "stages": stages },
        "managedClusterUpdate": { "upgrade": { "type": "Full", "kubernetesVersion": "1.36" } },
    } });
    let _ = app.put(&run, body).await.expect(201);
    let _ = app.post(&format!("{run}/start")).await.expect(200);
    let advance = app.request(Method::POST, "/simulator/clock/advance");
    let _ = advance.json(json!({ "by": "P1D" })).send().await.expect(200);
    let run = app.get(&run).await.expect(200);
    let stages = &run.json()["properties"]["status"]["stages"];
    assert_eq!(
        (&stages[0]["status"]["state"], &stages[1]["status"]["state"]),
        (&"Completed".into(), &"Pending".into())
    );
    let gates = app.get(&format!("{FLEET}/gates")).await.expect(200);
    (app, run.text + &gates.text)
}

#[rstest]
#[tokio::test]
async fn a_run_under_way_and_its_gate_read_the_same_after_a_restart(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (app, shown) = run_under_way(backend).await;
    let app = app.restarted().await;
    let run = app.get(&format!("{FLEET}/updateRuns/r1")).await.expect(200).text;
    let gates = app.get(&format!("{FLEET}/gates")).await.expect(200).text;
    assert_eq!(run + &gates, shown);
}

#[tokio::test]
async fn a_run_under_way_reads_the_same_on_both_stores() {
    let (_, on_sqlite) = run_under_way(Backend::Sqlite).await;
    let (_, on_postgres) = run_under_way(Backend::Postgres).await;
    assert_eq!(on_sqlite, on_postgres);
}
