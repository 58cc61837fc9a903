//! A run's progress, a row a member, so that a change of k members writes k rows.

use async_trait::async_trait;

use super::error::StoreError;
use crate::domain::time::Timestamp;

/// One member of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberRow {
    /// Its place in the run's plan, from 0.
    pub ordinal: u32,
    /// The key of its cluster: what signals are addressed to.
    pub cluster: String,
    /// Whether it can still change: neither ended nor skipped.
    pub open: bool,
    /// The JSON document.
    pub body: String,
}

/// The port. `run` is the run's key.
#[async_trait]
pub trait RunMembers: Send {
    /// All members by ordinal.
    async fn members(&mut self, run: &str) -> Result<Vec<MemberRow>, StoreError>;

    /// Replaces the whole plan.
    async fn replace_members(&mut self, run: &str, rows: &[MemberRow]) -> Result<(), StoreError>;

    /// Writes these members, which must exist. Guarded by the compare-and-set on the run's own record in the same
    /// transaction.
    async fn update_members(&mut self, run: &str, rows: &[MemberRow]) -> Result<(), StoreError>;

    /// Removes the plan, and what is noted of its members.
    async fn delete_members(&mut self, run: &str) -> Result<(), StoreError>;

    /// Says that something about these clusters has changed: notes it for every open member on one of them (a row
    /// of its own each, so that nobody waits for a run being advanced) and makes those members' runs due at `now`
    /// ([`Work::wake`](super::Work::wake)). Call it last in a transaction: it takes the runs' work rows.
    async fn touch_clusters(&mut self, clusters: &[String], now: Timestamp) -> Result<(), StoreError>;

    /// Takes the notes of [`RunMembers::touch_clusters`] for one run: the ordinals, each once, ascending.
    async fn take_touched(&mut self, run: &str) -> Result<Vec<u32>, StoreError>;
}
