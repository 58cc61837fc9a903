//! Time and ticks: how a [`World`] moves its run on, as the service does.

use std::collections::BTreeMap;

use chrono::TimeDelta;

use super::{Event, World, diary};
use crate::domain::time::Timestamp;
use crate::domain::update_run::command::Changes;
use crate::domain::update_run::observe::{Outcome, Seen, View};
use crate::domain::update_run::state::Run;
use crate::domain::update_run::{Step, advance, plan};

impl World {
    /// Goes on until nothing happens by itself any more, or `until`.
    pub fn run_until(&mut self, until: Timestamp) {
        // Scenarios change clusters as they like between two calls.
        let ends = self.clusters.iter().enumerate();
        self.ends = ends.filter_map(|(n, cluster)| Some((cluster.next_end()?, n))).collect();
        while let Some(next) = self.next_event().filter(|next| *next <= until) {
            assert!(
                next > self.now || self.script.first().is_some_and(|(at, _)| *at <= next),
                "time stands still"
            );
            self.now = self.now.max(next);
            self.settle_clusters();
            let due = self.script.partition_point(|(at, _)| *at <= self.now);
            let events: Vec<(Timestamp, Event)> = self.script.drain(..due).collect();
            self.tick(None, Changes::default());
            for (_, event) in events {
                if let Err(refusal) = self.happen(event) {
                    self.diary.push(diary::line(self.now, &format!("  refused: {}", refusal.message)));
                }
            }
        }
    }

    /// Goes on until nothing happens by itself any more, a year at most.
    pub fn run_out(&mut self) {
        self.run_until(self.now + TimeDelta::days(365));
    }

    /// Goes on for a while, to its very end.
    pub fn run_for(&mut self, span: TimeDelta) {
        let until = self.now + span;
        self.run_until(until);
        self.now = until;
    }

    /// The next instant at which anything happens by itself.
    fn next_event(&self) -> Option<Timestamp> {
        let ends = self.ends.first().map(|(at, _)| *at);
        let script = self.script.first().map(|(at, _)| *at);
        ends.into_iter().chain(advance::wake_at(&self.run)).chain(self.recovers_at).chain(script).min()
    }

    fn settle_clusters(&mut self) {
        while let Some((_, n)) = self.ends.first().filter(|(at, _)| *at <= self.now).copied() {
            self.ends.pop_first();
            if self.clusters[n].settle(self.now) {
                self.touch(n);
            }
        }
    }

    /// Notes that something has happened to a cluster.
    pub(super) fn touch(&mut self, n: usize) {
        let cluster = &self.clusters[n];
        self.touched.extend(self.members.get(&cluster.name).into_iter().flatten());
        self.ends.extend(cluster.next_end().map(|at| (at, n)));
    }

    /// Looks at the run as often as it takes until nothing is left to do now.
    pub(super) fn tick(&mut self, mut before: Option<Run>, mut changes: Changes) {
        loop {
            let former = before.take().or_else(|| self.watched.then(|| self.run.clone()));
            let step = self.look();
            changes.members.extend(&step.changed);
            changes.gates.extend(&step.gates);
            if let Some(former) = former {
                self.history.check((self.now, &self.diary), &former, &step, &changes);
                diary::changes(self.now, &former, &step.next, &mut self.diary);
            }
            let effects = step.effects;
            self.run = step.next;
            self.ticks += 1;
            changes = Changes::default();
            let crash = self.crashes.as_mut().and_then(|crashes| crashes(effects.len()));
            let mut again = crash.is_some_and(|crash| crash.recovery.is_zero());
            self.recovers_at = crash.filter(|_| !again).map(|crash| self.now + crash.recovery);
            for effect in effects.iter().take(crash.map_or(usize::MAX, |crash| crash.effects_done)) {
                let n = self.by_name[&self.run.member(effect.member).name];
                let started = self.clusters[n].start(effect.operation, &effect.request, self.now);
                self.ends.extend(self.clusters[n].next_end().map(|at| (at, n)));
                if started && self.watched {
                    self.history.started(effect);
                }
                again |= !started;
            }
            if !again {
                return;
            }
        }
    }

    /// One whole step: what the engine asks to see is shown to it until it has decided.
    fn look(&mut self) -> Step {
        if let Some(stage) = self.run.current_stage() {
            self.windows.refresh(self.run.stages[stage].members(), self.now);
        }
        self.recovers_at = self.recovers_at.filter(|at| *at > self.now);
        let touched: Vec<u32> = std::mem::take(&mut self.touched).into_iter().collect();
        let outcomes: BTreeMap<u32, Outcome> = self
            .run
            .all_in_flight()
            .into_iter()
            .filter_map(|ordinal| {
                let member = self.run.member(ordinal);
                let cluster = &self.clusters[self.by_name[&member.name]];
                Some((ordinal, cluster.outcome(member.operation?)?))
            })
            .collect();
        let mut seen: BTreeMap<u32, Seen> = BTreeMap::new();
        let former = self.watched.then(|| self.run.clone());
        let nobody = plan::plan(self.run.uid, self.run.target.clone(), None, &[]);
        let mut run = std::mem::replace(&mut self.run, nobody);
        loop {
            let view = View {
                catalogue: &self.catalogue,
                releases: self.releases,
                windows: &self.windows,
                seen: &seen,
                outcomes: &outcomes,
                touched: &touched,
            };
            let step = advance(run, view, self.now);
            if step.observe.is_empty() {
                return step;
            }
            if let Some(former) = &former {
                assert_eq!(step.next, *former, "an unfinished step changes nothing");
            }
            for ordinal in &step.observe {
                let name = &step.next.member(*ordinal).name;
                let before = seen.insert(*ordinal, self.clusters[self.by_name[name]].seen());
                assert!(before.is_none(), "{name} was asked for twice");
            }
            run = step.next;
        }
    }
}
