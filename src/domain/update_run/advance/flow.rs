//! Gates, groups and stages in their order (the engine: flow of a started run).

use super::Tick;
use crate::domain::ids;
use crate::domain::update_run::state::{Explanation, GateKind, GatePlace, Timing, UpdateState};
use crate::domain::update_run::{explain, rollup};

impl Tick<'_> {
    /// Goes on by one piece; `true` where that may let more go on.
    pub(super) fn flow(&mut self) -> bool {
        let Some(stage) = self.run.current_stage() else {
            let state = rollup::closed_state(self.run.stages.iter().map(|stage| stage.status.state));
            self.run.status.end(state, self.now);
            return false;
        };
        if self.run.stages[stage].planned() == 0 {
            // Nobody runs in it: nobody wants to approve, or to wait a day, for nothing.
            self.undo.keep_all(&self.run, stage);
            self.gates.extend(rollup::close_stage(&mut self.run, stage, self.now));
            return true;
        }
        if !self.pass_gates(stage, None, Timing::Before) {
            return false;
        }
        self.close_groups(stage);
        if self.run.stages[stage].groups.iter().all(|group| group.status.state.is_closed()) {
            return self.end_stage(stage);
        }
        // Judging may end members, and with them groups.
        self.fill_slots(stage)
    }

    fn close_groups(&mut self, stage: usize) {
        for group in 0..self.run.stages[stage].groups.len() {
            let this = &self.run.stages[stage].groups[group];
            if this.status.state.is_closed() {
                continue;
            }
            let is_empty = this.planned == 0;
            let range = this.members.clone();
            let is_over = self.run.index.get().is_some_and(|index| index.all_over(&range));
            if is_empty
                || (self.pass_gates(stage, Some(group), Timing::Before)
                    && is_over
                    && self.pass_gates(stage, Some(group), Timing::After))
            {
                self.close_group(stage, group);
            }
        }
    }

    /// Ends a group; gates it did not come to are dropped.
    fn close_group(&mut self, stage: usize, group: usize) {
        self.undo.keep(&self.run, stage, Some(group));
        self.gates.extend(rollup::drop_gates(&mut self.run, stage, Some(group), self.now));
        rollup::close_group(&mut self.run, stage, group, self.now);
    }

    /// After the last group: gates and wait side by side.
    fn end_stage(&mut self, stage: usize) -> bool {
        self.undo.keep(&self.run, stage, None);
        let ended = *self.run.stages[stage].groups_ended.get_or_insert(self.now);
        let gates_over = self.pass_gates(stage, None, Timing::After);
        let this = &mut self.run.stages[stage];
        if let Some(wait) = &mut this.wait
            && wait.status.state == UpdateState::NotStarted
        {
            wait.status.state = UpdateState::Running;
            wait.status.begin(ended);
            self.clocks();
        }
        let this = &mut self.run.stages[stage];
        if !gates_over || !this.wait.as_ref().is_none_or(|wait| wait.status.state.is_over()) {
            return false;
        }
        let state = rollup::closed_state(this.groups.iter().map(|group| group.status.state));
        this.status.end(state, self.now);
        true
    }

    /// Reaches a list of gates, all at one moment; `true` once all are over.
    pub(super) fn pass_gates(&mut self, stage: usize, group: Option<usize>, timing: Timing) -> bool {
        let gates = self.run.gate_list(stage, group, timing).len();
        for index in 0..gates {
            self.reach_gate(GatePlace { stage, group, timing, index });
        }
        self.run.gate_list(stage, group, timing).iter().all(|gate| gate.status.state.is_over())
    }

    fn reach_gate(&mut self, place: GatePlace) {
        let (uid, now) = (self.run.uid, self.now);
        if self.run.gate_mut(place).status.state != UpdateState::NotStarted {
            return;
        }
        self.undo.keep(&self.run, place.stage, place.group);
        let gate = self.run.gate_mut(place);
        gate.id = Some(ids::derived(&format!("{uid}/gates/{place:?}")));
        gate.status.state = UpdateState::Pending;
        gate.status.begin(now);
        if let GateKind::ScheduledStart { schedule, absolute } = &mut gate.kind {
            *absolute = Some(schedule.next_occurrence(now));
        }
        gate.status.error = Some(Explanation { details: Vec::new(), ..explain::gate(gate) });
        self.gates.push(place);
    }
}
