//! What a run's plan says before anything starts.

use fleetplane::testing::app::{Backend, FLEET, TestApp};
use serde_json::json;

use super::{RUN, Rollout, full};

#[tokio::test]
async fn a_plan_names_who_is_matched_twice_and_who_by_nobody() {
    let app = TestApp::new(Backend::Sqlite).await;
    let labels = json!([{ "tier": "web", "env": "test" }, { "tier": "web" }, { "tier": "data" }]);
    let clusters =
        json!({ "count": 3, "regions": ["westeurope"], "kubernetesVersion": "1.35", "labels": labels });
    let _rollout = Rollout::new(&app, clusters).await;
    let body = json!({ "properties": {
        "strategy": { "stages": [
            { "name": "test", "memberSelector": { "byLabel": "env=test" } },
            { "name": "web", "memberSelector": { "byLabel": "tier=web" }, "maxConcurrency": "2" },
        ] },
        "managedClusterUpdate": full(),
    } });
    let _ = app.put(&format!("{FLEET}/{RUN}"), body).await.expect(201);
    let plan = app.get(&format!("/simulator/updateRuns{FLEET}/{RUN}/plan")).await.expect(200).json();
    let stage = |name: &str, at_once: u32, of_stage: u32, members: &[&str]| {
        let group =
            json!({ "name": name, "maxConcurrency": at_once, "maxAllowedFailures": 0, "members": members });
        json!({ "name": name, "maxConcurrency": of_stage, "maxAllowedFailures": 0, "groups": [group] })
    };
    let expected = json!({
        "stages": [stage("test", 1, 50, &["c0"]), stage("web", 1, 2, &["c1"])],
        "matchedTwice": [{
            "member": "c0",
            "runsIn": { "stage": "test", "group": "test" },
            "alsoIn": [{ "stage": "web", "group": "web" }],
        }],
        "unmatched": ["c2"],
    });
    assert_eq!(plan, expected);
    let unknown = app.get(&format!("/simulator/updateRuns{FLEET}/updateRuns/nobody/plan")).await;
    assert_eq!(unknown.expect(404).code(), "ResourceNotFound");
}
