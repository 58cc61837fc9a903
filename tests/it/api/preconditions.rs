//! The table of preconditions, for every type that has eTags and is written by users.

use axum::http::Method;
use fleetplane::testing::app::{Backend, FLEET, GROUP, TestAnswer, TestApp};
use rstest::rstest;
use serde_json::Value;

use super::CLUSTER;

/// A type under test.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Fleet,
    Member,
    Strategy,
    Namespace,
    Mesh,
    Run,
    Cluster,
    Pool,
    Window,
    Snapshot,
}

impl Kind {
    fn path(self) -> String {
        match self {
            Self::Fleet => FLEET.to_owned(),
            Self::Member => format!("{FLEET}/members/m1"),
            Self::Strategy => format!("{FLEET}/updateStrategies/s1"),
            Self::Namespace => format!("{FLEET}/managedNamespaces/n1"),
            Self::Mesh => format!("{FLEET}/clusterMeshProfiles/p1"),
            Self::Run => format!("{FLEET}/updateRuns/r1"),
            Self::Cluster => CLUSTER.to_owned(),
            Self::Pool => format!("{CLUSTER}/agentPools/extra"),
            Self::Window => format!("{CLUSTER}/maintenanceConfigurations/default"),
            Self::Snapshot => format!("{GROUP}/providers/Microsoft.ContainerService/snapshots/s1"),
        }
    }

    fn body(self) -> Value {
        match self {
            Self::Fleet => super::fleet_body(),
            Self::Member => super::member_body("c1"),
            Self::Strategy => super::strategy_body(),
            Self::Namespace => super::namespace_body(),
            Self::Mesh => super::mesh_body("tier=web"),
            Self::Run => super::run_body(),
            Self::Cluster => super::cluster_body(),
            Self::Pool => serde_json::json!({ "properties": { "count": 1 } }),
            Self::Window => serde_json::json!({ "properties": { "timeInWeek": [] } }),
            Self::Snapshot => super::snapshot_body(),
        }
    }

    /// What a successful DELETE answers.
    fn deleted(self) -> u16 {
        match self {
            Self::Fleet | Self::Member | Self::Namespace | Self::Cluster | Self::Pool => 202,
            Self::Mesh => 204,
            Self::Strategy | Self::Run | Self::Window | Self::Snapshot => 200,
        }
    }

    /// The tag in a body, as the header has it: AKS types write it without quotes, pools among their properties.
    fn tag_in(self, body: &Value) -> String {
        let tag = if matches!(self, Self::Pool) { &body["properties"]["eTag"] } else { &body["eTag"] };
        let tag = tag.as_str().unwrap();
        match self {
            Self::Fleet | Self::Member | Self::Strategy | Self::Namespace | Self::Mesh | Self::Run => {
                tag.to_owned()
            }
            Self::Cluster | Self::Pool | Self::Window | Self::Snapshot => format!("\"{tag}\""),
        }
    }

    async fn app(self, backend: Backend) -> TestApp {
        let app = TestApp::new(backend).await;
        match self {
            Self::Fleet | Self::Cluster => {}
            Self::Member | Self::Strategy | Self::Mesh | Self::Run => super::with_fleet(&app).await,
            Self::Namespace => super::with_hub(&app).await,
            Self::Pool | Self::Window | Self::Snapshot => {
                let _ = app.put(CLUSTER, super::cluster_body()).await.expect(201);
            }
        }
        app
    }

    async fn send(self, app: &TestApp, method: Method, header: (&str, &str)) -> TestAnswer {
        let request = app.request(method, &self.path()).header(header.0, header.1);
        request.json(self.body()).send().await
    }
}

#[rstest]
#[case::if_match_empty("if-match", "", 201, 200)]
#[case::if_match_any("if-match", "*", 412, 200)]
#[case::if_match_stale("if-match", "xyz", 412, 412)]
#[case::if_match_list_of_stale("if-match", "\"a\", W/\"b\"", 412, 412)]
#[case::if_none_match_any("if-none-match", "*", 201, 412)]
#[tokio::test]
async fn put_follows_the_table(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
    #[values(
        Kind::Fleet,
        Kind::Member,
        Kind::Strategy,
        Kind::Namespace,
        Kind::Mesh,
        Kind::Run,
        Kind::Cluster,
        Kind::Pool,
        Kind::Window,
        Kind::Snapshot
    )]
    kind: Kind,
    #[case] header: &str,
    #[case] value: &str,
    #[case] missing: u16,
    #[case] existing: u16,
) {
    let app = kind.app(backend).await;
    let answer = kind.send(&app, Method::PUT, (header, value)).await;
    assert_eq!(answer.status.as_u16(), missing, "{}", answer.text);
    if missing == 412 {
        assert_eq!(answer.code(), "PreconditionFailed");
        let _ = app.get(&kind.path()).await.expect(404);
        let _ = app.put(&kind.path(), kind.body()).await.expect(201);
    }
    let before = app.get(&kind.path()).await.expect(200);
    let answer = kind.send(&app, Method::PUT, (header, value)).await;
    assert_eq!(answer.status.as_u16(), existing, "{}", answer.text);
    let after = app.get(&kind.path()).await.expect(200);
    let changed = before.header("etag") != after.header("etag");
    assert_eq!(changed, existing == 200, "only a write renews the eTag");
}

