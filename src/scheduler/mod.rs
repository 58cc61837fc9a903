//! What happens by itself: operations end, releases come, runs go on, profiles follow their channels (storage and scheduler: scheduler).
//!
//! [`Scheduler::tick`] does all that is due now and is what tests call; [`driver`] calls it in production, woken by a
//! signal, another process, or the time; [`advance`] moves a manual clock from event to event and calls it at each. No
//! rule lives here, and no SQL. To add a kind of work, add a `WorkKind`, a task in [`tasks`] and a line in
//! [`Scheduler::try_one`].

mod advance;
mod driver;
mod runs;
mod status;
mod tasks;

pub use status::SchedulerStatus;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{Mutex, Notify};

use crate::service::update_runs::CachedRun;
use crate::service::{Service, ServiceError};
use crate::store::{Access, Lease, StoreError, WorkKind};
use crate::telemetry::Metrics;

/// How long a lease lasts, in real time.
const LEASE: Duration = Duration::from_secs(10);
/// How many runs one transaction advances: commits are what a tick costs most.
const RUNS_AT_ONCE: u32 = 32;
/// How often leases are renewed.
const RENEWAL: Duration = Duration::from_secs(3);
/// How often everything is looked at without a reason.
const SWEEP: Duration = Duration::from_secs(30);
/// The first pause where something is due but passed over, because somebody's transaction holds it for a moment.
const PASSED_OVER: Duration = Duration::from_millis(10);
/// How often one thing is tried when others write the same at that moment.
const ATTEMPTS: usize = 10;

/// The scheduler of one process.
pub struct Scheduler {
    service: Service,
    lease: Lease,
    metrics: Arc<Metrics>,
    /// Runs this process holds, as it left them. Whoever ticks holds it: one tick at a time in a process.
    runs: Mutex<HashMap<String, CachedRun>>,
    /// Held while a manual clock is being advanced.
    advancing: Mutex<()>,
    /// Told of every claim, so that leases are renewed while there are any.
    claimed: Notify,
    /// Set once, at the process's end: whoever ticks leaves off after the thing it is at.
    ending: AtomicBool,
    status: SchedulerStatus,
}

impl Scheduler {
    /// A scheduler that claims work as a process of its own.
    pub fn new(service: Service, metrics: Arc<Metrics>) -> Self {
        let owner = service.ids.next().to_string();
        Self {
            service,
            lease: Lease { owner, duration: LEASE },
            metrics,
            runs: Mutex::default(),
            advancing: Mutex::default(),
            claimed: Notify::default(),
            ending: AtomicBool::default(),
            status: SchedulerStatus::default(),
        }
    }

    /// Whether it is alive, for `GET /readyz`.
    pub fn status(&self) -> &SchedulerStatus {
        &self.status
    }

    /// Does everything that is due now; says how many things it did.
    ///
    /// # Errors
    /// Storage's; what is not done stays due.
    pub async fn tick(&self) -> Result<usize, ServiceError> {
        let mut runs = self.runs.lock().await;
        self.tick_holding(&mut runs).await
    }

    async fn tick_holding(&self, runs: &mut HashMap<String, CachedRun>) -> Result<usize, ServiceError> {
        let mut done = 0;
        while !self.is_ending() && self.do_one(runs).await? {
            done += 1;
        }
        Ok(done)
    }

    /// Does the first thing due; `false` where nothing is. Where another's write came between, all of it was undone and
    /// is looked at again: that is no failure of storage.
    async fn do_one(&self, runs: &mut HashMap<String, CachedRun>) -> Result<bool, ServiceError> {
        for _ in 1..ATTEMPTS {
            match self.try_one(runs).await {
                Err(ServiceError::Store(
                    error @ (StoreError::Conflict { .. } | StoreError::Exists { .. }),
                )) => {
                    tracing::debug!(error = &error as &dyn std::error::Error, "others write the same; again");
                }
                other => return other,
            }
        }
        self.try_one(runs).await
    }

    /// The first things due, in the order of kinds, in one transaction (and another for what they start); `false` where
    /// nothing is.
    async fn try_one(&self, runs: &mut HashMap<String, CachedRun>) -> Result<bool, ServiceError> {
        let mut tx = self.service.store.begin(Access::Write).await?;
        let now = self.service.clock.now();
        let mut done =
            self.end_operations(tx.as_mut(), now).await? || self.publish_releases(tx.as_mut(), now).await?;
        if !done {
            let claims = tx.claim(WorkKind::UpdateRun, now, &self.lease, RUNS_AT_ONCE).await?;
            if !claims.is_empty() {
                self.advance_runs(tx, claims, runs).await?;
                return Ok(true);
            }
        }
        done = done || self.follow_a_profile(tx.as_mut(), now).await?;
        if done {
            tx.commit(true).await?;
        }
        Ok(done)
    }

    /// Gives back everything this process holds, at its end.
    ///
    /// # Errors
    /// Storage's.
    pub async fn release_all(&self) -> Result<(), ServiceError> {
        let mut tx = self.service.store.begin(Access::Write).await?;
        tx.release_all(Some(&self.lease.owner)).await?;
        Ok(tx.commit(true).await?)
    }

    fn is_ending(&self) -> bool {
        self.ending.load(Ordering::Relaxed)
    }
}
