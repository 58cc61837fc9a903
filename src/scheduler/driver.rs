//! The loop that calls [`Scheduler::tick`] in production: on a signal, when another process wrote, when something falls
//! due, when another's lease expires, and every 30 seconds. Beside lease renewals there is no other periodic work.

use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};

use super::{LEASE, PASSED_OVER, RENEWAL, SWEEP, Scheduler, SchedulerStatus};
use crate::domain::clock::Mode;
use crate::lifecycle::Shutdown;
use crate::service::ServiceError;
use crate::store::{Access, StoreError};

/// The longest pause after storage failed.
const LONGEST_BACKOFF: Duration = Duration::from_secs(1);
/// The first pause after storage failed.
const FIRST_BACKOFF: Duration = Duration::from_millis(100);
/// The longest pause where something due is passed over again and again.
const LONGEST_PASSED_OVER: Duration = Duration::from_secs(1);

impl Scheduler {
    /// Runs until `shutdown`; then gives back what it holds.
    pub async fn run(&self, mut shutdown: Shutdown) {
        // However this ends, by a panic too, nobody is told that the scheduler is alive.
        let _alive = Alive(&self.status);
        tokio::select! {
            () = shutdown.requested() => {}
            () = self.work() => {}
            () = self.renew_leases() => {}
        }
        self.ending.store(true, Ordering::Relaxed);
        // Whoever advances the clock leaves off, so that nothing is claimed after the leases are given back.
        let _runs = self.runs.lock().await;
        if let Err(error) = self.release_all().await {
            tracing::warn!(error = &error as &dyn std::error::Error, "leases are left to expire");
        }
    }

    async fn work(&self) {
        let mut backoff = FIRST_BACKOFF;
        let mut pace = Pace { sweep: Instant::now(), passed_over: PASSED_OVER };
        loop {
            match self.round(&mut pace).await {
                Ok(()) => backoff = FIRST_BACKOFF,
                Err(error) => {
                    self.status.set(false);
                    tracing::warn!(error = &error as &dyn std::error::Error, "the scheduler tries again");
                    sleep(backoff).await;
                    backoff = (backoff * 2).min(LONGEST_BACKOFF);
                    // The guard of the clock may have gone with the connection.
                    pace.sweep = Instant::now();
                }
            }
        }
    }

    /// Does what is due, then waits for a reason to look again.
    async fn round(&self, pace: &mut Pace) -> Result<(), ServiceError> {
        if Instant::now() >= pace.sweep {
            self.sweep().await?;
            pace.sweep = Instant::now() + SWEEP;
        }
        let mut clock = self.service.clock.changes();
        let done = self.tick().await?;
        self.status.set(true);
        let due = self.until_next().await?;
        let due = due.map(|due| pace.wait(due, done));
        let deadline = due.map_or(pace.sweep, |due| (Instant::now() + due).min(pace.sweep));
        tokio::select! {
            () = self.service.signal.received() => {}
            changed = self.service.store.changed() => changed?,
            _ = clock.changed() => {}
            () = sleep_until(deadline) => {}
        }
        Ok(())
    }

    /// What is looked after without a reason: old records go; the store is still shared, or this process's alone, as the
    /// clock asks.
    async fn sweep(&self) -> Result<(), ServiceError> {
        match self.service.clock.setting().mode {
            Mode::Real => self.service.store.share_with_other_processes().await?,
            Mode::Scaled { .. } | Mode::Manual => self.service.store.hold_single_process_guard().await?,
        }
        loop {
            match self.service.prune_operations().await {
                Ok(0) => return Ok(()),
                Ok(_) => {}
                // Another process removes the same ones.
                Err(ServiceError::Store(StoreError::Conflict { .. })) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
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

    /// Keeps this process's leases alive, as long as it has any. A renewal that fails is tried again in time.
    async fn renew_leases(&self) {
        loop {
            self.claimed.notified().await;
            let mut leases = u64::MAX;
            while leases > 0 {
                sleep(RENEWAL).await;
                match self.renew_once().await {
                    Ok(renewed) => leases = renewed,
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
    }

    /// Renews what is held; how many leases there are.
    async fn renew_once(&self) -> Result<u64, ServiceError> {
        let mut tx = self.service.store.begin(Access::Write).await?;
        let leases = tx.renew(&self.lease).await?;
        tx.commit(false).await?;
        self.metrics.set_leases(leases);
        // Copies of runs that were deleted, or that others have taken over, are not asked for any more.
        if let Ok(mut runs) = self.runs.try_lock()
            && runs.len() as u64 > leases
        {
            runs.clear();
        }
        Ok(leases)
    }
}

/// When the loop looks again without being told.
struct Pace {
    /// At the latest.
    sweep: Instant,
    /// How long it waits for what is due and held by somebody's transaction.
    passed_over: Duration,
}

impl Pace {
    /// How long to wait where the next thing is due in `due` and `done` things were done. What is due now and was passed
    /// over is looked at again after a pause, a longer one each time.
    fn wait(&mut self, due: Duration, done: usize) -> Duration {
        if !due.is_zero() || done > 0 {
            self.passed_over = PASSED_OVER;
        }
        if !due.is_zero() {
            return due;
        }
        let pause = self.passed_over;
        self.passed_over = (pause * 2).min(LONGEST_PASSED_OVER);
        pause
    }
}

/// Says at its end that the scheduler is not alive.
struct Alive<'a>(&'a SchedulerStatus);

impl Drop for Alive<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_passed_over_is_looked_at_ever_less_often_until_something_is_done() {
        let mut pace = Pace { sweep: Instant::now(), passed_over: PASSED_OVER };
        let pauses: Vec<u128> = (0..9).map(|_| pace.wait(Duration::ZERO, 0).as_millis()).collect();
        assert_eq!(pauses, [10, 20, 40, 80, 160, 320, 640, 1000, 1000]);
        assert_eq!(pace.wait(Duration::ZERO, 1), PASSED_OVER);
        assert_eq!(pace.wait(Duration::from_micros(1), 0), Duration::from_micros(1));
        assert_eq!(pace.wait(Duration::ZERO, 0), PASSED_OVER);
    }
}
