//! The guarantees of the engine that concern more than one instant, checked after every step of a [`World`].

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::time::Timestamp;
use crate::domain::update_run::command::Changes;
use crate::domain::update_run::state::{
    Gate, GatePlace, Group, Member, PendingReason, Run, StopReason, Timing, UpdateState,
};
use crate::domain::update_run::{StartUpgrade, Step, advance, explain, invariants, rollup};

/// What was started so far.
#[derive(Debug, Default)]
pub struct History {
    /// The attempts in which each member was really started.
    started: BTreeMap<u32, Vec<u32>>,
    /// The attempts in which each member was to be started, to tell a repeated effect from a second upgrade.
    attempts: BTreeMap<u32, u32>,
}

impl History {
    /// Notes an upgrade that has begun.
    pub fn started(&mut self, effect: &StartUpgrade) {
        let attempt = self.attempts.get(&effect.member).copied().unwrap_or_default();
        let attempts = self.started.entry(effect.member).or_default();
        if attempts.last() != Some(&attempt) {
            attempts.push(attempt);
        } else {
            panic!("member {} was upgraded twice in attempt {attempt}", effect.member);
        }
    }

    /// Checks one step.
    ///
    /// # Panics
    /// Where a guarantee is violated; the message has the run's diary.
    pub fn check(
        &mut self,
        (now, diary): (Timestamp, &[String]),
        before: &Run,
        step: &Step,
        changes: &Changes,
    ) {
        let after = &step.next;
        let mut found = invariants::check(after);
        found.extend(starts(after, step));
        found.extend(unnoticed(before, after, changes));
        found.extend(reopened(before, after));
        found.extend(idle_slots(after));
        found.extend(unexplained(after, now));
        found.extend(stale(after, now));
        for effect in &step.effects {
            self.attempts.insert(effect.member, after.member(effect.member).attempt);
        }
        assert!(found.is_empty(), "{}\n\n{}\n{after:#?}", diary.join("\n"), found.join("\n"));
    }
}

/// Nothing starts after a breach or stop, before its gate, or before its stage's turn.
fn starts(run: &Run, step: &Step) -> Vec<String> {
    let mut found = Vec::new();
    for effect in &step.effects {
        let name = &run.member(effect.member).name;
        if run.stop.is_some() {
            found.push(format!("{name} starts although the run stops"));
        }
        let Some((s, g)) = place_of(run, effect.member) else { continue };
        if run.stages[..s].iter().any(|stage| !stage.status.state.is_closed()) {
            found.push(format!("{name} starts before its stage's turn"));
        }
        let stage_gates = run.gate_list(s, None, Timing::Before);
        let mut gates = stage_gates.iter().chain(run.gate_list(s, Some(g), Timing::Before));
        if gates.any(|gate| !gate.status.state.is_over()) {
            found.push(format!("{name} starts before its gate"));
        }
        if run.member(effect.member).runs_elsewhere {
            found.push(format!("{name} starts where it is only shown"));
        }
    }
    found
}

fn place_of(run: &Run, ordinal: u32) -> Option<(usize, usize)> {
    let stages = run.stages.iter().enumerate();
    let mut places =
        stages.flat_map(|(s, stage)| stage.groups.iter().enumerate().map(move |(g, group)| (s, g, group)));
    places.find(|(_, _, group)| group.members.contains(&ordinal)).map(|(s, g, _)| (s, g))
}

/// Whoever saves is told all that changed.
fn unnoticed(before: &Run, after: &Run, changes: &Changes) -> Vec<String> {
    let members = (0..).zip(before.members.iter().zip(&after.members));
    let members = members
        .filter(|(n, (old, new))| old != new && !changes.members.contains(n))
        .map(|(_, (_, new))| format!("nobody is told that member {} changed", new.name));
    let gates: Vec<(GatePlace, &Gate)> = before.gates().collect();
    let gates = gates.into_iter().zip(after.gates());
    let gates = gates
        .filter(|((place, old), (_, new))| old != new && !changes.gates.contains(place))
        .map(|((place, _), _)| format!("nobody is told that gate {place:?} changed"));
    members.chain(gates).collect()
}

