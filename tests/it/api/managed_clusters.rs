//! `managedClusters` with their pools and windows, and what the simulator is told about them.

use axum::http::Method;
use fleetplane::testing::app::{Backend, FLEET, SUBSCRIPTION, TestApp};
use rstest::rstest;
use serde_json::{Value, json};

use super::{CLUSTER, cluster_body, window_body};

/// Moves the clock on, and lets everything that falls due happen.
async fn advance(app: &TestApp, by: &str) {
    let request = app.request(Method::POST, "/simulator/clock/advance").json(json!({ "by": by }));
    let _ = request.send().await.expect(200);
}

async fn cluster(app: &TestApp) -> Value {
    app.get(CLUSTER).await.expect(200).json()
}

/// The tags of the cluster, its pools, and its window.
async fn tags(app: &TestApp) -> [String; 4] {
    let cluster = cluster(app).await;
    let window = app.get(&format!("{CLUSTER}/maintenanceConfigurations/default")).await.expect(200).json();
    let pool = |i: usize| cluster["properties"]["agentPoolProfiles"][i]["eTag"].to_string();
    [cluster["eTag"].to_string(), pool(0), pool(1), window["eTag"].to_string()]
}

/// Which of the cluster, its pools, and its window have new tags.
async fn renewed(app: &TestApp, before: &[String; 4]) -> [bool; 4] {
    let after = tags(app).await;
    std::array::from_fn(|i| before[i] != after[i])
}

async fn with_cluster(backend: Backend) -> TestApp {
    let app = TestApp::new(backend).await;
    let _ = app.put(CLUSTER, cluster_body()).await.expect(201);
    app
}

#[rstest]
#[tokio::test]
async fn each_operation_renews_the_tags_of_its_scope_and_no_others(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = with_cluster(backend).await;
    let window = format!("{CLUSTER}/maintenanceConfigurations/default");
    let slots = json!({ "properties": { "timeInWeek": [] } });
    let _ = app.put(&window, slots.clone()).await.expect(201);
    let (all, second) = ([true, true, true, false], [false, false, true, false]);
    let before = tags(&app).await;
    assert_eq!(renewed(&app, &before).await, [false; 4], "reading renews nothing");
    let _ = app.put(CLUSTER, cluster_body()).await.expect(200);
    assert_eq!(renewed(&app, &before).await, all);
    let before = tags(&app).await;
    let _ = app.patch(CLUSTER, json!({ "tags": { "a": "b" } })).await.expect(200);
    assert_eq!(renewed(&app, &before).await, all);
    let before = tags(&app).await;
    let _ = app.post(&format!("{CLUSTER}/stop")).await.expect(202);
    assert_eq!(renewed(&app, &before).await, all);
    let before = tags(&app).await;
    let _ = app.put(&format!("{CLUSTER}/agentPools/work"), json!({})).await.expect(200);
    assert_eq!(renewed(&app, &before).await, second);
    let _ = app.post(&format!("{CLUSTER}/start")).await.expect(202);
    let before = tags(&app).await;
    let _ = app.put(&format!("{CLUSTER}/agentPools/extra"), json!({})).await.expect(201);
    let _ = app.delete(&format!("{CLUSTER}/agentPools/extra")).await.expect(202);
    assert_eq!(renewed(&app, &before).await, [false; 4]);
    let _ = app.put(&window, slots).await.expect(200);
    assert_eq!(renewed(&app, &before).await, [false, false, false, true]);
}

#[rstest]
#[tokio::test]
async fn a_raised_version_reaches_the_control_plane_then_pool_after_pool(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = with_cluster(backend).await;
    let mut body = cluster(&app).await;
    body["properties"]["kubernetesVersion"] = json!("1.37.1");
    for pool in body["properties"]["agentPoolProfiles"].as_array_mut().unwrap() {
        pool["orchestratorVersion"] = json!("1.37.1");
    }
    let put = app.put(CLUSTER, body.clone()).await.expect(200);
    assert!(!put.header("azure-asyncoperation").is_empty());
    assert_eq!(app.put(CLUSTER, body).await.expect(409).code(), "OperationNotAllowed");
    let mut seen = Vec::new();
    for by in ["PT4M59S", "PT1S", "PT9M", "PT26M", "PT1M"] {
        advance(&app, by).await;
        let properties = cluster(&app).await["properties"].take();
        let pool = |i: usize| properties["agentPoolProfiles"][i]["currentOrchestratorVersion"].clone();
        let versions = [properties["currentKubernetesVersion"].clone(), pool(0), pool(1)];
        let reached = versions.iter().filter(|version| **version == "1.37.1").count();
        seen.push((reached, properties["provisioningState"].as_str().unwrap().to_owned()));
    }
    let expected = [(0, "Updating"), (1, "Updating"), (2, "Updating"), (2, "Updating"), (3, "Succeeded")];
    assert_eq!(seen, expected.map(|(reached, state)| (reached, state.to_owned())));
    let polled = put.header("azure-asyncoperation").replacen("http://localhost", "", 1);
    assert_eq!(app.get(&polled).await.expect(200).json()["status"], "Succeeded");
}

