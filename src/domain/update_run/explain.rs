//! Why anything waits, stops or has failed, and what unblocks it: `status.error` of gates, groups, stages and runs (the
//! engine: explain).
//!
//! Derived from state after every change; a level that neither waits, stops nor failed has none. To add a reason, give
//! it a code here and let the level above pass it on.

use std::collections::BTreeSet;

use super::pending;
use super::state::{
    Explanation, Gate, GateKind, Group, Member, PendingReason, Run, Stage, StopReason, UpdateState,
};
use crate::domain::time::{Timestamp, to_rfc3339};

/// How many single causes one level names.
const NAMED: usize = 5;

/// The code of a group in which nobody is in flight and somebody waits.
const MEMBERS_PENDING: &str = "MembersPending";

/// Explains the run, its current stage and that stage's groups: all that can wait, stop or have failed.
pub fn apply(run: &mut Run) {
    let changed = run.index.take_unexplained();
    if let Some(s) = run.current_stage() {
        for g in 0..run.stages[s].groups.len() {
            if !still_holds(&run.stages[s].groups[g], changed.as_ref()) {
                let error = of_group(run, &run.stages[s].groups[g]);
                run.stages[s].groups[g].status.error = error;
            }
        }
        let error = of_stage(run, &run.stages[s]);
        run.stages[s].status.error = error;
    }
    run.status.error = of_run(run);
}

/// Whether what a group says of its waiting members is still true: looking at all of them costs most of all here.
fn still_holds(group: &Group, changed: Option<&BTreeSet<u32>>) -> bool {
    let waits = group.status.state == UpdateState::Pending
        && group.status.error.as_ref().is_some_and(|error| error.code == MEMBERS_PENDING);
    waits && changed.is_some_and(|changed| changed.range(group.members.clone()).next().is_none())
}

/// Why a Pending gate is closed.
pub fn gate(gate: &Gate) -> Explanation {
    let name = gate.display_name.as_deref().map(|name| format!(" '{name}'")).unwrap_or_default();
    let resource = gate.id.map(|id| format!("gates/{id}")).unwrap_or_default();
    match &gate.kind {
        GateKind::Approval => Explanation::new(
            "WaitingForApproval",
            format!(
                "Waits for the approval{name}: PATCH {resource} with properties.state Completed, or skip what it \
                 guards."
            ),
        ),
        GateKind::ScheduledStart { absolute, .. } => Explanation::new(
            "WaitingForScheduledStart",
            format!(
                "Waits for the scheduled start{name} at {}; PATCH {resource} with properties.state Completed to go on \
                 at once.",
                absolute.map(to_rfc3339).unwrap_or_default()
            ),
        ),
    }
}

fn of_group(run: &Run, group: &Group) -> Option<Explanation> {
    match group.status.state {
        UpdateState::Pending => {
            let gates = pending_gates(group.before_gates.iter().chain(&group.after_gates));
            let members = run.members_of(&group.members);
            Some(if gates.is_empty() {
                pending_members(members)
            } else {
                let all = gates.len();
                combined(gates, all)
            })
        }
        UpdateState::Stopping => Some(stopping(run, run.in_flight(&group.members))),
        UpdateState::Failed => {
            Some(exceeded(run, "group", &group.name, &group.members, group.max_allowed_failures))
        }
        _ => None,
    }
}

fn of_stage(run: &Run, stage: &Stage) -> Option<Explanation> {
    match stage.status.state {
        UpdateState::Pending => {
            let mut causes = pending_gates(stage.before_gates.iter().chain(&stage.after_gates));
            let waits = |group: &&Group| group.status.state == UpdateState::Pending;
            let all = stage.groups.iter().filter(waits).count() + causes.len();
            causes.extend(stage.groups.iter().filter(waits).take(NAMED).filter_map(pending_cause));
            Some(combined(causes, all))
        }
        UpdateState::Stopping => Some(stopping(run, run.in_flight(&stage.members()))),
        UpdateState::Failed => {
            let group = stage.groups.iter().find(|group| group.status.state == UpdateState::Failed);
            let own = || exceeded(run, "stage", &stage.name, &stage.members(), stage.max_allowed_failures);
            Some(group.and_then(|group| group.status.error.clone()).unwrap_or_else(own))
        }
        _ => None,
    }
}

fn of_run(run: &Run) -> Option<Explanation> {
    let of_stage_in = |state| run.stages.iter().find(|stage| stage.status.state == state);
    match run.status.state {
        UpdateState::Pending => {
            let stage = of_stage_in(UpdateState::Pending)?;
            let cause = stage.status.error.clone()?;
            Some(Explanation { message: format!("Stage '{}': {}", stage.name, cause.message), ..cause })
        }
        UpdateState::Stopping => Some(stopping(run, run.all_in_flight().len() as u32)),
        UpdateState::Failed => Some(match of_stage_in(UpdateState::Failed) {
            Some(stage) => stage.status.error.clone()?,
            None => mended(),
        }),
        _ => None,
    }
}

