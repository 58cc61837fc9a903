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
pub mod cost;
pub mod diary;
mod drive;
mod events;
pub mod query;

use std::collections::{BTreeSet, HashMap};

use chrono::TimeDelta;

use super::observe::WindowBook;
use super::plan;
use super::skip::SkipTarget;
use super::state::Run;
use super::target::Target;
use crate::domain::catalogue::{Catalogue, ReleaseItem};
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
    /// The members of each cluster, in all places.
    members: HashMap<String, Vec<u32>>,
    /// When operations on clusters end.
    ends: BTreeSet<(Timestamp, usize)>,
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
            members: HashMap::new(),
            ends: BTreeSet::new(),
            windows: WindowBook::default(),
            touched: BTreeSet::new(),
            script: Vec::new(),
            recovers_at: None,
            history: checks::History::default(),
        };
        world.windows =
            WindowBook::new(world.run.members.iter().map(|member| world.window_of(&member.name)), now);
        for (ordinal, member) in (0..).zip(&world.run.members) {
            world.members.entry(member.name.clone()).or_default().push(ordinal);
        }
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

    fn window_of(&self, name: &str) -> Option<MaintenanceWindow> {
        let cluster = &self.clusters[*self.by_name.get(name)?];
        super::judge::window_for(self.run.target.upgrade, &cluster.observed).cloned()
    }
}
