//! Breach and stop: from that instant nothing starts; what is in flight ends (the engine: breach and stop).

use super::Tick;
use crate::domain::update_run::state::{Breach, Member, StopReason, UpdateState};
use crate::domain::update_run::stop;

impl Tick<'_> {
    /// Begins to stop where a failure budget is exceeded; a breach outweighs a stop that was asked for. Starts that this
    /// very tick has decided on are taken back: nobody has acted on them yet.
    pub(super) fn notice_breach(&mut self) {
        if matches!(self.run.stop, Some(StopReason::Breach(_))) {
            return;
        }
        if let Some(breach) = self.breach() {
            for effect in std::mem::take(&mut self.effects) {
                self.edit(effect.member, Member::unjudge);
            }
            for ordinal in stop::affected(&self.run) {
                self.undo.keep_member(&self.run, ordinal);
            }
            stop::begin(&mut self.run, StopReason::Breach(breach));
        }
    }

    /// The first budget that is exceeded in the current stage: a group's before the stage's.
    pub(super) fn breach(&self) -> Option<Breach> {
        let stage = &self.run.stages[self.run.current_stage()?];
        let open = stage.groups.iter().filter(|group| !group.status.state.is_closed());
        let group = open
            .filter(|group| self.run.failures(&group.members) > group.max_allowed_failures)
            .map(|group| group.name.clone())
            .next();
        let stage_exceeded = self.run.failures(&stage.members()) > stage.max_allowed_failures;
        (group.is_some() || stage_exceeded).then(|| Breach { stage: stage.name.clone(), group })
    }

    /// Ends the run once nothing is in flight any more.
    pub(super) fn finish_stop(&mut self) {
        if !self.run.all_in_flight().is_empty() {
            return;
        }
        let state = match self.run.stop {
            Some(StopReason::Breach(_)) => UpdateState::Failed,
            _ => UpdateState::Stopped,
        };
        self.run.status.end(state, self.now);
    }
}
