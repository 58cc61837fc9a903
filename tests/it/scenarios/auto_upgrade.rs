//! Releases that become rollouts by themselves.

use std::sync::Arc;

use axum::http::Method;
use fleetplane::app::App;
use fleetplane::testing::app::{Backend, FLEET, GROUP, TestApp};
use rstest::rstest;
use serde_json::{Value, json};

use super::{Rollout, members};

/// A fleet with one profile.
struct Follower<'a> {
    app: &'a TestApp,
    rollout: Rollout<'a>,
}

impl<'a> Follower<'a> {
    /// Clusters of the newest 1.36 unless `clusters` says otherwise, all in `westeurope`, with a profile for `properties`.
    async fn new(app: &'a TestApp, clusters: Value, properties: Value) -> Self {
        let mut body = json!({ "count": 2, "regions": ["westeurope"], "kubernetesVersion": "1.36.4" });
        body.as_object_mut().unwrap().extend(clusters.as_object().unwrap().clone());
        let rollout = Rollout::new(app, body).await;
        let follower = Self { app, rollout };
        follower.put(properties).await;
        follower
    }

    fn profile_path() -> String {
        format!("{FLEET}/autoUpgradeProfiles/p")
    }

    async fn put(&self, properties: Value) {
        let answer = self.app.put(&Self::profile_path(), json!({ "properties": properties })).await;
        assert!(answer.status.is_success(), "{}", answer.text);
    }

    async fn publish(&self, release: Value) {
        let _ = self.app.request(Method::POST, "/simulator/releases").json(release).send().await.expect(201);
    }

    /// Publishes a Kubernetes version everywhere.
    async fn publish_version(&self, version: &str) {
        self.publish(json!({ "kind": "KubernetesVersion", "version": version })).await;
    }

    /// `autoUpgradeProfileStatus`.
    async fn status(&self) -> Value {
        let profile = self.app.get(&Self::profile_path()).await.expect(200).json();
        profile["properties"]["autoUpgradeProfileStatus"].clone()
    }

    /// All runs of the fleet.
    async fn runs(&self) -> Vec<Value> {
        let page = self.app.get(&format!("{FLEET}/updateRuns")).await.expect(200).json();
        page["value"].as_array().unwrap().clone()
    }

    /// Each run's target with its state, by name.
    async fn states(&self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let of = |run: &Value| {
            let properties = &run["properties"];
            let version = &properties["managedClusterUpdate"]["upgrade"]["kubernetesVersion"];
            (text(version), text(&properties["status"]["status"]["state"]))
        };
        self.runs().await.iter().map(of).collect()
    }

    async fn cluster(&self, name: &str) -> Value {
        let path = format!(
            "{GROUP}/providers/Microsoft.ContainerService/managedClusters/{name}?api-version=2026-08-01"
        );
        self.app.get(&path).await.expect(200).json()["properties"].clone()
    }
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(version, state)| ((*version).to_owned(), (*state).to_owned())).collect()
}

