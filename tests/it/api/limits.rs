//! Limits of size and number: what is at the limit is taken, what is above it is refused with its own error, saying where.

use std::collections::BTreeMap;

use axum::http::Method;
use fleetplane::service::OperationDurations;
use fleetplane::testing::app::{Backend, FLEET, GROUP, SUBSCRIPTION, TestApp};
use rstest::rstest;
use serde_json::{Value, json};

use super::CLUSTER;
use super::kinds::Kind;

/// An object of so many members.
fn many(count: usize, value: &str) -> Value {
    json!((0..count).map(|index| (format!("k{index}"), value)).collect::<BTreeMap<_, _>>())
}

/// Objects with names.
fn named(count: usize, of: impl Fn(usize) -> Value) -> Value {
    (0..count)
        .map(|index| {
            let mut one = of(index);
            one["name"] = json!(format!("n{index}"));
            one
        })
        .collect()
}

fn with_tags(tags: &Value) -> Vec<(String, Value)> {
    let tagged = |mut body: Value| {
        body["tags"] = tags.clone();
        body
    };
    let tracked = [Kind::Fleet, Kind::Cluster, Kind::Namespace, Kind::Snapshot].into_iter();
    let group = (GROUP.to_owned(), tagged(json!({ "location": "westeurope" })));
    tracked.map(|kind| (kind.path(), tagged(kind.body()))).chain([group]).collect()
}

#[rstest]
#[case::number(many(50, "v"), many(51, "v"), "tags")]
#[case::case(json!({ "A": "v", "b": "v" }), json!({ "A": "v", "a": "v" }), "tags.a")]
#[case::value(many(1, &"é".repeat(256)), many(1, &"é".repeat(257)), "tags.k0")]
#[case::key(json!({ "k".repeat(512): "" }), json!({ "k".repeat(513): "" }), "tags.kkkk")]
#[tokio::test]
async fn tags_are_limited_in_number_and_length(
    #[case] most: Value,
    #[case] more: Value,
    #[case] target: &str,
) {
    let app = TestApp::new(Backend::Sqlite).await;
    super::with_hub(&app).await;
    let _ = app.put(CLUSTER, super::cluster_body()).await.expect(201);
    for ((path, at_limit), (_, above)) in with_tags(&most).into_iter().zip(with_tags(&more)) {
        let taken = app.put(&path, at_limit.clone()).await;
        assert!(taken.status.is_success(), "{path}: {}", taken.text);
        assert_eq!(app.get(&path).await.json()["tags"], most);
        let methods = [Method::PUT, Method::PATCH];
        for method in methods {
            let body = if method == Method::PUT { above.clone() } else { json!({ "tags": above["tags"] }) };
            let refused = app.request(method, &path).json(body).send().await.expect(400);
            assert_eq!(refused.code(), "InvalidParameter", "{path}");
            let found = refused.json()["error"]["target"].as_str().unwrap_or_default().to_owned();
            assert!(found.starts_with(target), "{path}: {}", refused.text);
        }
        assert_eq!(app.get(&path).await.json()["tags"], most, "{path}");
    }
}

