//! `fleets/clusterMeshProfiles`: put, apply, what members show of it, and delete.

use fleetplane::testing::app::{Backend, FLEET, TestApp};
use rstest::rstest;
use serde_json::{Value, json};

use super::{member_body, mesh_body, with_fleet};

fn path(name: &str) -> String {
    format!("{FLEET}/clusterMeshProfiles/{name}")
}

fn member(name: &str) -> String {
    format!("{FLEET}/members/{name}")
}

/// A fleet of three members: `m1` and `m3` with label `tier=web`, `m2` with `tier=db`.
async fn with_members(backend: Backend) -> TestApp {
    let app = TestApp::new(backend).await;
    with_fleet(&app).await;
    for (name, tier) in [("m1", "web"), ("m2", "db"), ("m3", "web")] {
        let mut body = member_body(name);
        body["properties"]["labels"] = json!({ "tier": tier });
        let _ = app.put(&member(name), body).await.expect(201);
    }
    app
}

async fn names(app: &TestApp, query: &str) -> Vec<String> {
    let page = app.get(&format!("{FLEET}/members?{query}")).await.expect(200).json();
    page["value"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

async fn cilium_ids(app: &TestApp) -> Vec<Option<u64>> {
    let mut ids = Vec::new();
    for name in ["m1", "m2", "m3"] {
        let shown = app.get(&member(name)).await.expect(200).json();
        ids.push(shown["properties"]["meshProperties"]["ciliumProperties"]["id"].as_u64());
    }
    ids
}

#[rstest]
#[tokio::test]
async fn only_applying_a_profile_connects_members(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = with_members(backend).await;
    let put = app.put(&path("mesh"), mesh_body("tier=web")).await.expect(201);
    assert_eq!(put.header("azure-asyncoperation"), "");
    assert_eq!(put.json()["properties"]["status"], json!({ "state": "NotConnected" }));
    assert_eq!(cilium_ids(&app).await, [None; 3]);
    let before = app.get(&member("m1")).await.header("etag").to_owned();
    let applied = app.post(&format!("{}/apply", path("mesh"))).await.expect(200);
    insta::assert_snapshot!("cluster_mesh_profile", applied.text);
    assert_eq!(cilium_ids(&app).await, [Some(1), None, Some(2)]);
    let connected = app.get(&member("m1")).await.expect(200);
    insta::assert_snapshot!("connected_member", connected.text);
    assert_ne!(connected.header("etag"), before);
    let _ = app.put(&member("m1"), connected.json()).await.expect(200);
    assert_eq!(cilium_ids(&app).await, [Some(1), None, Some(2)], "writing a member leaves it connected");
}

#[tokio::test]
async fn those_no_longer_selected_leave_when_it_is_applied() {
    let app = with_members(Backend::Sqlite).await;
    let apply = format!("{}/apply", path("mesh"));
    let _ = app.put(&path("mesh"), mesh_body("tier=web")).await.expect(201);
    let _ = app.post(&apply).await.expect(200);
    let _ = app.put(&path("mesh"), mesh_body("tier=db")).await.expect(200);
    assert_eq!(cilium_ids(&app).await, [Some(1), None, Some(2)]);
    let _ = app.post(&apply).await.expect(200);
    assert_eq!(cilium_ids(&app).await, [None, Some(1), None]);
    let _ = app.put(&path("mesh"), json!({ "properties": {} })).await.expect(200);
    let shown = app.post(&apply).await.expect(200).json();
    assert_eq!(shown["properties"]["status"]["state"], "NotConnected");
    assert_eq!(cilium_ids(&app).await, [None; 3]);
}

#[tokio::test]
async fn connected_members_and_their_mesh_stay_until_they_are_let_go() {
    let app = with_members(Backend::Sqlite).await;
    let apply = format!("{}/apply", path("mesh"));
    let _ = app.put(&path("mesh"), mesh_body("tier=web")).await.expect(201);
    let _ = app.post(&apply).await.expect(200);
    assert_eq!(app.delete(&member("m1")).await.expect(409).code(), "MemberBelongsToClusterMesh");
    assert_eq!(app.delete(&path("mesh")).await.expect(409).code(), "OperationNotAllowed");
    let _ = app.put(&path("mesh"), json!({})).await.expect(200);
    let _ = app.post(&apply).await.expect(200);
    let _ = app.delete(&member("m1")).await.expect(202);
    let _ = app.delete(&path("mesh")).await.expect(204);
    let _ = app.get(&path("mesh")).await.expect(404);
}

#[rstest]
#[tokio::test]
async fn members_are_listed_by_their_mesh_and_by_its_selector(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = with_members(backend).await;
    let _ = app.put(&path("mesh"), mesh_body("tier=db")).await.expect(201);
    let _ = app.post(&format!("{}/apply", path("mesh"))).await.expect(200);
    let _ = app.put(&path("mesh"), mesh_body("tier=web")).await.expect(200);
    assert_eq!(names(&app, "$filter=clusterMeshProfile%20eq%20mesh").await, ["m2"]);
    let selected = "$filter=clusterMeshProfile.Selector%20eq%20'mesh'";
    assert_eq!(names(&app, selected).await, ["m1", "m3"]);
    let page = app.get(&format!("{FLEET}/members?{selected}&$top=1")).await.expect(200).json();
    assert_eq!(page["value"][0]["name"], "m1");
    let next = page["nextLink"].as_str().unwrap().split_once("members?").unwrap().1.to_owned();
    assert_eq!(names(&app, &next).await, ["m3"]);
    assert!(names(&app, "$filter=clusterMeshProfile.Selector%20eq%20nobody").await.is_empty());
}

#[rstest]
#[case("tier in (web)")]
#[case("tier!=web")]
#[case("tier")]
#[tokio::test]
async fn a_mesh_selects_by_equalities_only(#[case] selector: &str) {
    let app = TestApp::new(Backend::Sqlite).await;
    with_fleet(&app).await;
    let refused = app.put(&path("mesh"), mesh_body(selector)).await.expect(400).json();
    assert_eq!(refused["error"]["target"], "properties.memberSelector.byLabel", "{refused}");
}

#[tokio::test]
async fn applying_honours_if_match() {
    let app = with_members(Backend::Sqlite).await;
    let _ = app.put(&path("mesh"), mesh_body("tier=web")).await.expect(201);
    let apply = format!("{}/apply", path("mesh"));
    let request = app.request(axum::http::Method::POST, &apply).header("if-match", "xyz");
    assert_eq!(request.send().await.expect(412).code(), "PreconditionFailed");
    assert_eq!(cilium_ids(&app).await, [None; 3]);
}

#[tokio::test]
async fn what_members_show_of_a_mesh_is_known_to_its_versions_only() {
    let app = with_members(Backend::Sqlite).await;
    let _ = app.put(&path("mesh"), mesh_body("tier=web")).await.expect(201);
    let _ = app.post(&format!("{}/apply", path("mesh"))).await.expect(200);
    for (version, shows) in
        [("2026-03-02-preview", true), ("2026-06-01", false), ("2026-06-02-preview", true)]
    {
        let shown: Value =
            app.get(&format!("{}?api-version={version}", member("m1"))).await.expect(200).json();
        assert_eq!(shown["properties"].get("meshProperties").is_some(), shows, "{version}");
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn profiles_that_are_applied_together_share_no_member(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = std::sync::Arc::new(with_members(backend).await);
    for name in ["one", "two"] {
        let _ = app.put(&path(name), mesh_body("tier=web")).await.expect(201);
    }
    let applied: Vec<_> = (0..8)
        .map(|number| {
            let (app, name) = (std::sync::Arc::clone(&app), if number % 2 == 0 { "one" } else { "two" });
            let apply = format!("{}/apply", path(name));
            tokio::spawn(async move { (name, app.post(&apply).await.status.as_u16()) })
        })
        .collect();
    let mut answers = Vec::new();
    for answer in applied {
        answers.push(answer.await.unwrap());
    }
    let first = answers.iter().find(|(_, status)| *status == 200).expect("one is the first").0;
    assert!(
        answers.iter().all(|(name, status)| *status == if *name == first { 200 } else { 409 }),
        "{answers:?}"
    );
    assert_eq!(cilium_ids(&app).await, [Some(1), None, Some(2)]);
}

#[tokio::test]
async fn nothing_is_applied_in_a_fleet_that_goes() {
    let app = TestApp::simulated(Backend::Sqlite).await;
    with_fleet(&app).await;
    let _ = app.put(&path("mesh"), mesh_body("tier=web")).await.expect(201);
    let _ = app.delete(FLEET).await.expect(202);
    let refused = app.post(&format!("{}/apply", path("mesh"))).await.expect(409);
    assert_eq!(refused.code(), "OperationNotAllowed");
}
