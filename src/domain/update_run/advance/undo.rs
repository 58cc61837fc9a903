//! What a tick has changed, as it was before: a step that turns out to need a closer look takes everything back.
//!
//! Only what changes is kept, so that neither a look that decides nothing nor the list of changed members costs more
//! than the changes do.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::update_run::state::{Member, Run, Stage, Status, StopReason};

/// The former values.
pub(super) struct Undo {
    status: Status,
    stop: Option<StopReason>,
    stages: BTreeMap<usize, Stage>,
    members: BTreeMap<u32, Member>,
}

impl Undo {
    /// Of a run that nothing has changed yet.
    pub(super) fn of(run: &Run) -> Self {
        Self {
            status: run.status.clone(),
            stop: run.stop.clone(),
            stages: BTreeMap::new(),
            members: BTreeMap::new(),
        }
    }

    /// Keeps a stage that is about to change, its groups and gates included.
    pub(super) fn keep_stage(&mut self, run: &Run, stage: usize) {
        self.stages.entry(stage).or_insert_with(|| run.stages[stage].clone());
    }

    /// Keeps a member that is about to change.
    pub(super) fn keep_member(&mut self, run: &Run, ordinal: u32) {
        self.members.entry(ordinal).or_insert_with(|| run.member(ordinal).clone());
    }

    /// The members that have changed.
    pub(super) fn changed(&self) -> BTreeSet<u32> {
        self.members.keys().copied().collect()
    }

    /// Makes the run what it was.
    pub(super) fn carry_out(self, run: &mut Run) {
        run.status = self.status;
        run.stop = self.stop;
        for (index, stage) in self.stages {
            run.stages[index] = stage;
        }
        for (ordinal, member) in self.members {
            run.edit(ordinal, |changed| *changed = member);
        }
    }
}