/// A change of a kind's body, and where it is refused.
#[rstest]
#[case::labels(Kind::Member, "/properties/labels", many(50, "v"), many(51, "v"), "properties.labels")]
#[case::label_key(Kind::Member, "/properties/labels", json!({ "k".repeat(63): "" }), json!({ "k".repeat(64): "" }), "properties.labels")]
#[case::label_value(Kind::Member, "/properties/labels", many(1, &"v".repeat(63)), many(1, &"v".repeat(64)), "properties.labels.k0")]
#[case::group(Kind::Member, "/properties/group", json!("g".repeat(50)), json!("g".repeat(51)), "properties.group")]
#[case::stages(Kind::Strategy, "/properties/strategy/stages", named(50, |index| json!({ "groups": [{ "name": format!("g{index}") }] })), named(51, |index| json!({ "groups": [{ "name": format!("g{index}") }] })), "properties.strategy.stages")]
#[case::groups(Kind::Strategy, "/properties/strategy/stages/0/groups", named(50, |_| json!({})), named(51, |_| json!({})), "properties.strategy.stages[0].groups")]
#[case::no_stages(Kind::Strategy, "/properties/strategy/stages", named(1, |_| json!({ "groups": [{ "name": "g" }] })), json!([]), "properties.strategy.stages")]
#[case::stage_name(Kind::Strategy, "/properties/strategy/stages/0/name", json!("s".repeat(50)), json!("s".repeat(51)), "properties.strategy.stages[0].name")]
#[case::group_name(Kind::Strategy, "/properties/strategy/stages/0/groups/0/name", json!("g".repeat(50)), json!("g".repeat(51)), "properties.strategy.stages[0].groups[0].name")]
#[case::wait(Kind::Strategy, "/properties/strategy/stages/0/afterStageWaitInSeconds", json!(2_147_483_647), json!(2_147_483_648_i64), "properties.strategy.stages[0].afterStageWaitInSeconds")]
#[case::least_wait(Kind::Strategy, "/properties/strategy/stages/0/afterStageWaitInSeconds", json!(0), json!(-1), "properties.strategy.stages[0].afterStageWaitInSeconds")]
#[case::concurrency(Kind::Strategy, "/properties/strategy/stages/0/maxConcurrency", json!("50"), json!("51"), "properties.strategy.stages[0].maxConcurrency")]
#[case::share(Kind::Strategy, "/properties/strategy/stages/0/maxConcurrency", json!("100%"), json!("101%"), "properties.strategy.stages[0].maxConcurrency")]
#[case::failures(Kind::Strategy, "/properties/strategy/stages/0/maxAllowedFailures", json!("100%"), json!("101%"), "properties.strategy.stages[0].maxAllowedFailures")]
#[case::annotations(Kind::Namespace, "/properties/managedNamespaceProperties", json!({ "annotations": { "k": "v".repeat(256 * 1024 - 1) } }), json!({ "annotations": { "k": "v".repeat(256 * 1024) } }), "properties.managedNamespaceProperties.annotations")]
#[case::nodes(Kind::Pool, "/properties/count", json!(1000), json!(1001), "properties.count")]
#[case::hours(Kind::Window, "/properties/maintenanceWindow/durationHours", json!(24), json!(25), "properties.maintenanceWindow.durationHours")]
#[case::least_hours(Kind::Window, "/properties/maintenanceWindow/durationHours", json!(4), json!(3), "properties.maintenanceWindow.durationHours")]
#[tokio::test]
async fn a_member_of_a_body_is_taken_up_to_its_limit(
    #[case] kind: Kind,
    #[case] pointer: &str,
    #[case] most: Value,
    #[case] more: Value,
    #[case] target: &str,
) {
    let app = kind.app(Backend::Sqlite).await;
    let body = |value: &Value| {
        let mut body = kind.body();
        if kind == Kind::Window {
            body = json!({ "properties": { "maintenanceWindow": {
                "schedule": { "weekly": { "intervalWeeks": 1, "dayOfWeek": "Sunday" } }, "startTime": "01:00",
            } } });
        }
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        let parent = body.pointer_mut(parent).unwrap();
        match name.parse::<usize>() {
            Ok(index) => parent[index] = value.clone(),
            Err(_) => parent[name] = value.clone(),
        }
        body
    };
    let refused = app.put(&kind.path(), body(&more)).await.expect(400).json();
    let found = refused["error"]["target"].as_str().unwrap_or_default();
    assert!(found.starts_with(target), "{refused}");
    let _ = app.get(&kind.path()).await.expect(404);
    let _ = app.put(&kind.path(), body(&most)).await.expect(201);
    let shown = app.get(&kind.path()).await.expect(200).json();
    let _ = app.put(&kind.path(), body(&more)).await.expect(400);
    assert_eq!(app.get(&kind.path()).await.expect(200).json(), shown);
}