/// What is closed stays so; a member that is Completed or Skipped stays so.
fn reopened(before: &Run, after: &Run) -> Vec<String> {
    let closed = |state: UpdateState| state.is_closed();
    let members = before.members.iter().zip(&after.members);
    let members = members
        .filter(|(old, new)| closed(old.state()) && old != new)
        .map(|(_, new)| format!("member {} changed after its end", new.name));
    let stages = before.stages.iter().zip(&after.stages);
    let stages = stages
        .filter(|(old, new)| closed(old.status.state) && old.status != new.status)
        .map(|(_, new)| format!("stage {} changed after its end", new.name));
    let groups =
        |run: &Run| -> Vec<Group> { run.stages.iter().flat_map(|stage| stage.groups.clone()).collect() };
    let groups = groups(before).into_iter().zip(groups(after));
    let groups = groups
        .filter(|(old, new)| closed(old.status.state) && old.status != new.status)
        .map(|(_, new)| format!("group {} changed after its end", new.name));
    members.chain(stages).chain(groups).collect()
}

/// A free slot is filled at once.
fn idle_slots(run: &Run) -> Vec<String> {
    let Some(s) = run.current_stage().filter(|_| run.is_active() && run.stop.is_none()) else {
        return Vec::new();
    };
    let stage = &run.stages[s];
    let is_over = |gates: &[Gate]| gates.iter().all(|gate| gate.status.state.is_over());
    if !is_over(&stage.before_gates) || run.in_flight(&stage.members()) >= stage.max_concurrency {
        return Vec::new();
    }
    let has_slot = |group: &&Group| {
        is_over(&group.before_gates) && run.in_flight(&group.members) < group.max_concurrency
    };
    let waits = |member: &&Member| {
        member.state() == UpdateState::NotStarted
            || member.pending.as_ref().is_some_and(PendingReason::is_no_slot)
    };
    let idle =
        stage.groups.iter().filter(has_slot).flat_map(|group| run.members_of(&group.members)).filter(waits);
    idle.map(|member| format!("a slot is free and {} does not start", member.name)).collect()
}

/// What is derived follows from the rest alone.
fn stale(run: &Run, now: Timestamp) -> Option<String> {
    let mut again = run.clone();
    again.index.forget();
    rollup::apply(&mut again, now);
    explain::apply(&mut again);
    (again != *run).then(|| format!("what is derived is stale; anew it is {again:#?}"))
}

/// A run that goes on has something to wait for, by time or by a named signal.
fn unexplained(run: &Run, now: Timestamp) -> Vec<String> {
    let mut found = Vec::new();
    if advance::wake_at(run).is_some_and(|at| at <= now) {
        found.push("the run wants to be woken in the past".to_owned());
    }
    let pending = |status: &UpdateState| *status == UpdateState::Pending;
    for stage in &run.stages {
        let groups = stage.groups.iter().map(|group| (&group.name, &group.status));
        for (name, status) in groups.chain([(&stage.name, &stage.status)]) {
            let must =
                matches!(status.state, UpdateState::Pending | UpdateState::Stopping | UpdateState::Failed);
            if must != status.error.is_some() {
                found.push(format!("{name} is {:?} with error {:?}", status.state, status.error));
            }
        }
    }
    let waits = run.gates().any(|(_, gate)| pending(&gate.status.state))
        || run.members.iter().any(|member| pending(&member.state()));
    let moves = !run.all_in_flight().is_empty() || advance::wake_at(run).is_some();
    if run.is_active() && !waits && !moves {
        found.push("the run goes on and waits for nothing".to_owned());
    }
    if run.status.state == UpdateState::Pending && !waits {
        found.push("the run is Pending and nothing in it is".to_owned());
    }
    let breached = matches!(run.stop, Some(StopReason::Breach(_)));
    if run.status.state == UpdateState::Failed && (!breached || run.status.error.is_none()) {
        found.push(format!("the run is Failed with {:?}, error {:?}", run.stop, run.status.error));
    }
    found
}

/// The members that ran, for tests that look at who was upgraded.
pub fn completed(run: &Run) -> BTreeSet<&str> {
    let completed = run.members.iter().filter(|member| member.state() == UpdateState::Completed);
    completed.map(|member| member.name.as_str()).collect()
}
