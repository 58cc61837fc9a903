//! Waits and schedules that fall due by themselves, also while the run is stopped: clocks run on.

use super::Tick;
use crate::domain::update_run::state::{GatePlace, UpdateState};

impl Tick<'_> {
    pub(super) fn clocks(&mut self) {
        for stage in &mut self.run.stages {
            if let Some(wait) = &mut stage.wait
                && let Some(end) = wait.ends_at().filter(|end| *end <= self.now)
            {
                wait.status.end(UpdateState::Completed, end);
            }
        }
        let due: Vec<GatePlace> = self
            .run
            .gates()
            .filter(|(_, gate)| gate.opens_at().is_some_and(|at| at <= self.now))
            .map(|(place, _)| place)
            .collect();
        for place in due {
            let gate = self.run.gate_mut(place);
            let opened = gate.opens_at().unwrap_or(self.now);
            gate.status.end(UpdateState::Completed, opened);
            self.gates.push(place);
        }
    }
}
