//! What became of members in flight, and whether members that wait still have to.

use std::collections::BTreeSet;

use super::Tick;
use crate::domain::update_run::judge::Verdict;
use crate::domain::update_run::observe::{Outcome, Seen};
use crate::domain::update_run::state::{Member, PendingReason, UpdateState};

impl Tick<'_> {
    /// Ends members in flight whose cluster operation has ended, or that have left the fleet.
    pub(super) fn absorb(&mut self) {
        let outcomes: Vec<(u32, Outcome)> = self
            .view
            .outcomes
            .iter()
            .filter(|(ordinal, _)| self.run.member(**ordinal).state().is_in_flight())
            .map(|(ordinal, outcome)| (*ordinal, outcome.clone()))
            .collect();
        for (ordinal, outcome) in outcomes {
            self.absorb_outcome(ordinal, outcome);
        }
        for &ordinal in self.view.touched {
            if self.run.member(ordinal).state().is_in_flight() {
                self.absorb_leaving(ordinal);
            }
        }
    }

    /// A member in flight whose cluster something has happened to: it may have left the fleet.
    fn absorb_leaving(&mut self, ordinal: u32) {
        match self.view.seen.get(&ordinal) {
            None => _ = self.observe.insert(ordinal),
            Some(Seen::LeftFleet) => {
                let now = self.now;
                self.edit(ordinal, |member| {
                    member.status.end(UpdateState::Skipped, now);
                    member.message =
                        Some("The cluster has left the fleet; its upgrade finishes on its own.".to_owned());
                });
            }
            Some(_) => {}
        }
    }

    fn absorb_outcome(&mut self, ordinal: u32, outcome: Outcome) {
        match outcome {
            Outcome::NotStarted => self.start_again(ordinal),
            Outcome::Succeeded { at } => {
                self.edit(ordinal, |member| member.status.end(UpdateState::Completed, at));
            }
            Outcome::Failed { at, error } => {
                self.edit(ordinal, |member| {
                    member.status.end(UpdateState::Failed, at);
                    member.message = Some(error.message.clone());
                    member.status.error = Some(error);
                });
            }
        }
    }

    /// A member decided to start that never did: it keeps its slot if it can still start; nothing starts while stopping.
    fn start_again(&mut self, ordinal: u32) {
        if self.run.stop.is_some() {
            self.edit(ordinal, Member::unjudge);
        } else if let Some(verdict) = self.judge(ordinal) {
            self.apply(ordinal, verdict);
        }
    }

    /// Judges again the members that wait, where their reason may have gone. One that could start but finds no slot
    /// says so, and comes first among equals when a slot is free.
    pub(super) fn reconsider(&mut self) {
        if self.run.stop.is_some() {
            return;
        }
        for ordinal in self.to_reconsider() {
            if let Some(verdict) = self.judge(ordinal) {
                let verdict = match verdict {
                    Verdict::Start { .. } => {
                        let window_closes = self.view.windows.closes(ordinal, self.now);
                        Verdict::Wait(PendingReason::NoFreeSlot { window_closes })
                    }
                    other => other,
                };
                self.apply(ordinal, verdict);
            }
        }
    }

    /// The Pending members whose reason may have gone: those something has happened to, those whose time has come, and
    /// with a release those that wait for one.
    fn to_reconsider(&self) -> BTreeSet<u32> {
        let Some(index) = self.run.index.get() else { return BTreeSet::new() };
        let touched = self.view.touched.iter().copied().filter(|ordinal| index.pending.contains(ordinal));
        let due = index.timed.iter().take_while(|(at, _)| *at <= self.now).map(|(_, ordinal)| *ordinal);
        let mut again: BTreeSet<u32> = touched.chain(due).collect();
        if self.view.releases != self.run.releases_seen {
            let waits = |ordinal: &&u32| {
                let reason = self.run.member(**ordinal).pending.as_ref();
                reason.is_some_and(PendingReason::waits_for_release)
            };
            again.extend(index.pending.iter().filter(waits));
        }
        again
    }
}