#[rstest]
#[tokio::test]
async fn a_fresh_etag_is_taken_in_every_form_and_a_used_one_is_stale(
    #[values(
        Kind::Fleet,
        Kind::Member,
        Kind::Strategy,
        Kind::Namespace,
        Kind::Mesh,
        Kind::Run,
        Kind::Cluster,
        Kind::Pool,
        Kind::Window,
        Kind::Snapshot
    )]
    kind: Kind,
) {
    let app = kind.app(Backend::Sqlite).await;
    let mut tag = app.put(&kind.path(), kind.body()).await.expect(201).header("etag").to_owned();
    let first = tag.clone();
    for wrap in [|tag: &str| tag.to_owned(), |tag: &str| format!("W/{tag}"), |tag: &str| tag.replace('"', "")]
    {
        let answer = kind.send(&app, Method::PUT, ("if-match", &wrap(&tag))).await.expect(200);
        assert_eq!(kind.tag_in(&answer.json()), answer.header("etag"), "header and body agree");
        tag = answer.header("etag").to_owned();
    }
    let stale = kind.send(&app, Method::PUT, ("if-match", &first)).await.expect(412);
    let message = stale.json()["error"]["message"].to_string().replace('\\', "");
    assert!(message.contains(&first) && message.contains(&tag), "{message}");
}

#[rstest]
#[case("", true)]
#[case("*", true)]
#[case("xyz", false)]
#[tokio::test]
async fn delete_follows_the_table(
    #[values(
        Kind::Fleet,
        Kind::Member,
        Kind::Strategy,
        Kind::Namespace,
        Kind::Mesh,
        Kind::Run,
        Kind::Cluster,
        Kind::Pool,
        Kind::Window,
        Kind::Snapshot
    )]
    kind: Kind,
    #[case] if_match: &str,
    #[case] succeeds: bool,
) {
    let app = kind.app(Backend::Sqlite).await;
    let _ = kind.send(&app, Method::DELETE, ("if-match", if_match)).await.expect(204);
    let _ = app.put(&kind.path(), kind.body()).await.expect(201);
    let expected = if succeeds { kind.deleted() } else { 412 };
    let _ = kind.send(&app, Method::DELETE, ("if-match", if_match)).await.expect(expected);
    let _ = app.get(&kind.path()).await.expect(if succeeds { 404 } else { 200 });
}

#[rstest]
#[case("", 200)]
#[case("*", 200)]
#[case("xyz", 412)]
#[tokio::test]
async fn patch_follows_the_table(
    #[values(Kind::Fleet, Kind::Member, Kind::Namespace, Kind::Cluster, Kind::Snapshot)] kind: Kind,
    #[case] if_match: &str,
    #[case] existing: u16,
) {
    let app = kind.app(Backend::Sqlite).await;
    let patch = async |expected| {
        let request = app.request(Method::PATCH, &kind.path()).header("if-match", if_match);
        request.json(serde_json::json!({})).send().await.expect(expected)
    };
    let _ = patch(404).await;
    let _ = app.put(&kind.path(), kind.body()).await.expect(201);
    let long_running = matches!(kind, Kind::Namespace) && existing == 200;
    let _ = patch(if long_running { 202 } else { existing }).await;
}

#[rstest]
#[tokio::test]
async fn a_get_of_a_known_state_is_not_modified(
    #[values(
        Kind::Fleet,
        Kind::Member,
        Kind::Strategy,
        Kind::Namespace,
        Kind::Mesh,
        Kind::Run,
        Kind::Pool,
        Kind::Window,
        Kind::Snapshot
    )]
    kind: Kind,
) {
    let app = kind.app(Backend::Sqlite).await;
    let tag = app.put(&kind.path(), kind.body()).await.expect(201).header("etag").to_owned();
    let get = async |tag: &str, expected| {
        let request = app.request(Method::GET, &kind.path()).header("if-none-match", tag);
        request.send().await.expect(expected)
    };
    let same = get(&tag, 304).await;
    assert_eq!((same.text.as_str(), same.header("etag")), ("", tag.as_str()));
    let _ = get("\"another\"", 200).await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_concurrent_puts_with_one_etag_exactly_one_succeeds(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
    #[values(
        Kind::Fleet,
        Kind::Member,
        Kind::Strategy,
        Kind::Namespace,
        Kind::Mesh,
        Kind::Run,
        Kind::Cluster,
        Kind::Pool,
        Kind::Window,
        Kind::Snapshot
    )]
    kind: Kind,
) {
    let app = std::sync::Arc::new(kind.app(backend).await);
    let tag = app.put(&kind.path(), kind.body()).await.expect(201).header("etag").to_owned();
    let puts: Vec<_> = (0..8)
        .map(|_| {
            let (app, tag) = (std::sync::Arc::clone(&app), tag.clone());
            tokio::spawn(
                async move { kind.send(&app, Method::PUT, ("if-match", &tag)).await.status.as_u16() },
            )
        })
        .collect();
    let mut statuses = Vec::new();
    for put in puts {
        statuses.push(put.await.unwrap());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 412, 412, 412, 412, 412, 412, 412]);
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_concurrent_creations_exactly_one_creates(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
    #[values(
        Kind::Fleet,
        Kind::Member,
        Kind::Strategy,
        Kind::Namespace,
        Kind::Mesh,
        Kind::Run,
        Kind::Cluster,
        Kind::Pool,
        Kind::Window,
        Kind::Snapshot
    )]
    kind: Kind,
) {
    let app = std::sync::Arc::new(kind.app(backend).await);
    let puts: Vec<_> = (0..8)
        .map(|_| {
            let app = std::sync::Arc::clone(&app);
            tokio::spawn(
                async move { kind.send(&app, Method::PUT, ("if-none-match", "*")).await.status.as_u16() },
            )
        })
        .collect();
    let mut statuses = Vec::new();
    for put in puts {
        statuses.push(put.await.unwrap());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 412, 412, 412, 412, 412, 412, 412]);
}
