//! The instant from which nothing starts: shared by a stop that is asked for and by a breach.

use std::collections::BTreeSet;

use super::state::{Run, StopReason, UpdateState};

/// Begins to stop. Members that wait go back to NotStarted, members in flight read Stopping; says which changed.
pub(super) fn begin(run: &mut Run, reason: StopReason) -> BTreeSet<u32> {
    run.stop = Some(reason);
    run.status.state = UpdateState::Stopping;
    let mut changed = BTreeSet::new();
    for (ordinal, member) in (0..).zip(&mut run.members) {
        match member.state() {
            UpdateState::Pending => member.unjudge(),
            UpdateState::Running => member.status.state = UpdateState::Stopping,
            _ => continue,
        }
        changed.insert(ordinal);
    }
    changed
}