#[rstest]
#[tokio::test]
async fn a_release_that_spreads_over_a_week_reaches_every_cluster_in_order_and_in_its_window(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    let clusters = json!({
        "count": 8,
        "regions": ["eastus", "westus2", "northeurope", "westeurope"],
        "kubernetesVersion": "1.36.4",
        // c0 to c3 are the canaries: one in each region.
        "groups": ["canary", "canary", "canary", "canary", "prod", "prod", "prod", "prod"],
        "maintenanceWindow": {
            "schedule": { "daily": { "intervalDays": 1 } },
            "durationHours": 4, "utcOffset": "+00:00", "startTime": "01:00", "startDate": "2026-11-01",
        },
    });
    let follower = Follower::new(&app, clusters, json!({ "channel": "NodeImage" })).await;
    let strategy = format!("{FLEET}/updateStrategies/rings");
    let stage = |name: &str| json!({ "name": name, "groups": [{ "name": name, "maxConcurrency": "4" }] });
    let stages = json!({ "properties": { "strategy": { "stages": [stage("canary"), stage("prod")] } } });
    let _ = app.put(&strategy, stages).await.expect(201);
    follower.put(json!({ "channel": "Stable", "updateStrategyId": strategy })).await;
    let version =
        |regions: Value| json!({ "kind": "KubernetesVersion", "version": "1.36.5", "regions": regions });
    let mut second = version(json!(["northeurope"]));
    second["at"] = json!("2026-12-03T12:00:00Z");
    let mut third = version(json!(["westeurope"]));
    third["at"] = json!("2026-12-07T12:00:00Z");
    follower.publish(version(json!(["eastus", "westus2"]))).await;
    follower.publish(second).await;
    follower.publish(third).await;
    follower.rollout.pass("P10D").await;

    let runs = follower.runs().await;
    assert_eq!(runs.len(), 1, "one release, one run: {runs:#?}");
    let properties = &runs[0]["properties"];
    assert_eq!(properties["status"]["status"]["state"], "Completed", "{properties:#}");
    assert_eq!(properties["autoUpgradeProfileId"], Follower::profile_path());
    assert_eq!(properties["strategy"]["stages"][1]["name"], "prod", "the strategy's snapshot");
    let of = |member: &Value, what: &str| member["status"][what].as_str().unwrap().to_owned();
    let upgraded = members(&properties["status"]);
    assert_eq!(upgraded.len(), 8);
    for member in &upgraded {
        assert_eq!(of(member, "state"), "Completed", "{member}");
        let name = member["name"].as_str().unwrap();
        assert_eq!(follower.cluster(name).await["currentKubernetesVersion"], "1.36.5", "{name}");
    }
    let ended = |member: &&Value| of(member, "completedTime");
    let canaries = upgraded[..4].iter().map(ended).max().unwrap();
    let prod = upgraded[4..].iter().map(|member| of(member, "startTime")).min().unwrap();
    assert!(
        canaries.as_str() > "2026-12-07T12:00:00Z",
        "westeurope's canary waited for its region: {canaries}"
    );
    assert!(canaries <= prod, "stages keep their order: {canaries} {prod}");
    for member in &upgraded {
        let hour = ended(member)[11..13].to_owned();
        assert!(("01".."05").contains(&hour.as_str()), "outside its window: {member}");
    }
    let status = follower.status().await;
    assert_eq!(
        (&status["lastTriggerStatus"], &status["lastTriggeredAt"]),
        (&json!("Succeeded"), &json!("2026-11-30T00:00:00Z"))
    );
    assert_eq!(status["lastTriggerUpgradeVersions"], json!(["1.36.5"]));
}

#[rstest]
#[tokio::test]
async fn a_release_published_twice_and_seen_by_two_processes_makes_one_run(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    let follower = Follower::new(&app, json!({}), json!({ "channel": "Stable" })).await;
    // Nobody looks meanwhile: the service is down as far as profiles are concerned.
    follower.publish_version("1.36.5").await;
    follower.publish_version("1.36.5").await;
    let replicas: Vec<Arc<App>> =
        (0..2).map(|_| Arc::new(App::of(app.service.clone(), None, true))).collect();
    let ticks = replicas.iter().map(|replica| {
        let replica = Arc::clone(replica);
        tokio::spawn(async move { replica.scheduler.tick().await.unwrap() })
    });
    for tick in ticks.collect::<Vec<_>>() {
        tick.await.unwrap();
    }
    for replica in &replicas {
        replica.scheduler.release_all().await.unwrap();
    }
    assert_eq!(follower.states().await, pairs(&[("1.36.5", "Running")]));
    follower.publish_version("1.36.5").await;
    follower.rollout.pass("P1D").await;
    assert_eq!(follower.states().await, pairs(&[("1.36.5", "Completed")]));
}

#[tokio::test]
async fn what_came_while_nobody_looked_is_one_run_to_the_newest() {
    let app = TestApp::new(Backend::Sqlite).await;
    let follower = Follower::new(&app, json!({}), json!({ "channel": "Stable" })).await;
    for version in ["1.36.5", "1.36.6", "1.36.7"] {
        follower.publish_version(version).await;
    }
    follower.rollout.pass("P1D").await;
    assert_eq!(follower.states().await, pairs(&[("1.36.7", "Completed")]));
}

