//! Three strategies as users write them, over sixty clusters, to the end.

use fleetplane::testing::app::{Backend, TestApp};
use rstest::rstest;
use serde_json::{Value, json};

use super::{Rollout, full, members};

/// Groups by name: canary, early, prod, each in two regions.
const GROUPS: &str = include_str!("strategies/strategy-groups.json");
/// Groups by label.
const SELECTORS: &str = include_str!("strategies/strategy-selectors.json");
/// Approvals and a scheduled start.
const GATES: &str = include_str!("strategies/strategy-gates.json");

fn labelled() -> Value {
    json!({ "labels": [
        { "env": "staging", "tier": "frontend" },
        { "env": "production", "tier": "frontend" },
        { "env": "prod", "tier": "backend" },
    ] })
}

fn grouped(groups: &[&str]) -> Value {
    json!({ "groups": groups })
}

#[rstest]
#[case::groups(GROUPS, grouped(&["canary-eu", "canary-us", "early-eu", "early-us", "prod-eu", "prod-us"]))]
#[case::selectors(SELECTORS, labelled())]
#[case::gates(GATES, grouped(&["test", "prod-eu", "prod-us"]))]
#[tokio::test]
async fn every_member_is_upgraded_in_its_turn(
    #[case] strategy: &str,
    #[case] dealt: Value,
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    let mut clusters =
        json!({ "count": 60, "regions": ["westeurope", "eastus"], "kubernetesVersion": "1.35" });
    clusters.as_object_mut().unwrap().extend(dealt.as_object().unwrap().clone());
    let rollout = Rollout::new(&app, clusters).await;
    rollout.start(&serde_json::from_str(strategy).unwrap(), full()).await;
    let mut approvals = 0;
    for _ in 0..30 {
        rollout.pass("P1D").await;
        approvals += rollout.approve_all().await;
    }
    let status = rollout.status().await;
    assert_eq!(status["status"]["state"], "Completed", "{}", status["status"]);
    assert_eq!(approvals, strategy.matches("\"Approval\"").count());
    let members = members(&status);
    assert_eq!(members.len(), 60);
    assert!(members.iter().all(|member| member["status"]["state"] == "Completed"), "{members:?}");
    stages_follow_each_other(&status);
}

/// No member starts before the stage before its own has ended, waits and gates included.
pub(super) fn stages_follow_each_other(status: &Value) {
    let stages = status["stages"].as_array().unwrap();
    for pair in stages.windows(2) {
        let ended = pair[0]["status"]["completedTime"].as_str().unwrap();
        let starts = pair[1]["groups"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|group| group["members"].as_array().unwrap());
        let earliest = starts.filter_map(|member| member["status"]["startTime"].as_str()).min().unwrap();
        assert!(
            ended <= earliest,
            "{} ends at {ended}, {} begins at {earliest}",
            pair[0]["name"],
            pair[1]["name"]
        );
    }
}

#[rstest]
#[tokio::test]
async fn a_scheduled_start_is_taken_to_the_minute(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    let clusters = json!({ "count": 6, "regions": ["westeurope"], "kubernetesVersion": "1.35",
        "groups": ["test", "prod-eu", "prod-us"] });
    let rollout = Rollout::new(&app, clusters).await;
    rollout.start(&serde_json::from_str(GATES).unwrap(), full()).await;
    // The clock begins on a Monday. The smoke test and the change board are approved on Tuesday.
    for _ in 0..2 {
        rollout.pass("P1D").await;
        assert_eq!(rollout.approve_all().await, 1);
    }
    let waiting = rollout.status().await;
    assert_eq!(waiting["status"]["state"], "Pending");
    assert_eq!(waiting["status"]["error"]["code"], "WaitingForScheduledStart");
    let message = waiting["status"]["error"]["message"].as_str().unwrap();
    assert!(message.contains("2026-12-06T19:00:00Z"), "Sunday 20:00 at +01:00: {message}");
    rollout.pass("P7D").await;
    let status = rollout.status().await;
    let first = &status["stages"][1]["groups"][0]["members"][0];
    assert_eq!(first["status"]["startTime"], "2026-12-06T19:00:00Z");
}
