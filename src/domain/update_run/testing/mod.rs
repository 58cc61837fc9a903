//! A small simulated world around the engine: clusters, catalogue, time, and whatever happens to them.
//!
//! [`World`] drives a run as the service does: it shows what the engine asks for, carries out what it decides, and
//! moves on to the next instant at which anything happens. After every step it checks the engine's guarantees
//! ([`checks`]) and writes down what changed ([`diary`]). Scenarios, property tests and benchmarks share it. To let
//! something else happen, add a variant to [`Event`]; to check something else, add it to [`checks`].

pub mod build;
pub mod chance;
pub mod checks;
pub mod cluster;
pub mod diary;
pub mod query;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::TimeDelta;

use super::command::{self, Changes};
use super::observe::{Outcome, Seen, View, WindowBook};
use super::skip::{self, SkipTarget};
use super::state::{Run, UpdateState};
use super::target::{ImageSelection, Target};
use super::{Step, advance, plan};
use crate::domain::catalogue::{Catalogue, Release, ReleaseItem};
use crate::domain::ids;
use crate::domain::observed_cluster::PowerState;
use crate::domain::refusal::Refusal;
use crate::domain::strategy::Strategy;
use crate::domain::time::Timestamp;
use crate::domain::window::MaintenanceWindow;
use cluster::Cluster;

/// Something that happens to a [`World`].
#[derive(Clone, Debug)]
pub enum Event {
    /// The run is started.
    Start,
    /// The run is stopped.
    Stop,
    /// Something of the run is skipped.
    Skip(Vec<SkipTarget>),
    /// So many of the Pending gates are completed, the first ones first.
    Approve(usize),
    /// A cluster is started or stopped.
    Power(String, PowerState),
    /// A cluster is deleted.
    Delete(String),
    /// A member leaves the fleet.
    Leave(String),
    /// The operations on a cluster are aborted.
    Abort(String),
    /// Another operation begins on a cluster, which takes so long, where that is known; none begins on a busy one.
    Busy(String, Option<TimeDelta>),
    /// A cluster's windows change.
    Window(String, Option<MaintenanceWindow>),
    /// Something is published.
    Publish(Vec<ReleaseItem>),
}

/// A crash between the decision and the act.
#[derive(Clone, Copy, Debug)]
pub struct Crash {
    /// How many of the effects are still carried out.
    pub effects_done: usize,
    /// How long it takes until somebody looks at the run again.
    pub recovery: TimeDelta,
}

/// Whether a crash comes after a tick that leads to so many effects.
pub type Crashes = Box<dyn FnMut(usize) -> Option<Crash>>;

/// A run and the world around it.
pub struct World {
    /// What time it is.
    pub now: Timestamp,
    /// The run.
    pub run: Run,
    /// The clusters, in the order in which they joined.
    pub clusters: Vec<Cluster>,
    /// Versions and images.
    pub catalogue: Catalogue,
    /// What changed when, a line each.
    pub diary: Vec<String>,
    /// How many ticks there were.
    pub ticks: usize,
    /// Whether every step is checked and written down; benchmarks do without.
    pub watched: bool,
    /// When to lose effects.
    pub crashes: Option<Crashes>,
    releases: i64,
    by_name: HashMap<String, usize>,
    windows: WindowBook,
    touched: BTreeSet<u32>,
    script: Vec<(Timestamp, Event)>,
    recovers_at: Option<Timestamp>,
    history: checks::History,
}

impl World {
    /// A world with a run over `clusters` that has not started.
    pub fn new(target: Target, strategy: Option<&Strategy>, clusters: Vec<Cluster>) -> Self {
        let now = build::at("2026-12-07T00:00:00Z");
        let candidates: Vec<plan::Candidate> =
            clusters.iter().filter(|cluster| !cluster.left).map(Cluster::candidate).collect();
        let run = plan::plan(ids::derived("a run"), target, strategy, &candidates);
        let by_name = clusters.iter().enumerate().map(|(n, cluster)| (cluster.name.clone(), n)).collect();
        let mut world = Self {
            now,
            run,
            clusters,
            catalogue: build::catalogue(),
            diary: Vec::new(),
            ticks: 0,
            watched: true,
            crashes: None,
            releases: 0,
            by_name,
            windows: WindowBook::default(),
            touched: BTreeSet::new(),
            script: Vec::new(),
            recovers_at: None,
            history: checks::History::default(),
        };
        world.windows =
            WindowBook::new(world.run.members.iter().map(|member| world.window_of(&member.name)), now);
        world
    }

    /// The cluster of this name.
    pub fn cluster(&mut self, name: &str) -> &mut Cluster {
        &mut self.clusters[self.by_name[name]]
    }

    /// Lets `event` happen `after` from now.
    pub fn later(&mut self, after: TimeDelta, event: Event) {
        let at = self.now + after;
        let place = self.script.partition_point(|(other, _)| *other <= at);
        self.script.insert(place, (at, event));
    }

