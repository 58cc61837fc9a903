//! The short things: operations that end, releases that come, auto-upgrade profiles that look at their channels.

use std::time::Instant;

use super::Scheduler;
use crate::domain::time::Timestamp;
use crate::service::ServiceError;
use crate::store::Transaction;

impl Scheduler {
    /// Does what operations have due; `true` where there was something.
    pub(super) async fn end_operations(
        &self,
        tx: &mut dyn Transaction,
        now: Timestamp,
    ) -> Result<bool, ServiceError> {
        let begun = Instant::now();
        let done = self.service.finish_due_operations(tx, now).await?;
        if done > 0 {
            self.metrics.ticked("operation", begun.elapsed());
        }
        Ok(done > 0)
    }

    /// Puts releases that have come into force: every run that may wait for one looks again.
    pub(super) async fn publish_releases(
        &self,
        tx: &mut dyn Transaction,
        now: Timestamp,
    ) -> Result<bool, ServiceError> {
        Ok(self.service.publish_due_releases(tx, now).await? > 0)
    }

    /// Lets a profile that is due look whether its channel has moved, or its next run's turn has come.
    pub(super) async fn follow_a_profile(
        &self,
        tx: &mut dyn Transaction,
        now: Timestamp,
    ) -> Result<bool, ServiceError> {
        let begun = Instant::now();
        let done = self.service.follow_a_due_profile(tx, now).await?;
        if done {
            self.metrics.ticked("autoUpgradeProfile", begun.elapsed());
        }
        Ok(done)
    }
}
