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
pub struct WindowBook {
    windows: Vec<Option<MaintenanceWindow>>,
    /// Apart from the windows, so that looking through all of them is quick.
    classes: Vec<Class>,
}

#[derive(Clone, Copy, Debug)]
struct Class {
    class: WindowClass,
    holds_until: Option<Timestamp>,
}

impl WindowBook {
    /// The windows of all members, by number, classified at `now`.
    pub fn new(windows: impl IntoIterator<Item = Option<MaintenanceWindow>>, now: Timestamp) -> Self {
        let windows: Vec<Option<MaintenanceWindow>> = windows.into_iter().collect();
        let classes = windows.iter().map(|window| Class::of(window.as_ref(), now)).collect();
        Self { windows, classes }
    }

    /// Replaces one member's window.
    pub fn set(&mut self, ordinal: u32, window: Option<MaintenanceWindow>, now: Timestamp) {
        if let Some(known) = self.windows.get_mut(ordinal as usize) {
            self.classes[ordinal as usize] = Class::of(window.as_ref(), now);
            *known = window;
        }
    }

    /// Brings the classes of `members` to `now`, best those of the current stage: answers are right without it, but
    /// take longer.
    pub fn refresh(&mut self, members: std::ops::Range<u32>, now: Timestamp) {
        let members = members.start as usize..members.end as usize;
        for (class, window) in self.classes[members.clone()].iter_mut().zip(&self.windows[members]) {
            if class.holds_until.is_some_and(|until| until <= now) {
                *class = Class::of(window.as_ref(), now);
            }
        }
    }

    /// The class of one member's window.
    pub fn class(&self, ordinal: u32, now: Timestamp) -> WindowClass {
        self.at(ordinal, now).class
    }

    /// When one member's window closes, where it is open now and ever does.
    pub fn closes(&self, ordinal: u32, now: Timestamp) -> Option<Timestamp> {
        Some(self.at(ordinal, now)).filter(|known| known.class == WindowClass::Open)?.holds_until
    }

    fn at(&self, ordinal: u32, now: Timestamp) -> Class {
        let Some(&known) = self.classes.get(ordinal as usize) else { return Class::of(None, now) };
        if known.holds_until.is_some_and(|until| until <= now) {
            return Class::of(self.windows[ordinal as usize].as_ref(), now);
        }
        known
    }
}

impl Class {
    fn of(window: Option<&MaintenanceWindow>, now: Timestamp) -> Self {
        let (class, holds_until) = match window.map(|window| window.state(now)) {
            None => (WindowClass::NoWindow, None),
            Some(WindowState::Open { until }) => (WindowClass::Open, until),
            Some(WindowState::Closed { opens: None }) => (WindowClass::Closed, None),
            Some(WindowState::Closed { opens: Some(opens) }) if opens - now <= SOON => {
                (WindowClass::OpeningSoon, Some(opens))
            }
            Some(WindowState::Closed { opens: Some(opens) }) => (WindowClass::Closed, Some(opens - SOON)),
        };
        Self { class, holds_until }
    }
}
