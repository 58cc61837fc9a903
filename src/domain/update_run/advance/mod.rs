//! One step of a run: total, synchronous, deterministic. No I/O, no clock, no `Result`.
//!
//! The phases of a tick, a file each: [`clocks`] (what falls due by itself), [`absorb`] (what became of members in
//! flight, and of members that wait), [`flow`] (gates, groups, stages, in order), [`slots`] (who starts), [`stopping`]
//! (breach and stop). Then [`super::rollup`] derives the states of groups, stages and run, and [`super::explain`] says
//! why anything waits. To add a phase, give it a file and a place in [`Tick::settle`].

mod absorb;
mod clocks;
mod flow;
mod slots;
mod stopping;
mod undo;

use std::collections::BTreeSet;

use uuid::Uuid;

use super::judge::{self, Verdict};
use super::observe::View;
use super::state::{GatePlace, Member, Run, UpdateState};
use super::{explain, invariants, pending, rollup};
use crate::domain::ids;
use crate::domain::observed_cluster::UpgradeRequest;
use crate::domain::time::Timestamp;
use undo::Undo;

/// Something to do to a cluster. Derived from state, so that repeating it after a crash is harmless: the operation's
/// id is the same for the same attempt of the same member of the same run.
#[derive(Clone, Debug, PartialEq)]
pub struct StartUpgrade {
    /// The member's number.
    pub member: u32,
    /// The cluster operation's id.
    pub operation: Uuid,
    /// What the cluster is asked to do.
    pub request: UpgradeRequest,
}

/// What a tick leads to. One with members in `observe` has led nowhere yet.
#[derive(Clone, Debug)]
pub struct Step {
    /// The run afterwards; while there is something to observe, the run as it was.
    pub next: Run,
    /// Members that changed.
    pub changed: BTreeSet<u32>,
    /// Gates that changed.
    pub gates: Vec<GatePlace>,
    /// What to do, once the run is saved.
    pub effects: Vec<StartUpgrade>,
    /// Members that have to be seen before anything can be decided: call again with them, at the same instant.
    pub observe: BTreeSet<u32>,
    /// The only reason to look again without a signal.
    pub wake_at: Option<Timestamp>,
}

/// Advances a run as far as it goes now.
pub fn advance(run: Run, view: View<'_>, now: Timestamp) -> Step {
    let mut tick = Tick::new(run, view, now);
    tick.run.index.build(&tick.run.members);
    tick.clocks();
    if tick.run.is_active() {
        tick.absorb();
        tick.reconsider();
        tick.settle();
    }
    tick.finish()
}

/// A step under way.
pub(super) struct Tick<'a> {
    pub(super) run: Run,
    view: View<'a>,
    now: Timestamp,
    gates: Vec<GatePlace>,
    effects: Vec<StartUpgrade>,
    observe: BTreeSet<u32>,
    undo: Undo,
}

impl<'a> Tick<'a> {
    fn new(run: Run, view: View<'a>, now: Timestamp) -> Self {
        Self {
            undo: Undo::of(&run),
            run,
            view,
            now,
            gates: Vec::new(),
            effects: Vec::new(),
            observe: BTreeSet::new(),
        }
    }

    /// Alternates between noticing breaches and going on, until nothing moves.
    fn settle(&mut self) {
        loop {
            self.notice_breach();
            if self.run.stop.is_some() {
                self.finish_stop();
                return;
            }
            if !self.flow() || !self.run.is_active() {
                return;
            }
        }
    }

    fn finish(mut self) -> Step {
        if !self.observe.is_empty() {
            self.undo.carry_out(&mut self.run);
            return Step {
                wake_at: wake_at(&self.run),
                next: self.run,
                changed: BTreeSet::new(),
                gates: Vec::new(),
                effects: Vec::new(),
                observe: self.observe,
            };
        }
        if self.run.is_active() {
            self.run.releases_seen = self.view.releases;
        }
        rollup::apply(&mut self.run, self.now);
        explain::apply(&mut self.run);
        debug_assert_eq!(invariants::check(&self.run), Vec::<String>::new());
        Step {
            wake_at: wake_at(&self.run),
            next: self.run,
            changed: self.undo.changed(),
            gates: self.gates,
            effects: self.effects,
            observe: self.observe,
        }
    }

    /// Changes a member.
    fn edit(&mut self, ordinal: u32, change: impl FnOnce(&mut Member)) {
        self.undo.keep_member(&self.run, ordinal);
        self.run.edit(ordinal, change);
    }

    /// Judges a member that has been seen; asks for it to be seen otherwise.
    fn judge(&mut self, ordinal: u32) -> Option<Verdict> {
        let Some(seen) = self.view.seen.get(&ordinal) else {
            self.observe.insert(ordinal);
            return None;
        };
        Some(judge::judge(&self.run.target, seen, self.view.catalogue, self.now))
    }

    /// Carries out a verdict on a member that holds no slot, or gives its slot back; `true` where the member is over.
    fn apply(&mut self, ordinal: u32, verdict: Verdict) -> bool {
        let now = self.now;
        let mut started = None;
        if let Verdict::Start { request, .. } = &verdict {
            let (operation, request) = (self.operation_id(ordinal), request.clone());
            started = Some(operation);
            self.effects.push(StartUpgrade { member: ordinal, operation, request });
        }
        self.edit(ordinal, |member| {
            member.status.begin(now);
            member.pending = None;
            member.operation = started;
            match verdict {
                Verdict::Skip(message) => {
                    member.status.end(UpdateState::Skipped, now);
                    member.message = Some(message);
                }
                Verdict::Fail(error) => {
                    member.status.end(UpdateState::Failed, now);
                    member.message = Some(error.message.clone());
                    member.status.error = Some(error);
                }
                Verdict::Wait(reason) => {
                    let explanation = pending::explain(&reason);
                    member.status.state = UpdateState::Pending;
                    member.message = Some(explanation.message.clone());
                    member.status.error = Some(explanation);
                    member.pending = Some(reason);
                }
                Verdict::Start { note, .. } => {
                    member.status.state = UpdateState::Running;
                    member.status.error = None;
                    member.message = note;
                }
            }
        });
        self.run.member(ordinal).state().is_over()
    }

    fn operation_id(&self, ordinal: u32) -> Uuid {
        let attempt = self.run.member(ordinal).attempt;
        ids::derived(&format!("{}/members/{ordinal}/attempts/{attempt}", self.run.uid))
    }
}

/// The earliest instant at which something falls due by itself.
pub fn wake_at(run: &Run) -> Option<Timestamp> {
    let gates = run.gates().filter_map(|(_, gate)| gate.opens_at());
    let waits = run.stages.iter().filter_map(|stage| stage.wait.as_ref()?.ends_at());
    let first_timed = run.index.get().map(|index| index.timed.first().map(|(at, _)| *at));
    let member =
        first_timed.unwrap_or_else(|| run.members.iter().filter_map(|m| m.pending.as_ref()?.until()).min());
    gates.chain(waits).chain(member).min()
}