#[rstest]
#[tokio::test]
async fn one_run_at_a_time_and_only_the_newest_target_waits(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    let follower = Follower::new(&app, json!({}), json!({ "channel": "Stable" })).await;
    follower.publish_version("1.36.5").await;
    app.tick().await;
    follower.publish_version("1.36.6").await;
    app.tick().await;
    assert_eq!(follower.states().await, pairs(&[("1.36.5", "Running"), ("1.36.6", "NotStarted")]));
    let message = follower.status().await["lastTriggerMessage"].as_str().unwrap().to_owned();
    assert!(message.contains("auto-p-stable-1-36-5-"), "{message}");
    follower.publish_version("1.36.7").await;
    app.tick().await;
    assert_eq!(follower.states().await, pairs(&[("1.36.5", "Running"), ("1.36.7", "NotStarted")]));
    follower.rollout.pass("P1D").await;
    assert_eq!(follower.states().await, pairs(&[("1.36.5", "Completed"), ("1.36.7", "Completed")]));
    assert_eq!(follower.cluster("c1").await["currentKubernetesVersion"], "1.36.7");
}

#[rstest]
#[case::stopped("stop")]
#[case::deleted("")]
#[tokio::test]
async fn a_waiting_run_starts_when_the_one_before_it_is_stopped_or_deleted(#[case] action: &str) {
    let app = TestApp::new(Backend::Sqlite).await;
    let follower = Follower::new(&app, json!({}), json!({ "channel": "Stable" })).await;
    follower.publish_version("1.36.5").await;
    app.tick().await;
    follower.publish_version("1.36.6").await;
    app.tick().await;
    let first = follower.runs().await[0]["id"].as_str().unwrap().to_owned();
    if action.is_empty() {
        let _ = app.delete(&first).await.expect(200);
    } else {
        let _ = app.post(&format!("{first}/{action}")).await.expect(200);
    }
    follower.rollout.pass("P1D").await;
    let states = follower.states().await;
    assert_eq!(states.last(), pairs(&[("1.36.6", "Completed")]).last());
    assert!(states.iter().all(|(version, state)| version == "1.36.6" || state == "Stopped"), "{states:?}");
}

#[tokio::test]
async fn a_disabled_profile_leaves_its_run_alone_and_starts_nothing() {
    let app = TestApp::new(Backend::Sqlite).await;
    let follower = Follower::new(&app, json!({}), json!({ "channel": "Stable" })).await;
    follower.publish_version("1.36.5").await;
    app.tick().await;
    follower.put(json!({ "channel": "Stable", "disabled": true })).await;
    follower.publish_version("1.36.6").await;
    follower.rollout.pass("P1D").await;
    assert_eq!(follower.states().await, pairs(&[("1.36.5", "Completed")]));
    follower.put(json!({ "channel": "Stable" })).await;
    follower.rollout.pass("P1D").await;
    assert_eq!(follower.states().await.len(), 1, "enabling triggers nothing");
    follower.publish_version("1.36.7").await;
    follower.rollout.pass("P1D").await;
    assert_eq!(follower.states().await.last(), pairs(&[("1.36.7", "Completed")]).last());
}

#[tokio::test]
async fn a_new_minor_moves_rapid_to_it_and_stable_to_the_former_rapid_minor() {
    let app = TestApp::new(Backend::Sqlite).await;
    let clusters =
        json!({ "count": 2, "kubernetesVersion": ["1.36.4", "1.37.1"], "groups": ["slow", "fast"] });
    let follower = Follower::new(&app, clusters, json!({ "channel": "Stable" })).await;
    follower.rollout.pass("P14D").await;
    follower.publish_version("1.38.0").await;
    follower.rollout.pass("P1D").await;
    // 1.37.2 is the newest patch of what was Rapid until now.
    assert_eq!(follower.states().await, pairs(&[("1.37.2", "Completed")]));
    follower.put(json!({ "channel": "Rapid" })).await;
    follower.rollout.pass("P1D").await;
    assert_eq!(follower.states().await.len(), 1, "another channel triggers nothing by itself");
    follower.publish_version("1.38.1").await;
    follower.rollout.pass("P1D").await;
    let runs = follower.states().await;
    assert!(runs.contains(&("1.38.1".to_owned(), "Completed".to_owned())), "{runs:?}");
    assert_eq!(follower.cluster("c0").await["currentKubernetesVersion"], "1.38.1");
}

