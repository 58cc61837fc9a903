//! Waits and schedules that fall due by themselves, also while the run is stopped: clocks run on.

use super::Tick;
use crate::domain::update_run::state::{GatePlace, UpdateState};

impl Tick<'_> {
    pub(super) fn clocks(&mut self) {
        for s in 0..self.run.stages.len() {
            let wait = self.run.stages[s].wait.as_ref();
            let ended = wait.and_then(|wait| wait.ends_at()).filter(|end| *end <= self.now);
            if let Some(end) = ended {
                self.undo.keep(&self.run, s, None);
                if let Some(wait) = &mut self.run.stages[s].wait {
                    wait.status.end(UpdateState::Completed, end);
                }
            }
        }
        let due: Vec<GatePlace> = self
            .run
            .gates()
            .filter(|(_, gate)| gate.opens_at().is_some_and(|at| at <= self.now))
            .map(|(place, _)| place)
            .collect();
        for place in due {
            self.undo.keep(&self.run, place.stage, place.group);
            let gate = self.run.gate_mut(place);
            let opened = gate.opens_at().unwrap_or(self.now);
            gate.status.end(UpdateState::Completed, opened);
            self.gates.push(place);
        }
    }
}
