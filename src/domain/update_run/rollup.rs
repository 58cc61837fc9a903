//! The states of groups, stages and run, derived from members, gates and waits by the table of states (the engine:
//! states and roll-up).
//!
//! Closing (`Completed`, `Skipped`) is an act, because what comes after depends on it; the acts are here, who calls
//! them is in `advance::flow` and `skip`. Everything else is derived anew by [`apply`] after every change.

use super::state::{GatePlace, Group, Run, Stage, Status, StopReason, UpdateState};
use crate::domain::time::Timestamp;

/// Skipped where all parts are, else Completed; Skipped where there are none.
pub fn closed_state(mut parts: impl Iterator<Item = UpdateState>) -> UpdateState {
    if parts.all(|state| state == UpdateState::Skipped) {
        UpdateState::Skipped
    } else {
        UpdateState::Completed
    }
}

/// Closes a group all of whose members are over, or which has none.
pub fn close_group(run: &mut Run, stage: usize, group: usize, now: Timestamp) {
    let range = run.stages[stage].groups[group].members.clone();
    let state = closed_state(run.members_of(&range).iter().map(|member| member.state()));
    run.stages[stage].groups[group].status.end(state, now);
}

/// Skips the gates of a stage or group that are not over; says which.
pub fn drop_gates(run: &mut Run, stage: usize, group: Option<usize>, now: Timestamp) -> Vec<GatePlace> {
    let open: Vec<GatePlace> = run
        .gates()
        .filter(|(place, gate)| (place.stage, place.group) == (stage, group) && !gate.status.state.is_over())
        .map(|(place, _)| place)
        .collect();
    for &place in &open {
        run.gate_mut(place).status.end(UpdateState::Skipped, now);
    }
    open
}

/// Skips a stage's own gates and wait that are not over; says which gates.
pub fn drop_stage_end(run: &mut Run, stage: usize, now: Timestamp) -> Vec<GatePlace> {
    if let Some(wait) = &mut run.stages[stage].wait
        && !wait.status.state.is_over()
    {
        wait.status.end(UpdateState::Skipped, now);
    }
    drop_gates(run, stage, None, now)
}

/// Closes a stage none of whose members is in flight, with all that is still open in it; says which gates that skips.
pub fn close_stage(run: &mut Run, stage: usize, now: Timestamp) -> Vec<GatePlace> {
    let mut gates = drop_stage_end(run, stage, now);
    for group in 0..run.stages[stage].groups.len() {
        if !run.stages[stage].groups[group].status.state.is_closed() {
            gates.extend(drop_gates(run, stage, Some(group), now));
            close_group(run, stage, group, now);
        }
    }
    let state = closed_state(run.stages[stage].groups.iter().map(|group| group.status.state));
    run.stages[stage].status.end(state, now);
    gates
}

/// Derives the states of the current stage, its groups and the run; stages before it are closed, those after it have not
/// been reached. A run that has not started keeps its own state.
pub fn apply(run: &mut Run, now: Timestamp) {
    if let Some(s) = run.current_stage() {
        for g in 0..run.stages[s].groups.len() {
            if !run.stages[s].groups[g].status.state.is_closed() {
                let state = group_state(run, &run.stages[s].groups[g]);
                set(&mut run.stages[s].groups[g].status, state, now);
            }
        }
        let state = stage_state(run, &run.stages[s]);
        set(&mut run.stages[s].status, state, now);
    }
    if run.is_active() && run.stop.is_none() {
        let waits =
            run.current_stage().map(|stage| run.stages[stage].status.state) == Some(UpdateState::Pending);
        run.status.state = if waits { UpdateState::Pending } else { UpdateState::Running };
    }
}

/// `Stopped` and `Failed` end a level until the next start; every other state here is open.
fn set(status: &mut Status, state: UpdateState, now: Timestamp) {
    match state {
        UpdateState::Stopped | UpdateState::Failed => _ = status.completed_time.get_or_insert(now),
        _ => status.completed_time = None,
    }
    status.state = state;
}

fn group_state(run: &Run, group: &Group) -> UpdateState {
    let in_flight = run.in_flight(&group.members) > 0;
    let reached = is_reached(group);
    if run.stop.is_some() {
        return match (in_flight, run.failures(&group.members) > group.max_allowed_failures, reached) {
            (true, ..) => UpdateState::Stopping,
            (_, true, _) => UpdateState::Failed,
            (.., true) => UpdateState::Stopped,
            _ => UpdateState::NotStarted,
        };
    }
    let mut gates = group.before_gates.iter().chain(&group.after_gates);
    if gates.any(|gate| gate.status.state == UpdateState::Pending) {
        UpdateState::Pending
    } else if in_flight {
        UpdateState::Running
    } else if run.any_pending(&group.members) {
        // Nothing is in flight, so whoever is not over is Pending or NotStarted.
        UpdateState::Pending
    } else if reached {
        UpdateState::Running
    } else {
        UpdateState::NotStarted
    }
}

/// A group is reached with its first gate, or with the first member that is judged.
fn is_reached(group: &Group) -> bool {
    let mut gates = group.before_gates.iter().chain(&group.after_gates);
    group.status.start_time.is_some() || gates.any(|gate| gate.status.start_time.is_some())
}

fn stage_state(run: &Run, stage: &Stage) -> UpdateState {
    let groups = || stage.groups.iter().map(|group| group.status.state);
    let mut own_gates = stage.before_gates.iter().chain(&stage.after_gates);
    let waits = stage.wait.as_ref().is_some_and(|wait| wait.status.state == UpdateState::Running);
    let reached = stage.status.start_time.is_some()
        || own_gates.clone().any(|gate| gate.status.start_time.is_some())
        || stage.groups.iter().any(is_reached);
    if run.stop.is_some() {
        let breached = matches!(&run.stop, Some(StopReason::Breach(breach)) if breach.stage == stage.name);
        return match (reached, run.status.state, breached) {
            (false, ..) => UpdateState::NotStarted,
            (_, UpdateState::Stopping, _) => UpdateState::Stopping,
            (.., true) => UpdateState::Failed,
            _ => UpdateState::Stopped,
        };
    }
    if own_gates.any(|gate| gate.status.state == UpdateState::Pending) {
        UpdateState::Pending
    } else if waits || groups().any(|state| state == UpdateState::Running) {
        UpdateState::Running
    } else if groups().any(|state| state == UpdateState::Pending) {
        UpdateState::Pending
    } else if reached {
        UpdateState::Running
    } else {
        UpdateState::NotStarted
    }
}