    /// Lets `event` happen now.
    ///
    /// # Errors
    /// Where the run refuses it.
    pub fn happen(&mut self, event: Event) -> Result<(), Refusal> {
        if self.watched {
            self.diary.push(diary::event(self.now, &event));
        }
        let before = self.watched.then(|| self.run.clone());
        let changes = self.apply(event)?;
        self.tick(before, changes);
        Ok(())
    }

    /// Goes on until nothing happens by itself any more, or `until`.
    pub fn run_until(&mut self, until: Timestamp) {
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
        let ends = self.clusters.iter().filter_map(Cluster::next_end);
        ends.chain(advance::wake_at(&self.run))
            .chain(self.recovers_at)
            .chain(self.script.first().map(|(at, _)| *at))
            .min()
    }

    fn settle_clusters(&mut self) {
        for n in 0..self.clusters.len() {
            if self.clusters[n].settle(self.now) {
                self.touch(n);
            }
        }
    }

    fn touch(&mut self, cluster: usize) {
        let name = &self.clusters[cluster].name;
        self.touched
            .extend((0..).zip(&self.run.members).filter(|(_, member)| member.name == *name).map(|(n, _)| n));
    }

    fn apply(&mut self, event: Event) -> Result<Changes, Refusal> {
        match event {
            Event::Start => {
                let images = self.consistent_images();
                return command::start(&mut self.run, &images, self.now);
            }
            Event::Stop => return command::stop(&mut self.run),
            Event::Skip(targets) => return skip::skip(&mut self.run, &targets, self.now),
            Event::Approve(gates) => return self.complete_gates(gates),
            Event::Publish(items) => {
                let release = Release { id: ids::derived("a release"), at: self.now, items };
                self.catalogue = self.catalogue.with_releases([&release]);
                self.releases += 1;
            }
            Event::Power(name, power) => self.change(&name, |cluster, _| cluster.observed.power = power),
            Event::Leave(name) => self.change(&name, |cluster, _| cluster.left = true),
            Event::Delete(name) => self.change(&name, |cluster, now| {
                cluster.deleted = true;
                cluster.cut_short("OperationCanceled", "The cluster was deleted.", now);
            }),
            Event::Abort(name) => self.change(&name, |cluster, now| {
                cluster.cut_short("OperationAborted", "The operation was aborted.", now);
            }),
            Event::Busy(name, span) => self.change(&name, |cluster, now| {
                if cluster.next_end().is_none() && !cluster.hangs {
                    cluster.other_operation = Some(span.map(|span| now + span));
                }
            }),
            Event::Window(name, window) => self.change(&name, |cluster, _| {
                cluster.observed.auto_upgrade_window.clone_from(&window);
                cluster.observed.node_os_window = window;
            }),
        }
        Ok(Changes::default())
    }

    fn change(&mut self, name: &str, change: impl FnOnce(&mut Cluster, Timestamp)) {
        let n = self.by_name[name];
        change(&mut self.clusters[n], self.now);
        self.touch(n);
        let window = self.window_of(name);
        for ordinal in self.touched.clone() {
            if self.run.member(ordinal).name == name {
                self.windows.set(ordinal, window.clone(), self.now);
            }
        }
    }

    fn complete_gates(&mut self, gates: usize) -> Result<Changes, Refusal> {
        let pending = self.run.gates().filter(|(_, gate)| gate.status.state == UpdateState::Pending);
        let pending: Vec<_> =
            pending.filter_map(|(place, gate)| Some((place, gate.id?))).take(gates).collect();
        for (_, gate) in &pending {
            command::complete_gate(&mut self.run, *gate, self.now)?;
        }
        Ok(Changes { gates: pending.into_iter().map(|(place, _)| place).collect(), ..Changes::default() })
    }

    fn consistent_images(&self) -> BTreeMap<String, crate::domain::node_image::NodeImage> {
        match self.run.target.images {
            ImageSelection::Consistent { .. } => {
                let clusters = self.clusters.iter().filter(|cluster| !cluster.deleted && !cluster.left);
                super::target::consistent_images(
                    &self.catalogue,
                    clusters.map(|cluster| &cluster.observed),
                    self.now,
                )
            }
            _ => BTreeMap::new(),
        }
    }

    fn window_of(&self, name: &str) -> Option<MaintenanceWindow> {
        let cluster = &self.clusters[*self.by_name.get(name)?];
        super::judge::window_for(self.run.target.upgrade, &cluster.observed).cloned()
    }

    /// Looks at the run as often as it takes until nothing is left to do now.
    fn tick(&mut self, mut before: Option<Run>, mut changes: Changes) {
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
                if started {
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
        self.windows.refresh(self.now);
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
        let mut run = self.run.clone();
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
            if self.watched {
                assert_eq!(step.next, self.run, "an unfinished step changes nothing");
            }
            for ordinal in &step.observe {
                let name = &self.run.member(*ordinal).name;
                let before = seen.insert(*ordinal, self.clusters[self.by_name[name]].seen());
                assert!(before.is_none(), "{name} was asked for twice");
            }
            run = step.next;
        }
    }
}
