//! A month of releases: a profile follows Stable, and every release becomes a rollout without a hand.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use axum::http::Method;
use chrono::TimeDelta;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{MissedTickBehavior, interval};

use super::client::{Client, DemoError};
use super::progress::Status;
use super::{Clock, seed, show};
use crate::domain::time::{Timestamp, to_rfc3339};
use crate::domain::update_run::state::UpdateState;

/// Simulated seconds a second: a day, so that the month goes by in half a minute.
pub const SCALE: f64 = 86_400.0;
/// When it ends, where no run is under way.
const DAYS: i64 = 30;
/// When it ends in any case.
const LAST_DAY: i64 = 45;
/// How often the runs are looked at.
const LOOK: Duration = Duration::from_millis(50);

const STRATEGY: &str = "/updateStrategies/rings";
const PROFILE: &str = "/autoUpgradeProfiles/stable";

/// What is published, and on which day; no regions: everywhere.
const RELEASES: [(i64, &str, &[&str]); 4] = [
    (2, "1.36.5", &[]),
    (9, "1.36.6", &["westeurope", "eastus"]),
    (13, "1.36.6", &["brazilsouth", "southeastasia"]),
    (20, "1.38.0", &[]),
];

/// A run, as far as it is shown.
#[derive(Deserialize)]
struct Run {
    name: String,
    properties: RunProperties,
}

#[derive(Deserialize)]
struct RunProperties {
    status: RunStatus,
}

#[derive(Deserialize)]
struct RunStatus {
    status: Status,
}

#[derive(Deserialize)]
struct Runs {
    value: Vec<Run>,
}

/// Seeds, publishes ahead, and tells of every run until the month is over.
pub(super) async fn drive(client: &Client, base: &str) -> Result<(), DemoError> {
    show("fleetplane demo: a month of releases on channel Stable; a second here is a day there\n\n")?;
    let begun = client.get::<Clock>("/simulator/clock").await?.now;
    for step in steps(begun) {
        client.send(step.method, &step.path, step.body.as_ref()).await?;
        show(&format!("  {}\n", step.says))?;
    }
    show(&format!("\nFollow along: curl \"{base}{}\"\n\n", seed::fleet_path("/updateRuns")))?;
    let (here, mut told) = (Instant::now(), BTreeMap::new());
    let mut beat = interval(LOOK);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        beat.tick().await;
        let runs = client.get::<Runs>(&seed::fleet_path("/updateRuns")).await?.value;
        let now = client.get::<Clock>("/simulator/clock").await?.now;
        show(&news(&runs, &mut told, now - begun))?;
        if let Some(state) = verdict(&runs, now - begun) {
            show(&summary(&runs, here.elapsed()))?;
            return state;
        }
    }
}

/// A line for every run whose state is another than the one told last.
fn news(runs: &[Run], told: &mut BTreeMap<String, UpdateState>, passed: TimeDelta) -> String {
    let mut lines = String::new();
    for run in runs {
        let state = run.properties.status.status.state;
        if told.insert(run.name.clone(), state) != Some(state) {
            lines += &format!("  day {:>2}  {}  {}\n", passed.num_days(), run.name, state.name());
        }
    }
    lines
}

/// How it ended, once it has.
fn verdict(runs: &[Run], passed: TimeDelta) -> Option<Result<(), DemoError>> {
    let unfinished = runs.iter().map(|run| run.properties.status.status.state);
    let mut unfinished = unfinished.filter(|state| *state != UpdateState::Completed);
    match (unfinished.next(), passed.num_days()) {
        (_, days) if days < DAYS => None,
        (None, _) => Some(Ok(())),
        (Some(state), days) => {
            (days >= LAST_DAY || state.is_over()).then(|| Err(DemoError::NotCompleted(state.name())))
        }
    }
}

fn summary(runs: &[Run], took: Duration) -> String {
    let completed =
        runs.iter().filter(|run| run.properties.status.status.state == UpdateState::Completed).count();
    format!(
        "\nThe month is over: {} releases, {} runs, {completed} of them completed, in {:.1} s of yours.\n",
        RELEASES.len(),
        runs.len(),
        took.as_secs_f64()
    )
}

/// Everything up to the first release, in order.
fn steps(begun: Timestamp) -> Vec<seed::Step> {
    let put = |path: String, body: Value, says: &str| seed::Step {
        method: Method::PUT,
        path,
        body: Some(body),
        says: says.to_owned(),
    };
    let ring = |name: &str, at_once: &str| json!({ "name": name, "maxConcurrency": at_once });
    let stages = json!([
        { "name": "canary", "groups": [ring("canary", "100%")], "afterStageWaitInSeconds": 86_400 },
        { "name": "prod", "groups": [ring("prod", "3")] },
    ]);
    let strategy = json!({ "properties": { "strategy": { "stages": stages } } });
    let profile =
        json!({ "properties": { "channel": "Stable", "updateStrategyId": seed::fleet_id(STRATEGY) } });
    let mut steps = vec![
        seed::fleet(),
        seed::clusters("canary", 4, "1.36.4", &["canary".to_owned()]),
        seed::clusters("prod", 12, "1.36.4", &["prod".to_owned()]),
        put(seed::fleet_path(STRATEGY), strategy, "strategy rings: canary, a day of waiting, then prod"),
        put(seed::fleet_path(PROFILE), profile, "auto-upgrade profile stable: channel Stable"),
    ];
    steps.extend(RELEASES.map(|(day, version, regions)| release(begun, day, version, regions)));
    steps
}

fn release(begun: Timestamp, day: i64, version: &str, regions: &[&str]) -> seed::Step {
    let at = to_rfc3339(begun + TimeDelta::days(day));
    let body = json!({ "kind": "KubernetesVersion", "version": version, "regions": regions, "at": at });
    let wheres =
        if regions.is_empty() { "everywhere".to_owned() } else { format!("in {}", regions.join(", ")) };
    seed::Step {
        method: Method::POST,
        path: "/simulator/releases".to_owned(),
        body: Some(body),
        says: format!("Kubernetes {version} {wheres} on day {day}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(state: &str) -> Run {
        let body = json!({ "name": "r", "properties": { "status": { "status": { "state": state } } } });
        serde_json::from_value(body).unwrap()
    }

    #[test]
    fn a_run_is_told_once_in_each_state() {
        let mut told = BTreeMap::new();
        assert_eq!(news(&[run("Running")], &mut told, TimeDelta::days(2)), "  day  2  r  Running\n");
        assert_eq!(news(&[run("Running")], &mut told, TimeDelta::days(3)), "");
        assert_eq!(news(&[run("Completed")], &mut told, TimeDelta::days(12)), "  day 12  r  Completed\n");
    }

    #[test]
    fn the_month_ends_when_it_is_over_and_no_run_is_under_way() {
        let ends = |state: &str, day| verdict(&[run(state)], TimeDelta::days(day)).map(|end| end.is_ok());
        assert_eq!(ends("Completed", 29), None);
        assert_eq!(ends("Completed", 30), Some(true));
        assert_eq!(ends("Running", 30), None);
        assert_eq!(ends("Running", 45), Some(false));
        assert_eq!(ends("Failed", 30), Some(false));
    }
}
