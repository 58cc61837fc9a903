//! What is true of every run at every instant; property tests and debug builds check it after every step.
//!
//! To add one, add a check to [`check`] that says in words what is violated.

use super::index::Index;
use super::state::{Group, Member, Run, Stage, UpdateState};

/// The violations, in words; empty for a good run.
pub fn check(run: &Run) -> Vec<String> {
    let mut found = Vec::new();
    for (index, stage) in run.stages.iter().enumerate() {
        limits(run, stage, &mut found);
        order(run, index, &mut found);
        stage.groups.iter().for_each(|group| group_is_consistent(run, group, &mut found));
    }
    run.members.iter().for_each(|member| member_is_consistent(member, &mut found));
    run_is_consistent(run, &mut found);
    if run.index.get().is_some_and(|index| *index != Index::of(&run.members)) {
        found.push("the index does not follow from the members".to_owned());
    }
    found
}

fn limits(run: &Run, stage: &Stage, found: &mut Vec<String>) {
    let in_flight = run.in_flight(&stage.members());
    if in_flight > stage.max_concurrency {
        found.push(format!("stage {}: {in_flight} in flight, limit {}", stage.name, stage.max_concurrency));
    }
    for group in &stage.groups {
        let in_flight = run.in_flight(&group.members);
        if in_flight > group.max_concurrency {
            found.push(format!(
                "group {}: {in_flight} in flight, limit {}",
                group.name, group.max_concurrency
            ));
        }
    }
}

/// A stage is touched only when all before it are closed.
fn order(run: &Run, index: usize, found: &mut Vec<String>) {
    let stage = &run.stages[index];
    let earlier_open = run.stages[..index].iter().any(|earlier| !earlier.status.state.is_closed());
    let active = |member: &Member| member.state().is_in_flight() || member.state() == UpdateState::Pending;
    if earlier_open && run.members_of(&stage.members()).iter().any(active) {
        found.push(format!("stage {} has active members before its turn", stage.name));
    }
}

fn group_is_consistent(run: &Run, group: &Group, found: &mut Vec<String>) {
    let members = run.members_of(&group.members);
    if group.status.state.is_closed() && !members.iter().all(|member| member.state().is_over()) {
        found.push(format!("group {} is {:?} with members left", group.name, group.status.state));
    }
    let all_skipped = members.iter().all(|member| member.state() == UpdateState::Skipped);
    if group.status.state.is_closed() && (group.status.state == UpdateState::Skipped) != all_skipped {
        found.push(format!(
            "group {} is {:?}, all members skipped: {all_skipped}",
            group.name, group.status.state
        ));
    }
    let started = |member: &Member| member.state().is_in_flight() || member.state() == UpdateState::Completed;
    let gate_open = |state: UpdateState| !state.is_over();
    let guarded = group.before_gates.iter().any(|gate| gate_open(gate.status.state));
    if guarded && members.iter().any(started) {
        found.push(format!("group {} started before its gates", group.name));
    }
}

fn member_is_consistent(member: &Member, found: &mut Vec<String>) {
    let state = member.state();
    if (state == UpdateState::Pending) != member.pending.is_some() {
        found.push(format!("member {} is {state:?} with reason {:?}", member.name, member.pending));
    }
    if state.is_in_flight() && member.operation.is_none() {
        found.push(format!("member {} is in flight without an operation", member.name));
    }
    if state.is_over() != member.status.completed_time.is_some() && !member.runs_elsewhere {
        found.push(format!(
            "member {} is {state:?}, completed {:?}",
            member.name, member.status.completed_time
        ));
    }
}

fn run_is_consistent(run: &Run, found: &mut Vec<String>) {
    let in_flight = run.all_in_flight().len();
    let state = run.status.state;
    if in_flight > 0 && !run.is_active() {
        found.push(format!("the run is {state:?} with {in_flight} members in flight"));
    }
    if run.stop.is_some()
        && run
            .members
            .iter()
            .any(|member| matches!(member.state(), UpdateState::Running | UpdateState::Pending))
    {
        found.push("the run stops with members that are Running or Pending".to_owned());
    }
    if (state == UpdateState::Stopping) != (run.stop.is_some() && in_flight > 0) {
        found.push(format!("the run is {state:?} with {in_flight} members in flight, stop {:?}", run.stop));
    }
    if state == UpdateState::Running && super::advance::wake_at(run).is_none() && in_flight == 0 {
        found.push("the run is Running with nothing in flight and nothing to wait for".to_owned());
    }
    if state == UpdateState::Pending && run.status.error.is_none() {
        found.push("the run is Pending without saying why".to_owned());
    }
}