#[tokio::test]
async fn a_cluster_two_minors_behind_is_skipped_and_the_run_goes_on() {
    let app = TestApp::new(Backend::Sqlite).await;
    let clusters = json!({ "count": 2, "kubernetesVersion": ["1.35.4", "1.37.1"] });
    let follower = Follower::new(&app, clusters, json!({ "channel": "Rapid" })).await;
    follower.publish_version("1.37.3").await;
    follower.rollout.pass("P1D").await;
    let runs = follower.runs().await;
    let status = &runs[0]["properties"]["status"];
    assert_eq!(status["status"]["state"], "Completed");
    let upgraded = members(status);
    assert_eq!(upgraded[0]["status"]["state"], "Skipped");
    assert!(upgraded[0]["message"].as_str().unwrap().contains("never jumps a minor"), "{}", upgraded[0]);
    assert_eq!(upgraded[1]["status"]["state"], "Completed");
}

#[tokio::test]
async fn a_cluster_without_long_term_support_fails_a_long_term_run() {
    let app = TestApp::new(Backend::Sqlite).await;
    // 1.35 has community support when the profile is made, and none any more when 1.38 is there.
    let profile = json!({
        "channel": "TargetKubernetesVersion", "targetKubernetesVersion": "1.35", "longTermSupport": true,
    });
    let follower = Follower::new(&app, json!({ "kubernetesVersion": "1.35.4" }), profile).await;
    follower.publish_version("1.38.0").await;
    follower.rollout.pass("PT1H").await;
    assert_eq!(follower.runs().await.len(), 0);
    follower.publish_version("1.35.5").await;
    follower.rollout.pass("P1D").await;
    let runs = follower.runs().await;
    let status = &runs[0]["properties"]["status"];
    assert_eq!(status["status"]["state"], "Failed");
    assert_eq!(members(status)[0]["status"]["error"]["code"], "LongTermSupportRequired");
    assert_eq!(members(status)[1]["status"]["state"], "NotStarted", "the first one fails the run");
}

#[tokio::test]
async fn security_patches_go_to_linux_pools_and_images_to_all() {
    let app = TestApp::new(Backend::Sqlite).await;
    let pools = json!([
        { "name": "linux", "mode": "System", "count": 1 },
        { "name": "win", "osType": "Windows", "count": 1 },
    ]);
    let clusters = json!({ "count": 1, "pools": [{ "value": pools, "weight": 1 }] });
    let follower = Follower::new(&app, clusters, json!({ "channel": "SecurityPatch" })).await;
    let image = |cluster: &Value, n: usize| cluster["agentPoolProfiles"][n]["nodeImageVersion"].clone();
    let before = follower.cluster("c0").await;
    let item = |kind: &str, version: &str| json!({ "kind": kind, "version": version });
    follower.publish(item("NodeImage", "AKSUbuntu-2204gen2containerd-202612.07.0")).await;
    follower.rollout.pass("P1D").await;
    assert_eq!(follower.runs().await.len(), 0, "an image does not move the channel of patches");
    follower.publish(item("SecurityPatch", "AKSUbuntu-2204gen2containerd-202611.02.1")).await;
    follower.publish(item("SecurityPatch", "AKSWindows-2022-containerd-20348.4346.261111")).await;
    follower.rollout.pass("P1D").await;
    let runs = follower.runs().await;
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0]["properties"]["status"]["status"]["state"], "Completed", "{:#}", runs[0]);
    let after = follower.cluster("c0").await;
    assert_eq!(image(&after, 0), "AKSUbuntu-2204gen2containerd-202611.02.1");
    assert_eq!(image(&after, 1), image(&before, 1));
    follower.put(json!({ "channel": "NodeImage" })).await;
    follower.publish(item("NodeImage", "AKSWindows-2022-containerd-20348.4500.261208")).await;
    follower.rollout.pass("P1D").await;
    let after = follower.cluster("c0").await;
    assert_eq!(image(&after, 0), "AKSUbuntu-2204gen2containerd-202612.07.0");
    assert_eq!(image(&after, 1), "AKSWindows-2022-containerd-20348.4500.261208");
}

