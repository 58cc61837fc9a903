//! The ports to storage: what the service keeps, and nothing about how.
//!
//! A [`Store`] opens transactions; a [`Transaction`] is all ports at once, one for each concern: [`Records`] (every
//! resource and every document of the service's own), [`RunMembers`] (a run's progress, a row a member),
//! [`Work`] (what is due when, and who holds it) and [`Counters`] (cheap "has anything of this sort changed?").
//! A request or a tick is one transaction. No rule of the domain lives here, and no SQL: that is in the adapters
//! `postgres` and `sqlite`, whose files have the same names as the ports', behind one `conformance` suite.
//!
//! To add a method: (1) declare it in its port with its contract; (2) write it in `sqlite`; (3) write it in
//! `postgres`; (4) state the contract as a case in `conformance`; (5) only then use it. To add a resource no
//! method is needed: implement [`Entity`].

#[cfg(feature = "test-util")]
pub mod conformance;
mod counters;
mod error;
pub mod migrations;
mod page;
pub mod postgres;
mod records;
mod run_members;
mod sql;
pub mod sqlite;
mod work;

pub use counters::{Counter, Counters};
pub use error::StoreError;
pub use migrations::MigrationMode;
pub use page::{JsonEquals, ListQuery, Scope};
pub use records::{Entity, Kind, Locator, NewRecord, Record, Records, Stored, Update};
pub use run_members::{MemberRow, RunMembers};
pub use work::{Claim, Due, Lease, Work, WorkKind};

use async_trait::async_trait;

use crate::domain::clock::ClockSetting;

/// Whether a transaction may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads one consistent state.
    Read,
    /// May write; on SQLite it takes the write lock at once, so that it can't fail halfway.
    Write,
}

/// A place that keeps everything the service knows.
#[async_trait]
pub trait Store: Send + Sync + std::fmt::Debug {
    /// Opens a transaction; dropping it without [`Transaction::commit`] undoes it (and frees its locks, on a server
    /// a moment later).
    async fn begin(&self, access: Access) -> Result<Box<dyn Transaction>, StoreError>;

    /// Checks that storage answers and that all migrations are applied (`GET /readyz`).
    async fn ready(&self) -> Result<(), StoreError>;

    /// Waits until another process that shares this store has written something the scheduler should look at.
    /// Where nobody shares it (SQLite), waits for ever. Signals may be spurious, and one may stand for many.
    async fn changed(&self) -> Result<(), StoreError>;

    /// Takes the guard that only one process may hold (a scaled or manual clock). It is bound to a database
    /// connection kept by the store, so that a killed process frees it at once.
    ///
    /// # Errors
    /// [`StoreError::Held`] where another process has it.
    async fn hold_single_process_guard(&self) -> Result<(), StoreError>;

    /// Says that this process may be one of several (a real clock): while it lives, nobody else can take the guard.
    /// Gives back the guard where this process has it.
    ///
    /// # Errors
    /// [`StoreError::Held`] where another process has the guard.
    async fn share_with_other_processes(&self) -> Result<(), StoreError>;

    /// Connections open and idle in the pool, for `GET /metrics`.
    fn pool(&self) -> PoolStatus;

    /// Closes all connections; transactions still open are undone.
    async fn close(&self);
}

/// How the connection pool stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoolStatus {
    /// Connections open.
    pub open: u32,
    /// Of those, the idle ones.
    pub idle: u32,
}

/// One transaction: all ports at once.
#[async_trait]
pub trait Transaction: Records + RunMembers + Work + Counters + Send {
    /// The clock's row, if one was ever set.
    async fn clock(&mut self) -> Result<Option<ClockSetting>, StoreError>;

    /// Sets the clock's row.
    async fn set_clock(&mut self, setting: ClockSetting) -> Result<(), StoreError>;

    /// Makes everything written durable; with `notify`, other processes that share the store are signalled
    /// ([`Store::changed`]) when it is.
    async fn commit(self: Box<Self>, notify: bool) -> Result<(), StoreError>;
}
