//! What users do to a run: the only thing here that can refuse (the engine: actions).
//!
//! A command changes state and nothing else; the caller advances the run right after, in the same transaction, so that
//! the answer shows where it led. To add a command, add a function here, or a file where it needs more than one.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use super::state::{GatePlace, Run, StopReason, UpdateState};
use super::target::ImageSelection;
use crate::domain::node_image::NodeImage;
use crate::domain::refusal::{Code, Refusal};
use crate::domain::time::Timestamp;

/// What a command changed, for whoever saves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Members that changed.
    pub members: BTreeSet<u32>,
    /// Gates that changed.
    pub gates: Vec<GatePlace>,
}

/// Whether a run may be started now: for a caller that has something to look up before it does.
///
/// # Errors
/// `OperationNotAllowed` in any state but NotStarted, Stopped and Failed.
pub fn check_start(run: &Run) -> Result<(), Refusal> {
    allowed(run, "started", &[UpdateState::NotStarted, UpdateState::Stopped, UpdateState::Failed])
}

/// Starts a run, or goes on where it stopped. `consistent` are the images that all regions of the run have now: the
/// first start of a run with Consistent images fixes them.
///
/// # Errors
/// See [`check_start`].
pub fn start(
    run: &mut Run,
    consistent: &BTreeMap<String, NodeImage>,
    now: Timestamp,
) -> Result<Changes, Refusal> {
    check_start(run)?;
    if let ImageSelection::Consistent { selected, fixed: fixed @ false } = &mut run.target.images {
        *selected = consistent.clone();
        *fixed = true;
    }
    let changes = Changes { members: try_again(run), gates: Vec::new() };
    run.stop = None;
    run.status.state = UpdateState::Running;
    run.status.completed_time = None;
    run.status.error = None;
    run.status.begin(now);
    Ok(changes)
}

/// Failed members of groups that are not closed get another attempt.
fn try_again(run: &mut Run) -> BTreeSet<u32> {
    let again = retriable(run);
    for &ordinal in &again {
        run.edit(ordinal, |member| {
            member.unjudge();
            member.attempt += 1;
        });
    }
    again
}

/// The Failed members that a start tries again.
pub(super) fn retriable(run: &Run) -> BTreeSet<u32> {
    let groups = run.stages.iter().flat_map(|stage| &stage.groups);
    groups
        .filter(|group| !group.status.state.is_closed())
        .flat_map(|group| group.members.clone())
        .filter(|ordinal| run.member(*ordinal).state() == UpdateState::Failed)
        .collect()
}

/// Stops a run: nothing starts from now on; what is in flight ends first.
///
/// # Errors
/// `OperationNotAllowed` in any state but Running and Pending.
pub fn stop(run: &mut Run) -> Result<Changes, Refusal> {
    allowed(run, "stopped", &[UpdateState::Running, UpdateState::Pending])?;
    Ok(Changes { members: super::stop::begin(run, StopReason::Requested), gates: Vec::new() })
}

/// Completes a Pending gate: an approval, or a scheduled start ahead of its time. `false` where it is Completed
/// already, which changes nothing.
///
/// # Errors
/// `OperationNotAllowed` in any other state; `ResourceNotFound` where the run has no such gate.
pub fn complete_gate(run: &mut Run, gate: Uuid, now: Timestamp) -> Result<bool, Refusal> {
    let found = run.gates().find(|(_, candidate)| candidate.id == Some(gate)).map(|(place, _)| place);
    let Some(place) = found else {
        return Err(Refusal::new(Code::ResourceNotFound, format!("The run has no gate {gate}.")));
    };
    let status = &mut run.gate_mut(place).status;
    match status.state {
        UpdateState::Completed => Ok(false),
        UpdateState::Pending => {
            status.end(UpdateState::Completed, now);
            Ok(true)
        }
        state => Err(Refusal::at(
            Code::OperationNotAllowed,
            "properties.state",
            format!("Only a Pending gate can be completed; this one is {state:?}."),
        )),
    }
}

pub(super) fn allowed(run: &Run, what: &str, states: &[UpdateState]) -> Result<(), Refusal> {
    if states.contains(&run.status.state) {
        return Ok(());
    }
    let names: Vec<String> = states.iter().map(|state| format!("{state:?}")).collect();
    Err(Refusal::new(
        Code::OperationNotAllowed,
        format!(
            "The update run is {:?}; it can be {what} only while it is {}.",
            run.status.state,
            names.join(", ")
        ),
    ))
}
