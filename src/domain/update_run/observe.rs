//! What the engine is shown of the world: clusters, outcomes, the catalogue, windows.
//!
//! It asks for what it has to see ([`super::Step::observe`]) instead of being shown everything, so that a tick's cost
//! goes with what changed, not with the size of the run.

use std::collections::BTreeMap;

use super::state::Explanation;
use crate::domain::catalogue::Catalogue;
use crate::domain::observed_cluster::ObservedCluster;
use crate::domain::time::Timestamp;
use crate::domain::window::{MaintenanceWindow, WindowState};

/// What is seen of one member.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "nearly every value is the large one")]
pub enum Seen {
    /// Its managed cluster.
    Cluster(ObservedCluster),
    /// Its managed cluster has been deleted.
    ClusterMissing,
    /// It is a cluster that runs cannot upgrade (an Arc-connected one).
    Unsupported,
    /// It is no longer a member of the fleet.
    LeftFleet,
}

/// How the cluster operation of a member in flight stands, where that is more than "in progress".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It has upgraded the cluster.
    Succeeded {
        /// When it ended.
        at: Timestamp,
    },
    /// It has failed, was aborted, or went with its cluster.
    Failed {
        /// When it ended.
        at: Timestamp,
        /// With what code and message.
        error: Explanation,
    },
    /// It was never begun: a crash came between the decision and the act, or the cluster refused it because something
    /// changed in between. The member is judged again, in the slot it has.
    NotStarted,
}

/// Everything `advance` looks at besides the run and the time.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Versions and images, by region and time.
    pub catalogue: &'a Catalogue,
    /// The releases counter: moves whenever the catalogue does.
    pub releases: i64,
    /// Every member's maintenance window.
    pub windows: &'a WindowBook,
    /// What was asked for, by member number.
    pub seen: &'a BTreeMap<u32, Seen>,
    /// Outcomes of members in flight, by number.
    pub outcomes: &'a BTreeMap<u32, Outcome>,
    /// Members about whose clusters something has changed since the last look, ascending.
    pub touched: &'a [u32],
}

/// In which order startable members start (the French seed: maintenance windows).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WindowClass {
    /// The window is open.
    Open,
    /// It opens within four hours.
    OpeningSoon,
    /// There is no window.
    NoWindow,
    /// It is closed.
    Closed,
}

/// How far ahead an opening counts as soon.
const SOON: chrono::TimeDelta = chrono::TimeDelta::hours(4);

/// The windows of a run's members, with their classes remembered for as long as they hold.
#[derive(Clone, Debug, Default)]
pub struct WindowBook(Vec<Entry>);

#[derive(Clone, Debug)]
struct Entry {
    window: Option<MaintenanceWindow>,
    class: WindowClass,
    holds_until: Option<Timestamp>,
}

impl WindowBook {
    /// The windows of all members, by number, classified at `now`.
    pub fn new(windows: impl IntoIterator<Item = Option<MaintenanceWindow>>, now: Timestamp) -> Self {
        Self(windows.into_iter().map(|window| Entry::new(window, now)).collect())
    }

    /// Replaces one member's window.
    pub fn set(&mut self, ordinal: u32, window: Option<MaintenanceWindow>, now: Timestamp) {
        if let Some(entry) = self.0.get_mut(ordinal as usize) {
            *entry = Entry::new(window, now);
        }
    }

    /// Brings the classes of `members` to `now`.
    pub fn refresh(&mut self, members: std::ops::Range<u32>, now: Timestamp) {
        for entry in &mut self.0[members.start as usize..members.end as usize] {
            if entry.holds_until.is_some_and(|until| until <= now) {
                *entry = Entry::new(entry.window.take(), now);
            }
        }
    }

    /// When one member's window closes, where it was open at the last refresh.
    pub fn closes(&self, ordinal: u32) -> Option<Timestamp> {
        self.0.get(ordinal as usize).filter(|entry| entry.class == WindowClass::Open)?.holds_until
    }

    /// The class of one member's window at the last refresh.
    pub fn class(&self, ordinal: u32) -> WindowClass {
        self.0.get(ordinal as usize).map_or(WindowClass::NoWindow, |entry| entry.class)
    }
}

impl Entry {
    fn new(window: Option<MaintenanceWindow>, now: Timestamp) -> Self {
        let (class, holds_until) = match window.as_ref().map(|window| window.state(now)) {
            None => (WindowClass::NoWindow, None),
            Some(WindowState::Open { until }) => (WindowClass::Open, until),
            Some(WindowState::Closed { opens: None }) => (WindowClass::Closed, None),
            Some(WindowState::Closed { opens: Some(opens) }) if opens - now <= SOON => {
                (WindowClass::OpeningSoon, Some(opens))
            }
            Some(WindowState::Closed { opens: Some(opens) }) => (WindowClass::Closed, Some(opens - SOON)),
        };
        Self { window, class, holds_until }
    }
}
