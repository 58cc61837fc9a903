//! How long a run still takes: stage after stage, as many rounds of upgrades as the limits make, and the waits.

use chrono::TimeDelta;

use super::progress::{Progress, Stage, Wait, in_words};
use crate::domain::time::Timestamp;
use crate::domain::update_run::state::UpdateState;

/// What an upgrade is taken to last before any is over: five minutes for the control plane, three for each of a pool's
/// three nodes.
const UPGRADE_MINUTES: i64 = 14;

/// How much is to go, in words: `about 1 h 10 min`, or `at least` so much while members wait for what is not reckoned
/// with: windows, releases, other operations.
pub(super) fn to_go(progress: &Progress, now: Timestamp) -> String {
    let waits = progress.members().any(|member| member.status.state == UpdateState::Pending);
    format!("{} {}", if waits { "at least" } else { "about" }, in_words(remaining(progress, now)))
}

/// Simulated time from `now` to the end, if every upgrade takes as long as those before did on average.
pub(super) fn remaining(progress: &Progress, now: Timestamp) -> TimeDelta {
    let upgrade = average(progress);
    progress.stages().iter().map(|stage| of_stage(stage, upgrade, now) + of_wait(stage, now)).sum()
}

/// What an upgrade has taken so far; before any is over, what most clusters take.
fn average(progress: &Progress) -> TimeDelta {
    let taken: Vec<TimeDelta> = progress.members().filter_map(|member| member.status.duration()).collect();
    match i32::try_from(taken.len()) {
        Ok(count) if count > 0 => taken.into_iter().sum::<TimeDelta>() / count,
        _ => TimeDelta::minutes(UPGRADE_MINUTES),
    }
}

/// The longest of the groups, which go side by side, and of the stage as a whole, whose limit they share; less what
/// those under way have behind them.
fn of_stage(stage: &Stage, upgrade: TimeDelta, now: Timestamp) -> TimeDelta {
    let groups = stage.groups.iter().map(|group| {
        let open = group.members.iter().filter(|member| !member.status.state.is_over()).count();
        rounds(open, group.max_concurrency)
    });
    let open = stage.members().filter(|member| !member.status.state.is_over()).count();
    let rounds = groups.chain([rounds(open, stage.max_concurrency)]).max().unwrap_or(0);
    let under_way = stage.members().filter(|member| member.status.state.is_in_flight());
    let behind =
        under_way.filter_map(|member| Some(now - member.status.start_time?)).min().unwrap_or_default();
    (upgrade * rounds - behind).max(TimeDelta::zero())
}

fn of_wait(stage: &Stage, now: Timestamp) -> TimeDelta {
    let Some(Wait { status, wait_duration_in_seconds }) = &stage.after_stage_wait_status else {
        return TimeDelta::zero();
    };
    if status.state.is_over() {
        return TimeDelta::zero();
    }
    let behind = status.start_time.map_or_else(TimeDelta::zero, |start| now - start);
    (TimeDelta::seconds(*wait_duration_in_seconds) - behind).max(TimeDelta::zero())
}

fn rounds(open: usize, at_once: u32) -> i32 {
    let at_once = usize::try_from(at_once.max(1)).unwrap_or(usize::MAX);
    i32::try_from(open.div_ceil(at_once)).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::progress::tests::{in_prod, minute, waiting};
    use super::*;

    #[test]
    fn the_rest_of_a_wait_and_the_rounds_after_it_are_to_come() {
        // 15 minutes from minute 14 on, then two upgrades of 14, one after the other.
        assert_eq!(remaining(&waiting(), minute(20)), TimeDelta::minutes(9 + 28));
    }

    #[test]
    fn an_upgrade_under_way_has_something_behind_it() {
        assert_eq!(remaining(&in_prod(), minute(50)), TimeDelta::minutes(7));
    }

    #[test]
    fn what_takes_longer_than_expected_never_counts_below_zero() {
        assert_eq!(remaining(&in_prod(), minute(500)), TimeDelta::zero());
    }
}