#[tokio::test]
async fn a_failure_is_told_and_counts_down() {
    let app = with_cluster(Backend::Sqlite).await;
    let behavior = format!("/simulator/behaviors{CLUSTER}");
    let rule = json!({ "at": "ControlPlane", "code": "Quota", "message": "no cores" });
    let _ = app.put(&behavior, json!({ "controlPlaneMinutes": 0, "failures": [rule] })).await.expect(200);
    let mut body = cluster(&app).await;
    body["properties"]["kubernetesVersion"] = json!("1.36.3");
    let put = app.put(CLUSTER, body.clone()).await.expect(200);
    let polled = put.header("azure-asyncoperation").replacen("http://localhost", "", 1);
    let operation = app.get(&polled).await.expect(200).json();
    assert_eq!((&operation["status"], &operation["error"]["code"]), (&json!("Failed"), &json!("Quota")));
    assert_eq!(cluster(&app).await["properties"]["provisioningState"], "Failed");
    assert_eq!(app.get(&behavior).await.expect(200).json()["failures"][0]["times"], 0);
    let _ = app.put(CLUSTER, body).await.expect(200);
    assert_eq!(cluster(&app).await["properties"]["currentKubernetesVersion"], "1.36.3");
    let _ = app.delete(&behavior).await.expect(204);
    assert_eq!(app.get(&behavior).await.expect(200).json(), json!({}));
}

#[tokio::test]
async fn a_hang_ends_by_abort_and_what_is_aborted_reads_canceled() {
    let app = with_cluster(Backend::Sqlite).await;
    let _ = app.put(&format!("/simulator/behaviors{CLUSTER}"), json!({ "hang": true })).await.expect(200);
    let abort = format!("{CLUSTER}/abort");
    assert_eq!(app.post(&abort).await.expect(409).code(), "OperationNotAllowed");
    let mut body = cluster(&app).await;
    body["properties"]["kubernetesVersion"] = json!("1.36.3");
    let _ = app.put(CLUSTER, body).await.expect(200);
    advance(&app, "P1D").await;
    assert_eq!(cluster(&app).await["properties"]["provisioningState"], "Updating");
    let _ = app.post(&abort).await.expect(202);
    assert_eq!(cluster(&app).await["properties"]["provisioningState"], "Canceled");
}

#[tokio::test]
async fn what_is_aborted_on_a_pool_leaves_the_cluster_alone() {
    let app = with_cluster(Backend::Sqlite).await;
    let pool = format!("{CLUSTER}/agentPools/work");
    let shown = async || app.get(&pool).await.expect(200).json()["properties"].take();
    let before = shown().await["nodeImageVersion"].clone();
    let image = before.as_str().unwrap().rsplit_once('-').unwrap().0.to_owned() + "-202612.01.0";
    let release = json!({ "kind": "NodeImage", "version": image });
    let _ = app.request(Method::POST, "/simulator/releases").json(release).send().await.expect(201);
    let _ = app.put(&format!("/simulator/behaviors{CLUSTER}"), json!({ "hang": true })).await.expect(200);
    let _ = app.post(&format!("{pool}/upgradeNodeImageVersion")).await.expect(202);
    advance(&app, "P1D").await;
    let abort = format!("{pool}/abort");
    let other = format!("{CLUSTER}/agentPools/sys/abort");
    assert_eq!(
        app.post(&other).await.expect(409).code(),
        "OperationNotAllowed",
        "that pool has no operation"
    );
    let _ = app.post(&abort).await.expect(202);
    let after = shown().await;
    assert_eq!((&after["provisioningState"], &after["nodeImageVersion"]), (&json!("Canceled"), &before));
    assert_eq!(cluster(&app).await["properties"]["provisioningState"], "Succeeded");
    assert_eq!(app.post(&abort).await.expect(409).code(), "OperationNotAllowed", "nothing is left to abort");
    let _ = app.delete(&format!("/simulator/behaviors{CLUSTER}")).await.expect(204);
    let _ = app.post(&format!("{pool}/upgradeNodeImageVersion")).await.expect(202);
    advance(&app, "P1D").await;
    assert_eq!(shown().await["nodeImageVersion"], image);
}

