//! What a tick has changed, as it was before: a step that turns out to need a closer look takes everything back.
//!
//! Only what changes is kept, so that neither a look that decides nothing nor the list of changed members costs more
//! than the changes do.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::update_run::state::{Group, Member, Run, Stage, Status, StopReason};

/// The former values.
pub(super) struct Undo {
    status: Status,
    stop: Option<StopReason>,
    /// Stages without their groups.
    stages: BTreeMap<usize, Stage>,
    groups: BTreeMap<(usize, usize), Group>,
    members: BTreeMap<u32, Member>,
}

impl Undo {
    /// Of a run that nothing has changed yet.
    pub(super) fn of(run: &Run) -> Self {
        Self {
            status: run.status.clone(),
            stop: run.stop.clone(),
            stages: BTreeMap::new(),
            groups: BTreeMap::new(),
            members: BTreeMap::new(),
        }
    }

    /// Keeps what is about to change: a group, with its gates; or a stage's own state, gates and wait.
    pub(super) fn keep(&mut self, run: &Run, stage: usize, group: Option<usize>) {
        match group {
            Some(group) => {
                let kept = self.groups.entry((stage, group));
                kept.or_insert_with(|| run.stages[stage].groups[group].clone());
            }
            None => _ = self.stages.entry(stage).or_insert_with(|| without_groups(&run.stages[stage])),
        }
    }

    /// Keeps a stage with all its groups.
    pub(super) fn keep_all(&mut self, run: &Run, stage: usize) {
        self.keep(run, stage, None);
        (0..run.stages[stage].groups.len()).for_each(|group| self.keep(run, stage, Some(group)));
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
            let groups = std::mem::take(&mut run.stages[index].groups);
            run.stages[index] = Stage { groups, ..stage };
        }
        for ((stage, group), kept) in self.groups {
            run.stages[stage].groups[group] = kept;
        }
        for (ordinal, member) in self.members {
            run.edit(ordinal, |changed| *changed = member);
        }
    }
}

fn without_groups(stage: &Stage) -> Stage {
    Stage {
        name: stage.name.clone(),
        status: stage.status.clone(),
        max_concurrency: stage.max_concurrency,
        max_allowed_failures: stage.max_allowed_failures,
        before_gates: stage.before_gates.clone(),
        after_gates: stage.after_gates.clone(),
        wait: stage.wait.clone(),
        groups: Vec::new(),
        groups_ended: stage.groups_ended,
    }
}
