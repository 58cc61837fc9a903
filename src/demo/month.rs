//! Watching a month of releases: a profile follows Stable, and every release becomes a rollout without a hand.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use serde::Deserialize;
use tokio::time::{MissedTickBehavior, interval};

use super::client::{Client, DemoError};
use super::progress::Status;
use super::scenario::{RELEASES, Story};
use super::{Clock, set_going, show};
use crate::domain::update_run::state::UpdateState;

/// When it ends, where no run is under way.
const DAYS: i64 = 30;
/// When it ends in any case.
const LAST_DAY: i64 = 45;
/// How often the runs are looked at.
const LOOK: Duration = Duration::from_millis(50);

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

/// Sets the clock going, and tells of every run until the month is over.
pub(super) async fn watch(client: &Client, story: &Story) -> Result<(), DemoError> {
    let begun = client.get::<Clock>("/simulator/clock").await?.now;
    set_going(client, story).await?;
    let (here, mut told) = (Instant::now(), BTreeMap::new());
    let mut beat = interval(LOOK);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        beat.tick().await;
        let runs = client.get::<Runs>(&story.watch).await?.value;
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
            (days >= LAST_DAY || state.is_over()).then(|| Err(DemoError::EndedOtherwise(state.name())))
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

#[cfg(test)]
mod tests {
    use serde_json::json;

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