#[tokio::test]
async fn a_cluster_told_to_be_busy_takes_no_operation_until_then() {
    let app = with_cluster(Backend::Sqlite).await;
    let behavior = json!({ "busyUntil": "2026-11-30T06:00:00Z" });
    let _ = app.put(&format!("/simulator/behaviors{CLUSTER}"), behavior).await.expect(200);
    assert_eq!(app.post(&format!("{CLUSTER}/stop")).await.expect(409).code(), "OperationNotAllowed");
    advance(&app, "PT6H").await;
    let _ = app.post(&format!("{CLUSTER}/stop")).await.expect(202);
    assert_eq!(cluster(&app).await["properties"]["powerState"]["code"], "Stopped");
}

#[tokio::test]
async fn the_pools_of_a_stopped_cluster_take_what_needs_no_nodes() {
    let app = with_cluster(Backend::Sqlite).await;
    let _ = app.post(&format!("{CLUSTER}/stop")).await.expect(202);
    let stopped = cluster(&app).await;
    let (work, more) = (format!("{CLUSTER}/agentPools/work"), format!("{CLUSTER}/agentPools/more"));
    let refused = [
        app.post(&format!("{work}/upgradeNodeImageVersion")).await,
        app.put(&work, json!({ "properties": { "count": 24 } })).await,
        app.put(&more, json!({ "properties": { "count": 1 } })).await,
    ];
    for answer in refused {
        let answer = answer.expect(409);
        assert_eq!(answer.code(), "OperationNotAllowed");
        assert!(answer.text.contains("is stopped; start it before"), "{}", answer.text);
    }
    assert_eq!(cluster(&app).await, stopped);
    let _ = app.put(&work, json!({ "properties": { "count": 25, "tags": { "a": "b" } } })).await.expect(200);
    let _ = app.put(CLUSTER, cluster(&app).await).await.expect(200);
    let _ = app.delete(&work).await.expect(202);
}

#[tokio::test]
async fn a_snapshot_is_in_the_region_of_its_pool() {
    let app = with_cluster(Backend::Sqlite).await;
    let snapshot = CLUSTER.replace("managedClusters/c1", "snapshots/s1");
    let mut body = super::snapshot_body();
    body["location"] = json!("westeurope");
    let refused = app.put(&snapshot, body.clone()).await.expect(400);
    assert_eq!(
        (refused.code().as_str(), &refused.json()["error"]["target"]),
        ("InvalidParameter", &json!("location"))
    );
    let _ = app.get(&snapshot).await.expect(404);
    body["location"] = json!("East US");
    let _ = app.put(&snapshot, body).await.expect(201);
}

#[tokio::test]
async fn the_last_system_pool_cannot_be_deleted() {
    let app = with_cluster(Backend::Sqlite).await;
    let refused = app.delete(&format!("{CLUSTER}/agentPools/sys")).await.expect(409);
    assert_eq!(refused.code(), "OperationNotAllowed");
    let listed = app.get(&format!("{CLUSTER}/agentPools?$top=1")).await.expect(200).json();
    assert_eq!(listed["value"][0]["name"], "sys");
    let next = listed["nextLink"].as_str().unwrap().replacen("http://localhost", "", 1);
    let rest = app.get(&next).await.expect(200).json();
    assert_eq!((&rest["value"][0]["name"], rest.get("nextLink")), (&json!("work"), None));
}