/// Names: the longest, and one that is longer.
#[rstest]
#[case::fleet(Kind::Fleet, 63)]
#[case::member(Kind::Member, 50)]
#[case::strategy(Kind::Strategy, 50)]
#[case::run(Kind::Run, 50)]
#[case::profile(Kind::Profile, 50)]
#[case::namespace(Kind::Namespace, 63)]
#[case::mesh(Kind::Mesh, 50)]
#[case::cluster(Kind::Cluster, 63)]
#[case::pool(Kind::Pool, 12)]
#[case::snapshot(Kind::Snapshot, 63)]
#[tokio::test]
async fn names_are_limited_in_length(#[case] kind: Kind, #[case] most: usize) {
    let app = kind.app(Backend::Sqlite).await;
    let (parent, _) =
        kind.path().rsplit_once('/').map(|(parent, name)| (parent.to_owned(), name.to_owned())).unwrap();
    let path = |length: usize| format!("{parent}/{}", "n".repeat(length));
    let refused = app.put(&path(most + 1), kind.body()).await.expect(400);
    assert_eq!(refused.code(), "InvalidResourceName", "{}", refused.text);
    let _ = app.get(&path(most + 1)).await.expect(404);
    let made = app.put(&path(most), kind.body()).await.expect(201);
    assert_eq!(made.json()["name"], "n".repeat(most));
    let _ = app.get(&path(most)).await.expect(200);
}

#[tokio::test]
async fn names_of_windows_pools_are_shorter() {
    let app = Kind::Pool.app(Backend::Sqlite).await;
    let pool = |name: &str| format!("{CLUSTER}/agentPools/{name}");
    let windows = json!({ "properties": { "osType": "Windows", "count": 1 } });
    let refused = app.put(&pool("windows"), windows.clone()).await.expect(400);
    assert_eq!(refused.code(), "InvalidResourceName");
    let _ = app.put(&pool("window"), windows).await.expect(201);
}

#[rstest]
#[case("r".repeat(90), 201)]
#[case("r".repeat(91), 400)]
#[case("r.".to_owned(), 400)]
#[tokio::test]
async fn names_of_groups_follow_their_grammar(#[case] name: String, #[case] status: u16) {
    let app = TestApp::new(Backend::Sqlite).await;
    let group = GROUP.replace("/rg", &format!("/{name}"));
    let _ = app.put(&group, json!({ "location": "westeurope" })).await.expect(status);
    let fleet = FLEET.replace("/rg/", &format!("/{name}2/"));
    let implicit = app.put(&fleet, super::fleet_body()).await;
    assert_eq!(implicit.status.as_u16(), if name.len() < 90 { 201 } else { 400 }, "{}", implicit.text);
}

#[tokio::test]
async fn a_body_has_four_mebibytes_at_most() {
    let app = TestApp::new(Backend::Sqlite).await;
    const MOST: usize = 4 * 1024 * 1024;
    let padded = |length: usize| {
        let mut body = super::cluster_body().to_string();
        body.push_str(&" ".repeat(length - body.len()));
        app.request(Method::PUT, CLUSTER).header("content-type", "application/json").bytes(body)
    };
    let refused = padded(MOST + 1).send().await.expect(413);
    assert_eq!(refused.code(), "RequestContentTooLarge");
    let _ = app.get(CLUSTER).await.expect(404);
    let _ = padded(MOST).send().await.expect(201);
}

#[tokio::test]
async fn a_fleet_has_so_many_members_at_most() {
    let two = |settings: &mut fleetplane::service::Settings| settings.max_members = 2;
    let app = TestApp::with(Backend::Sqlite, OperationDurations::Zero, two).await;
    super::with_fleet(&app).await;
    let member = |name: &str| format!("{FLEET}/members/{name}");
    for name in ["m1", "m2"] {
        let _ = app.put(&member(name), super::member_body(name)).await.expect(201);
    }
    let refused = app.put(&member("m3"), super::member_body("m3")).await.expect(409);
    assert_eq!(refused.code(), "QuotaExceeded");
    assert!(refused.text.contains('2'), "{}", refused.text);
    let _ = app.put(&member("m2"), super::member_body("m2")).await.expect(200);
    let bulk = json!({
        "subscriptionId": SUBSCRIPTION.trim_start_matches("/subscriptions/"), "resourceGroup": "rg", "namePrefix": "c",
        "count": 1, "fleet": "fleet1",
    });
    let refused = app.request(Method::POST, "/simulator/clusters").json(bulk).send().await.expect(409);
    assert_eq!(refused.code(), "QuotaExceeded");
    let _ = app.delete(&member("m1")).await.expect(202);
    let _ = app.put(&member("m3"), super::member_body("m3")).await.expect(201);
}

