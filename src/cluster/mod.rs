//! The port to managed clusters: look at them, ask them to upgrade, hear how that went.
//!
//! What is behind it may be the simulated clusters or, some day, real ones; the engine and the
//! scheduler know only this. Calls take the caller's transaction, because the simulated clusters live in the same store.

pub mod simulated;
pub(crate) mod writes;

use std::collections::BTreeMap;

use async_trait::async_trait;
use uuid::Uuid;

use crate::domain::lifecycle::OperationError;
use crate::domain::observed_cluster::{ObservedCluster, UpgradeRequest};
use crate::domain::time::Timestamp;
use crate::store::{Due, StoreError, Transaction};

/// One upgrade to start.
#[derive(Clone, Debug, PartialEq)]
pub struct StartUpgrade {
    /// The cluster's key.
    pub cluster: String,
    /// The operation's id: starting the same one again does nothing.
    pub operation: Uuid,
    /// The key of the run to wake when it ends.
    pub run: String,
    /// What to do.
    pub request: UpgradeRequest,
}

/// What became of a [`StartUpgrade`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartOutcome {
    /// It runs now (or, taking no time, is over already).
    Started,
    /// It was started before.
    AlreadyStarted,
    /// The cluster is gone, busy or stopped.
    Refused(String),
}

/// How an upgrade stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UpgradeOutcome {
    /// It runs.
    InProgress,
    /// It ended well.
    Succeeded {
        /// When.
        at: Timestamp,
    },
    /// It failed, was aborted (`OperationAborted`) or went with its cluster (`OperationCanceled`).
    Failed {
        /// When.
        at: Timestamp,
        /// Why.
        error: OperationError,
    },
}

/// The port.
#[async_trait]
pub trait Clusters: Send + Sync {
    /// The clusters with these keys as they are now, without locking them; those that do not exist are absent.
    async fn observe(
        &self,
        tx: &mut dyn Transaction,
        clusters: &[String],
        now: Timestamp,
    ) -> Result<BTreeMap<String, ObservedCluster>, StoreError>;

    /// Starts upgrades; the outcomes are in the order of `upgrades`. A cluster's end of an upgrade touches it
    /// (`RunMembers::touch_clusters`).
    async fn start(
        &self,
        tx: &mut dyn Transaction,
        upgrades: &[StartUpgrade],
        now: Timestamp,
    ) -> Result<Vec<StartOutcome>, StoreError>;

    /// How these upgrades stand; one that was never started is absent.
    async fn outcomes(
        &self,
        tx: &mut dyn Transaction,
        operations: &[Uuid],
    ) -> Result<BTreeMap<Uuid, UpgradeOutcome>, StoreError>;

    /// Does what operations on clusters have due (`WorkKind::Operation` whose operation is on a managed cluster or pool),
    /// all at one instant, and schedules what comes next.
    async fn advance(&self, tx: &mut dyn Transaction, due: &[Due], now: Timestamp) -> Result<(), StoreError>;
}