#[rstest]
#[case::strategy("UpdateStrategyNotFound")]
#[case::fleet("NoMembersToUpgrade")]
#[case::support("KubernetesVersionNotSupported")]
#[tokio::test]
async fn a_trigger_that_can_make_no_run_says_why_once(#[case] code: &str) {
    let app = TestApp::new(Backend::Sqlite).await;
    let follower = Follower::new(&app, json!({}), json!({ "channel": "Stable" })).await;
    match code {
        "UpdateStrategyNotFound" => {
            let strategy = format!("{FLEET}/updateStrategies/s");
            let stages = json!([{ "name": "a", "memberSelector": { "byLabel": "" } }]);
            let _ = app
                .put(&strategy, json!({ "properties": { "strategy": { "stages": stages } } }))
                .await
                .expect(201);
            follower.put(json!({ "channel": "Stable", "updateStrategyId": strategy })).await;
            let _ = app.delete(&strategy).await.expect(200);
            // What has gone does not keep the profile from being written.
            follower
                .put(json!({ "channel": "Stable", "updateStrategyId": strategy, "disabled": true }))
                .await;
            follower.put(json!({ "channel": "Stable", "updateStrategyId": strategy })).await;
            follower.publish_version("1.36.5").await;
        }
        "NoMembersToUpgrade" => {
            for name in ["c0", "c1"] {
                let _ = app.delete(&format!("{FLEET}/members/{name}")).await.expect(202);
            }
            follower.publish_version("1.36.5").await;
        }
        _ => {
            let target = json!({ "channel": "TargetKubernetesVersion", "targetKubernetesVersion": "1.35" });
            follower.put(target).await;
            follower.publish_version("1.38.0").await;
        }
    }
    follower.rollout.pass("P1D").await;
    let shown = app.get(&Follower::profile_path()).await.expect(200).json();
    let _ = app.put(&Follower::profile_path(), shown).await.expect(200);
    let status = follower.status().await;
    assert_eq!(
        (&status["lastTriggerStatus"], &status["lastTriggerError"]["code"]),
        (&json!("Failed"), &json!(code))
    );
    assert_eq!(follower.runs().await.len(), 0);
    follower.rollout.pass("P1D").await;
    assert_eq!(follower.status().await, status, "it triggered once");
}

#[tokio::test]
async fn nothing_to_do_for_any_member_makes_no_run_and_says_so() {
    let app = TestApp::new(Backend::Sqlite).await;
    let clusters = json!({ "kubernetesVersion": "1.35.4" });
    let follower = Follower::new(&app, clusters, json!({ "channel": "Rapid" })).await;
    follower.publish_version("1.37.3").await;
    follower.rollout.pass("P1D").await;
    let status = follower.status().await;
    assert_eq!(status["lastTriggerStatus"], "Succeeded");
    assert!(status["lastTriggerMessage"].as_str().unwrap().contains("nothing to do"), "{status}");
    assert_eq!(follower.runs().await.len(), 0);
}

#[tokio::test]
async fn a_trigger_starts_the_run_that_was_generated_and_leaves_alone_what_is_over() {
    let app = TestApp::new(Backend::Sqlite).await;
    let follower = Follower::new(&app, json!({}), json!({ "channel": "Stable" })).await;
    follower.publish_version("1.36.5").await;
    let generate = format!("{}/generateUpdateRun", Follower::profile_path());
    let id = app.post(&generate).await.expect(200).json()["id"].as_str().unwrap().to_owned();
    follower.rollout.pass("P1D").await;
    assert_eq!(follower.states().await, pairs(&[("1.36.5", "Completed")]));
    assert_eq!(follower.runs().await[0]["id"], json!(id));
    // The version is taken back and comes again: its run is over.
    let preview = |is: bool| json!({ "kind": "KubernetesVersion", "version": "1.36.5", "isPreview": is });
    follower.publish(preview(true)).await;
    follower.rollout.pass("PT1H").await;
    follower.publish(preview(false)).await;
    follower.rollout.pass("PT1H").await;
    let message = follower.status().await["lastTriggerMessage"].as_str().unwrap().to_owned();
    assert!(message.contains("left alone: it is Completed"), "{message}");
    assert_eq!(follower.runs().await.len(), 1);
}