#[tokio::test]
async fn pools_of_a_cluster_are_limited_in_number() {
    let app = TestApp::new(Backend::Sqlite).await;
    let cluster = |pools: usize| {
        let mut body = super::cluster_body();
        let pool = |index: usize| json!({ "name": format!("p{index}"), "mode": "System", "count": 1 });
        body["properties"]["agentPoolProfiles"] = (0..pools).map(pool).collect();
        body
    };
    let pool = |index: usize| format!("{CLUSTER}/agentPools/p{index}");
    let one = json!({ "properties": { "count": 1 } });
    assert_eq!(app.put(CLUSTER, cluster(101)).await.expect(409).code(), "QuotaExceeded");
    let _ = app.get(CLUSTER).await.expect(404);
    let _ = app.put(CLUSTER, cluster(99)).await.expect(201);
    let _ = app.put(&pool(99), one.clone()).await.expect(201);
    for refused in [app.put(&pool(100), one.clone()).await, app.put(CLUSTER, cluster(101)).await] {
        let refused = refused.expect(409);
        assert_eq!(refused.code(), "QuotaExceeded");
        assert!(refused.text.contains("100"), "{}", refused.text);
    }
    let shown = app.get(CLUSTER).await.expect(200).json();
    assert_eq!(shown["properties"]["agentPoolProfiles"].as_array().map(Vec::len), Some(100));
    assert_eq!(shown["properties"]["maxAgentPools"], 100);
    let _ = app.put(&pool(99), one.clone()).await.expect(200);
    let _ = app.delete(&pool(99)).await.expect(202);
    let _ = app.put(&pool(100), one).await.expect(201);
}

/// On every list.
#[tokio::test]
async fn a_page_has_so_many_resources_at_most() {
    let estate = super::estate::Estate::new(Backend::Sqlite).await;
    let routes = fleetplane::api::routes();
    let lists = routes.iter().filter(|route| {
        let id = route.operation.id;
        route.method == Method::GET && id.contains("_List") && !WHOLE.contains(&id)
    });
    for list in lists {
        let path = estate.asked(list).path;
        for top in ["1", "1000"] {
            let page = estate.app.get(&format!("{path}?$top={top}")).await.expect(200).json();
            assert!(page["value"].as_array().is_some_and(|values| values.len() <= top.parse().unwrap()));
        }
        for top in ["0", "1001", "-1", "x", ""] {
            let refused = estate.app.get(&format!("{path}?$top={top}")).await.expect(400);
            assert_eq!(refused.code(), "InvalidTop", "{path}");
        }
        let refused = estate.app.get(&format!("{path}?$skipToken=x")).await.expect(400);
        assert_eq!(refused.code(), "InvalidSkipToken", "{path}");
        let refused = estate.app.get(&format!("{path}?$filter=x")).await.expect(400);
        assert_eq!(refused.code(), "InvalidFilter", "{path}");
    }
}

/// What is answered in one piece, as Azure does.
const WHOLE: [&str; 6] = [
    "Subscriptions_List",
    "Subscriptions_ListLocations",
    "Tenants_List",
    "Providers_List",
    "Operations_List",
    "ManagedClusters_ListKubernetesVersions",
];

#[rstest]
#[tokio::test]
async fn a_page_stays_below_eight_megabytes(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let app = TestApp::new(backend).await;
    let names = ["c1", "c2", "c3"];
    for name in names {
        let mut body = super::cluster_body();
        body["properties"]["kept"] = json!("x".repeat(3_900_000));
        let _ = app.put(&CLUSTER.replace("/c1", &format!("/{name}")), body).await.expect(201);
    }
    let (mut next, mut seen) = (CLUSTER.replace("/c1", "?$top=1000"), Vec::new());
    loop {
        let page = app.get(&next).await.expect(200);
        assert!(page.text.len() < 8_000_000, "{} bytes", page.text.len());
        let page = page.json();
        let found = page["value"].as_array().unwrap().iter();
        seen.extend(found.map(|one| one["name"].as_str().unwrap().to_owned()));
        let Some(link) = page.get("nextLink") else { break };
        next = link.as_str().unwrap().replacen("http://localhost", "", 1);
    }
    assert_eq!(seen, names);
}
