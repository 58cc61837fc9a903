//! The loop that calls [`Scheduler::tick`] in production: on a signal, when another process wrote, when something falls
//! due, when another's lease expires, and every 30 seconds. Beside lease renewals there is no other periodic work.

use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until};

use super::{LEASE, RENEWAL, SWEEP, Scheduler};
use crate::lifecycle::Shutdown;
use crate::service::ServiceError;
use crate::store::Access;

/// The longest pause after storage failed.
const LONGEST_BACKOFF: Duration = Duration::from_secs(5);
/// The first pause after storage failed.
const FIRST_BACKOFF: Duration = Duration::from_millis(100);

impl Scheduler {
    /// Runs until `shutdown`; then gives back what it holds.
    pub async fn run(&self, mut shutdown: Shutdown) {
        tokio::select! {
            () = shutdown.requested() => {}
            () = self.work() => {}
            () = self.renew_leases() => {}
        }
        self.status.set(false);
        if let Err(error) = self.release_all().await {
            tracing::warn!(error = &error as &dyn std::error::Error, "leases are left to expire");
        }
    }

    async fn work(&self) {
        let mut backoff = FIRST_BACKOFF;
        let mut sweep = Instant::now();
        loop {
            match self.round(&mut sweep).await {
                Ok(()) => {
                    self.status.set(true);
                    backoff = FIRST_BACKOFF;
                }
                Err(error) => {
                    self.status.set(false);
                    tracing::warn!(error = &error as &dyn std::error::Error, "the scheduler tries again");
                    sleep(backoff).await;
                    backoff = (backoff * 2).min(LONGEST_BACKOFF);
                }
            }
        }
    }

    /// Does what is due, then waits for a reason to look again.
    async fn round(&self, sweep: &mut Instant) -> Result<(), ServiceError> {
        if Instant::now() >= *sweep {
            while self.service.prune_operations().await? > 0 {}
            *sweep = Instant::now() + SWEEP;
        }
        self.tick().await?;
        self.status.set(true);
        let due = self.until_next().await?;
        let deadline = due.map_or(*sweep, |due| (Instant::now() + due).min(*sweep));
        let mut clock = self.service.clock.changes();
        tokio::select! {
            () = self.service.signal.received() => {}
            changed = self.service.store.changed() => changed?,
            _ = clock.changed() => {}
            () = sleep_until(deadline) => {}
        }
        Ok(())
    }

    /// Real time until something falls due here, or another's lease on something expires.
    async fn until_next(&self) -> Result<Option<Duration>, ServiceError> {
        let mut tx = self.service.store.begin(Access::Read).await?;
        // In this order: a lease that expires between the two is seen as due.
        let expiry = tx.next_expiry(&self.lease.owner).await?;
        let due = tx.next_due(&self.lease.owner).await?.and_then(|at| self.service.clock.real_time_until(at));
        let due = due.map(|delta| delta.to_std().unwrap_or_default());
        Ok(due.into_iter().chain(expiry).min())
    }

    /// Keeps this process's leases alive. A renewal that fails is tried again in time for the next.
    async fn renew_leases(&self) {
        let mut beat = interval(RENEWAL);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            beat.tick().await;
            match self.renew_once().await {
                Ok(leases) => self.metrics.set_leases(leases),
                Err(error) => {
                    let lease = LEASE.as_secs();
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        lease,
                        "leases were not renewed"
                    );
                }
            }
        }
    }

    async fn renew_once(&self) -> Result<u64, ServiceError> {
        let mut tx = self.service.store.begin(Access::Write).await?;
        let renewed = tx.renew(&self.lease).await?;
        tx.commit(false).await?;
        Ok(renewed)
    }
}
