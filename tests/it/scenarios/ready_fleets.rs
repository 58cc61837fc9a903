//! The demonstration's ready fleets, to the end on a manual clock: the same calls, on both stores.

use std::collections::BTreeMap;
use std::ops::Range;

use axum::http::Method;
use fleetplane::demo::Scenario;
use fleetplane::demo::scenario::{fleet_id, run_path};
use fleetplane::domain::time::Timestamp;
use fleetplane::testing::app::{Backend, TestApp};
use rstest::rstest;
use serde_json::{Value, json};

use super::examples::stages_follow_each_other;
use super::members;

/// Days that the longest scenario may take.
const DAYS: usize = 28;

/// Makes a scenario and starts its run.
async fn begin(app: &TestApp, scenario: Scenario) {
    for call in scenario.story().calls {
        let request = app.request(call.method.clone(), &call.path);
        let request = match call.body {
            Some(body) => request.json(body),
            None => request,
        };
        let answer = request.send().await;
        assert!(answer.status.is_success(), "{} {}: {}", call.method, call.path, answer.text);
    }
    let _ = app.post(&run_path("/start")).await.expect(200);
}

/// Lets days go by until the run is over; its `status` then. Debug builds check the run's invariants at every step.
async fn end(app: &TestApp) -> Value {
    for _ in 0..DAYS {
        let day = app.request(Method::POST, "/simulator/clock/advance").json(json!({ "by": "P1D" }));
        let _ = day.send().await.expect(200);
        let status = app.get(&run_path("")).await.expect(200).json()["properties"]["status"].clone();
        if !status["status"]["completedTime"].is_null() {
            return status;
        }
    }
    panic!("not over after {DAYS} days: {}", app.get(&run_path("")).await.text);
}

/// How many members are in each state, failed ones by their codes.
fn outcomes(status: &Value) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for member in members(status) {
        let state = member["status"]["state"].as_str().unwrap();
        let name = member["status"]["error"]["code"].as_str().unwrap_or(state);
        *counts.entry(name.to_owned()).or_default() += 1;
    }
    counts
}

#[rstest]
#[case(Scenario::Small, &[("Completed", 24)], 1..2)]
#[case(
    Scenario::Enterprise,
    &[("ClusterStopped", 4), ("Completed", 372), ("QuotaExceeded", 2), ("Skipped", 14)],
    24 * 21..24 * 23
)]
#[case(
    Scenario::WorstDay,
    &[
        ("ClusterStopped", 1), ("Completed", 30), ("ControlPlaneUpgradeFailed", 2), ("NotStarted", 11),
        ("PodDrainFailure", 3), ("Skipped", 1),
    ],
    18..19
)]
#[tokio::test]
async fn a_ready_fleet_ends_as_its_story_says(
    #[case] scenario: Scenario,
    #[case] expected: &[(&str, usize)],
    #[case] hours: Range<i64>,
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    begin(&app, scenario).await;
    let status = end(&app).await;
    assert_eq!(status["status"]["state"], scenario.story().ends.name(), "{}", status["status"]);
    let expected = expected.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
    assert_eq!(outcomes(&status), expected);
    stages_follow_each_other(&status);
    let time = |name: &str| status["status"][name].as_str().unwrap().parse::<Timestamp>().unwrap();
    let took = (time("completedTime") - time("startTime")).num_hours();
    assert!(hours.contains(&took), "{took} h");
}

#[rstest]
#[tokio::test]
async fn members_that_no_stage_names_are_shown_in_the_plan(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    begin(&app, Scenario::Enterprise).await;
    let plan = app.get(&format!("/simulator/updateRuns{}", fleet_id("/updateRuns/to-1-36/plan"))).await;
    let mut unmatched: Vec<String> =
        serde_json::from_value(plan.expect(200).json()["unmatched"].take()).unwrap();
    unmatched.sort_by_key(|name| (name.len(), name.clone()));
    assert_eq!(unmatched, [1, 3, 5, 7, 9, 11, 13, 15].map(|i| format!("lts-{i}")));
}