#[tokio::test]
async fn a_window_is_kept_as_sent_with_its_first_day() {
    let app = with_cluster(Backend::Sqlite).await;
    let window = format!("{CLUSTER}/maintenanceConfigurations/aksManagedAutoUpgradeSchedule");
    let made = app.put(&window, window_body()).await.expect(201).json();
    assert_eq!(made["properties"]["maintenanceWindow"]["startDate"], "2026-11-30");
    advance(&app, "P3D").await;
    let again = app.put(&window, window_body()).await.expect(200).json();
    assert_eq!(again["properties"], made["properties"], "the first day stays");
    let mut wrong = window_body();
    wrong["properties"]["maintenanceWindow"]["durationHours"] = json!(25);
    let refused = app.put(&window, wrong).await.expect(400).json();
    assert_eq!(refused["error"]["target"], "properties.maintenanceWindow.durationHours");
    let mine = format!("{CLUSTER}/maintenanceConfigurations/mine");
    assert_eq!(app.put(&mine, window_body()).await.expect(400).code(), "InvalidParameter");
}

#[tokio::test]
async fn a_published_image_is_taken_where_and_when_it_is_there() {
    let app = with_cluster(Backend::Sqlite).await;
    let image = "AKSUbuntu-2204gen2containerd-202612.01.0";
    let item =
        json!({ "kind": "NodeImage", "version": image, "regions": ["eastus"], "at": "2026-12-01T00:00:00Z" });
    let _ = app.request(Method::POST, "/simulator/releases").json(item).send().await.expect(201);
    let upgrade = format!("{CLUSTER}/agentPools/sys/upgradeNodeImageVersion");
    let image_of = async || app.get(&format!("{CLUSTER}/agentPools/sys")).await.json()["properties"].take();
    let _ = app.post(&upgrade).await.expect(202);
    assert_ne!(image_of().await["nodeImageVersion"], image);
    advance(&app, "P1D").await;
    let _ = app.post(&upgrade).await.expect(202);
    advance(&app, "PT9M").await;
    assert_eq!(image_of().await["nodeImageVersion"], image);
    let images = |region: &str| {
        format!("{SUBSCRIPTION}/providers/Microsoft.ContainerService/locations/{region}/nodeImageVersions")
    };
    let has = async |region: &str| app.get(&images(region)).await.expect(200).text.contains(image);
    assert_eq!((has("eastus").await, has("westeurope").await), (true, false));
    let _ = app.get(&images("atlantis")).await.expect(400);
}

#[rstest]
#[tokio::test]
async fn many_clusters_are_made_and_joined_at_once(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    super::with_fleet(&app).await;
    let body = json!({
        "subscriptionId": "11111111-2222-3333-4444-555555555555", "resourceGroup": "rg", "namePrefix": "c",
        "count": 40, "fleet": "fleet1", "groups": [{ "value": "canary", "weight": 1 }, { "value": "prod", "weight": 3 }],
    });
    let request = app.request(Method::POST, "/simulator/clusters").json(body.clone());
    let _ = request.send().await.expect(201);
    let members = app.get(&format!("{FLEET}/members?$top=1000")).await.expect(200).json();
    let groups = members["value"].as_array().unwrap().iter().map(|member| &member["properties"]["group"]);
    assert_eq!(groups.filter(|group| **group == "canary").count(), 10);
    assert_eq!(cluster(&app).await["properties"]["provisioningState"], "Succeeded");
    let again = app.request(Method::POST, "/simulator/clusters").json(body).send().await.expect(409);
    assert_eq!(again.json()["error"]["target"], "namePrefix");
}

#[rstest]
#[tokio::test]
async fn a_pool_made_from_a_snapshot_has_its_image(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = with_cluster(backend).await;
    let snapshot = CLUSTER.replace("managedClusters/c1", "snapshots/s1");
    let made = app.put(&snapshot, super::snapshot_body()).await.expect(201).json();
    let item = json!({ "kind": "NodeImage", "version": "AKSUbuntu-2204gen2containerd-202612.01.0" });
    let _ = app.request(Method::POST, "/simulator/releases").json(item).send().await.expect(201);
    let pool = |source: &str| json!({ "properties": { "creationData": { "sourceResourceId": source } } });
    let extra = format!("{CLUSTER}/agentPools/extra");
    let _ = app.put(&extra, pool(&format!("{snapshot}x"))).await.expect(400);
    let _ = app.put(&extra, pool(&snapshot)).await.expect(201);
    let shown = app.get(&extra).await.expect(200).json();
    assert_eq!(shown["properties"]["nodeImageVersion"], made["properties"]["nodeImageVersion"]);
    let group = snapshot.rsplit_once('/').unwrap().0;
    assert_eq!(app.get(group).await.expect(200).json()["value"][0]["name"], "s1");
}
