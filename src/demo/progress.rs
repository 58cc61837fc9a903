//! A run as `GET` answers it, as far as it is shown.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::TimeDelta;
use serde::Deserialize;

use crate::domain::time::Timestamp;
use crate::domain::update_run::state::UpdateState;

/// From more members than this on a group is shown as a whole, not member by member.
pub(super) const MANY: usize = 16;

/// The run.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Progress {
    properties: Properties,
}

#[derive(Clone, Debug, Deserialize)]
struct Properties {
    status: RunStatus,
}

#[derive(Clone, Debug, Deserialize)]
struct RunStatus {
    status: Status,
    stages: Vec<Stage>,
}

/// State and times of anything in a run.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Status {
    pub(super) state: UpdateState,
    pub(super) start_time: Option<Timestamp>,
    pub(super) completed_time: Option<Timestamp>,
    /// Why it failed or waits.
    #[serde(default)]
    error: Option<Fault>,
}

/// An error, as far as it is counted.
#[derive(Clone, Debug, Deserialize)]
struct Fault {
    code: String,
}

/// A stage.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Stage {
    pub(super) name: String,
    pub(super) status: Status,
    /// How many of its members are upgraded at once.
    pub(super) max_concurrency: u32,
    pub(super) groups: Vec<Group>,
    pub(super) after_stage_wait_status: Option<Wait>,
}

/// A group.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Group {
    pub(super) name: String,
    pub(super) status: Status,
    /// How many of its members are upgraded at once.
    pub(super) max_concurrency: u32,
    pub(super) members: Vec<Member>,
}

/// A member.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) status: Status,
}

/// The wait after a stage.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Wait {
    pub(super) status: Status,
    pub(super) wait_duration_in_seconds: i64,
}

impl Progress {
    /// The run's state.
    pub(super) fn state(&self) -> UpdateState {
        self.properties.status.status.state
    }

    /// When it began, and ended.
    pub(super) fn status(&self) -> &Status {
        &self.properties.status.status
    }

    /// Its stages, in order.
    pub(super) fn stages(&self) -> &[Stage] {
        &self.properties.status.stages
    }

    /// All members.
    pub(super) fn members(&self) -> impl Iterator<Item = &Member> {
        self.stages().iter().flat_map(Stage::members)
    }

    /// The last lines: how it ended, how many members how and with what, and how long that took in both times.
    pub(super) fn summary(&self, took: Duration) -> String {
        let count = |state| self.members().filter(|member| member.status.state == state).count();
        let others = [UpdateState::Pending, UpdateState::NotStarted, UpdateState::Stopped];
        let others = others.into_iter().zip(["still pending", "not started", "stopped"]);
        let left = others.map(|(state, says)| (count(state), says)).filter(|(count, _)| *count > 0);
        let left: String = left.map(|(count, says)| format!(", {count} {says}")).collect();
        let failures: String =
            self.failures().iter().map(|(code, count)| format!("  {count} failed with {code}\n")).collect();
        let simulated = self.status().duration().map_or_else(|| "unknown".to_owned(), in_words);
        format!(
            "\nThe run is {}: {} members completed, {} failed, {} skipped{left}.\n\
             {failures}\
             It took {simulated} of simulated time, {:.1} s of yours.\n",
            self.state().name(),
            count(UpdateState::Completed),
            count(UpdateState::Failed),
            count(UpdateState::Skipped),
            took.as_secs_f64(),
        )
    }
}

impl Progress {
    /// How many members failed with what code.
    fn failures(&self) -> BTreeMap<&str, usize> {
        let failed = self.members().filter(|member| member.status.state == UpdateState::Failed);
        failed.fold(BTreeMap::new(), |mut counts, member| {
            let code = member.status.error.as_ref().map_or("no code", |error| error.code.as_str());
            *counts.entry(code).or_default() += 1;
            counts
        })
    }
}

impl Stage {
    /// Its members, group by group.
    pub(super) fn members(&self) -> impl Iterator<Item = &Member> {
        self.groups.iter().flat_map(|group| &group.members)
    }
}

