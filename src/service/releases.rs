//! Releases that come into force: whoever may wait for one looks again.

use super::{Service, ServiceError};
use crate::domain::time::Timestamp;
use crate::store::{Access, StoreError, Transaction, WorkKind};

/// How many releases are taken at once.
const BATCH: u32 = 100;

impl Service {
    /// Takes the releases that have come into force by `now`; how many.
    ///
    /// # Errors
    /// Storage's.
    pub async fn publish_due_releases(&self, now: Timestamp) -> Result<usize, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let due = tx.due(WorkKind::Release, now, BATCH).await?;
        if due.is_empty() {
            return Ok(0);
        }
        for release in &due {
            tx.unschedule(WorkKind::Release, &release.key).await?;
        }
        wake_those_concerned(tx.as_mut(), now).await?;
        tx.commit(true).await?;
        Ok(due.len())
    }
}

/// Makes everything due that a change of the catalogue may concern. Last in a transaction: it takes work rows.
///
/// # Errors
/// Storage's.
pub async fn wake_those_concerned(tx: &mut dyn Transaction, now: Timestamp) -> Result<(), StoreError> {
    tx.wake_all(WorkKind::UpdateRun, now).await?;
    tx.wake_all(WorkKind::AutoUpgradeProfile, now).await
}
