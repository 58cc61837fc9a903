//! The instant from which nothing starts: shared by a stop that is asked for and by a breach.

use std::collections::BTreeSet;

use super::state::{Run, StopReason, UpdateState};

/// The members that a stop changes: those that wait or are in flight.
pub(super) fn affected(run: &Run) -> BTreeSet<u32> {
    run.all_pending().into_iter().chain(run.all_in_flight()).collect()
}

/// Begins to stop. Members that wait go back to NotStarted, members in flight read Stopping; says which changed.
pub(super) fn begin(run: &mut Run, reason: StopReason) -> BTreeSet<u32> {
    let affected = affected(run);
    run.stop = Some(reason);
    run.status.state = UpdateState::Stopping;
    for &ordinal in &affected {
        run.edit(ordinal, |member| match member.state() {
            UpdateState::Pending => member.unjudge(),
            _ => member.status.state = UpdateState::Stopping,
        });
    }
    affected
}