impl Status {
    /// How long it took, once it is over.
    pub(super) fn duration(&self) -> Option<TimeDelta> {
        Some(self.completed_time? - self.start_time?)
    }
}

/// `16 d 02 h`, `1 h 24 min`, `14 min`, `40 s`.
pub(super) fn in_words(duration: TimeDelta) -> String {
    let (days, hours, minutes) = (duration.num_days(), duration.num_hours(), duration.num_minutes() % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{} s", duration.num_seconds()),
        (0, 0, minutes) => format!("{minutes} min"),
        (0 | 1, hours, minutes) => format!("{hours} h {minutes:02} min"),
        (days, hours, _) => format!("{days} d {:02} h", hours % 24),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// The instant so many minutes into the run.
    pub(in crate::demo) fn minute(minute: i64) -> Timestamp {
        crate::domain::time::from_micros(1_796_000_400_000_000) + TimeDelta::minutes(minute)
    }

    fn status(state: &str, from: Option<i64>, to: Option<i64>) -> Value {
        json!({ "state": state, "startTime": from.map(minute), "completedTime": to.map(minute) })
    }

    fn member(name: &str, state: &str, from: Option<i64>, to: Option<i64>) -> Value {
        json!({ "name": name, "status": status(state, from, to), "clusterResourceId": "/c" })
    }

    /// A run at minute 20: canary done after 14 minutes, its wait running, two members to go one by one.
    pub(in crate::demo) fn waiting() -> Progress {
        run(
            "Running",
            None,
            "Running",
            "NotStarted",
            &[("NotStarted", None, None), ("NotStarted", None, None)],
        )
    }

    /// The same run at minute 50: canary and its wait are over, of the others one has just ended and one begun.
    pub(in crate::demo) fn in_prod() -> Progress {
        let prod = [("Completed", Some(29), Some(43)), ("Running", Some(43), None)];
        run("Running", None, "Completed", "Running", &prod)
    }

    fn run(
        state: &str,
        ended: Option<i64>,
        wait: &str,
        prod: &str,
        members: &[(&str, Option<i64>, Option<i64>)],
    ) -> Progress {
        let canary = if wait == "Completed" { "Completed" } else { "Running" };
        let members: Vec<Value> = (0..)
            .zip(members)
            .map(|(i, (state, from, to))| member(&format!("prod-{i}"), state, *from, *to))
            .collect();
        serde_json::from_value(json!({ "name": "r", "properties": { "status": {
            "status": status(state, Some(0), ended),
            "stages": [
                {
                    "name": "canary", "status": status(canary, Some(0), None), "maxConcurrency": 50,
                    "groups": [{
                        "name": "canary", "status": status("Completed", Some(0), Some(14)), "maxConcurrency": 1,
                        "members": [member("canary-0", "Completed", Some(0), Some(14))],
                    }],
                    "afterStageWaitStatus": { "status": status(wait, Some(14), None), "waitDurationInSeconds": 900 },
                },
                {
                    "name": "prod", "status": status(prod, None, None), "maxConcurrency": 50,
                    "groups": [{
                        "name": "prod", "status": status(prod, None, None), "maxConcurrency": 1, "members": members,
                    }],
                },
            ],
        } } }))
        .unwrap()
    }

    #[test]
    fn the_summary_counts_members_by_how_they_ended() {
        let members =
            [("Completed", Some(29), Some(43)), ("Failed", Some(43), Some(50)), ("Skipped", None, None)];
        let run = run("Failed", Some(84), "Completed", "Failed", &members);
        insta::assert_snapshot!(run.summary(Duration::from_millis(21_340)), @r"

        The run is Failed: 2 members completed, 1 failed, 1 skipped.
          1 failed with no code
        It took 1 h 24 min of simulated time, 21.3 s of yours.
        ");
        assert!(
            waiting()
                .summary(Duration::ZERO)
                .contains("1 members completed, 0 failed, 0 skipped, 2 not started")
        );
    }
}