fn pending_cause(group: &Group) -> Option<Explanation> {
    let cause = group.status.error.clone()?;
    Some(Explanation { message: format!("Group '{}': {}", group.name, cause.message), ..cause })
}

fn pending_gates<'a>(gates: impl Iterator<Item = &'a Gate>) -> Vec<Explanation> {
    gates.filter(|one| one.status.state == UpdateState::Pending).map(gate).collect()
}

/// One explanation for several, of which there are `all`: one stands for itself.
fn combined(mut causes: Vec<Explanation>, all: usize) -> Explanation {
    causes.truncate(NAMED);
    if causes.len() <= 1 {
        return causes.pop().unwrap_or_else(|| Explanation::new(MEMBERS_PENDING, "Members wait."));
    }
    let code = causes[0].code.clone();
    let same = causes.iter().all(|cause| cause.code == code);
    let code = if same { code } else { "WaitingForSeveral".to_owned() };
    let mut message = causes.iter().map(|cause| cause.message.as_str()).collect::<Vec<_>>().join(" ");
    if all > causes.len() {
        message.push_str(&format!(" And {} more.", all - causes.len()));
    }
    Explanation { code, message, details: causes }
}

fn pending_members(members: &[Member]) -> Explanation {
    let pending: Vec<(&Member, &PendingReason)> =
        members.iter().filter_map(|member| Some((member, member.pending.as_ref()?))).collect();
    let timed = pending.iter().filter(|(_, reason)| !reason.is_no_slot());
    let next: Option<Timestamp> = timed.filter_map(|(_, reason)| reason.until()).min();
    let open = members.iter().filter(|member| !member.state().is_over()).count();
    Explanation {
        code: MEMBERS_PENDING.to_owned(),
        message: format!(
            "{} of {open} members still to upgrade wait ({}){}.",
            pending.len(),
            tally(pending.iter().map(|(_, reason)| pending::code(reason))),
            next.map(|at| format!("; the next can start at {}", to_rfc3339(at))).unwrap_or_default()
        ),
        details: pending
            .into_iter()
            .take(NAMED)
            .map(|(member, reason)| {
                let cause = pending::explain(reason);
                Explanation { message: format!("{}: {}", member.name, cause.message), ..cause }
            })
            .collect(),
    }
}

/// `3 MaintenanceWindowClosed, 1 OperationInProgress`.
fn tally<'a>(codes: impl Iterator<Item = &'a str>) -> String {
    let mut counts = std::collections::BTreeMap::<&str, usize>::new();
    codes.for_each(|code| *counts.entry(code).or_default() += 1);
    counts.into_iter().map(|(code, n)| format!("{n} {code}")).collect::<Vec<_>>().join(", ")
}

fn stopping(run: &Run, in_flight: u32) -> Explanation {
    let why = match &run.stop {
        Some(StopReason::Breach(breach)) => match &breach.group {
            Some(group) => format!("more members of group '{group}' failed than it allows"),
            None => format!("more members of stage '{}' failed than it allows", breach.stage),
        },
        _ => "it was asked to".to_owned(),
    };
    Explanation::new(
        "Stopping",
        format!(
            "The run stops because {why}; upgrades under way here end first: {in_flight}. Nothing new starts."
        ),
    )
}

/// A run that failed, after the members that did have been skipped.
fn mended() -> Explanation {
    Explanation::new(
        "MaxAllowedFailuresExceeded",
        "More members had failed than allowed; they have been skipped since. Start the run again to go on.",
    )
}

fn exceeded(run: &Run, level: &str, name: &str, members: &std::ops::Range<u32>, allowed: u32) -> Explanation {
    if run.failures(members) <= allowed {
        return mended();
    }
    let failed = run.members_of(members).iter().filter(|member| member.state() == UpdateState::Failed);
    let details: Vec<Explanation> = failed
        .take(NAMED)
        .map(|member| {
            let cause =
                member.status.error.clone().unwrap_or_else(|| Explanation::new("UpgradeFailed", "Failed."));
            Explanation { message: format!("{}: {}", member.name, cause.message), ..cause }
        })
        .collect();
    let first = details.first().map(|detail| format!(" First: {}", detail.message)).unwrap_or_default();
    Explanation {
        code: "MaxAllowedFailuresExceeded".to_owned(),
        message: format!(
            "{} member(s) of {level} '{name}' failed; it allows {allowed}.{first} Mend the clusters or skip the members, \
             then start the run again.",
            run.failures(members)
        ),
        details,
    }
}
