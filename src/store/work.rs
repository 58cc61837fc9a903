//! What is due when, and which process holds it (storage and scheduler: scheduler).
//!
//! A row says "look at this thing at this simulated instant". Short things are claimed for one transaction; runs
//! are claimed by a lease in database time, so that they stay with one process while it lives.

use async_trait::async_trait;

use super::error::StoreError;
use crate::domain::time::Timestamp;

/// What kind of thing is due, in the order in which things due at one instant are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WorkKind {
    /// A milestone of an operation (long-running ones and cluster upgrades); the key is the operation's.
    Operation,
    /// A release that becomes available; the key is the release's.
    Release,
    /// A run that may have something to do; the key is the run's.
    UpdateRun,
    /// An auto-upgrade profile whose target may have moved; the key is the profile's.
    AutoUpgradeProfile,
}

impl WorkKind {
    /// All kinds, in order.
    pub const ALL: [Self; 4] = [Self::Operation, Self::Release, Self::UpdateRun, Self::AutoUpgradeProfile];

    /// How the stores write it; ordered as the kinds are.
    pub fn rank(self) -> i16 {
        match self {
            Self::Operation => 0,
            Self::Release => 1,
            Self::UpdateRun => 2,
            Self::AutoUpgradeProfile => 3,
        }
    }
}

/// One thing that is due, or will be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// What kind of thing.
    pub kind: WorkKind,
    /// Its key.
    pub key: String,
    /// Since or from when, simulated.
    pub at: Timestamp,
}

/// Who claims, and for how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The process (a GUID made at its start).
    pub owner: String,
    /// Real time from now on, by the database's clock.
    pub duration: std::time::Duration,
}

/// A row that this process now holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What it is, and since when it was due.
    pub due: Due,
    /// Whether this process held it before: then what it remembers of the run may still be right.
    pub renewed: bool,
}

/// The port.
#[async_trait]
pub trait Work: Send {
    /// Says when to look at something: replaces the row's instant, keeps its lease. `None`: not until somebody says so.
    async fn schedule(&mut self, kind: WorkKind, key: &str, at: Option<Timestamp>) -> Result<(), StoreError>;

    /// Like [`Work::schedule`] for many things, each named once.
    async fn schedule_many(
        &mut self,
        kind: WorkKind,
        instants: &[(String, Option<Timestamp>)],
    ) -> Result<(), StoreError>;

    /// Like [`Work::schedule`] for many at one instant; an earlier instant already set stays.
    async fn wake(&mut self, kind: WorkKind, keys: &[String], at: Timestamp) -> Result<(), StoreError>;

    /// Like [`Work::wake`] for everything of a kind that has a row: what a release may concern.
    async fn wake_all(&mut self, kind: WorkKind, at: Timestamp) -> Result<(), StoreError>;

    /// Forgets things.
    async fn unschedule(&mut self, kind: WorkKind, keys: &[String]) -> Result<(), StoreError>;

    /// What is due at `now`, by key, locked for this transaction (rows locked by others are passed over).
    async fn due(&mut self, kind: WorkKind, now: Timestamp, limit: u32) -> Result<Vec<Due>, StoreError>;

    /// The first things due at `now` by key, at most `limit`, leased to `lease.owner` from now on; passes over what
    /// another holds by a lease that has not expired, and rows locked by others.
    async fn claim(
        &mut self,
        kind: WorkKind,
        now: Timestamp,
        lease: &Lease,
        limit: u32,
    ) -> Result<Vec<Claim>, StoreError>;

    /// The earliest instant at which anything is due that is not held by another's lease.
    async fn next_due(&mut self, owner: &str) -> Result<Option<Timestamp>, StoreError>;

    /// How long, in real time by the database's clock, until the first lease of another owner on a row with an
    /// instant expires. Leases that have expired don't count: their rows are free, so [`Work::next_due`] sees them.
    /// Ask for this first and for the next instant then: a lease that expires in between is seen by the second.
    async fn next_expiry(&mut self, owner: &str) -> Result<Option<std::time::Duration>, StoreError>;

    /// Extends all leases of this owner that have not expired; how many there are.
    async fn renew(&mut self, lease: &Lease) -> Result<u64, StoreError>;

    /// Gives back this owner's lease on one thing.
    async fn release(&mut self, kind: WorkKind, key: &str, owner: &str) -> Result<(), StoreError>;

    /// Gives back all leases of `owner`; of everybody where it is `None` (SQLite, at start).
    async fn release_all(&mut self, owner: Option<&str>) -> Result<u64, StoreError>;
}
