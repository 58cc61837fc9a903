//! Releases: published, now or for later; when one comes into force, whoever may wait for it looks again.

use super::{Service, ServiceError};
use crate::domain::catalogue::{Release, ReleaseRequest};
use crate::domain::time::Timestamp;
use crate::store::{Access, Counter, Entity as _, NewRecord, StoreError, Transaction, WorkKind};

/// How many releases are taken at once.
const BATCH: u32 = 100;

impl Service {
    /// Publishes a release; one that is for an instant that has passed, now.
    ///
    /// # Errors
    /// What the catalogue says against it; storage's.
    pub async fn publish(&self, request: ReleaseRequest) -> Result<Release, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let (_, catalogue) = self.catalogue.edition(tx.as_mut()).await?;
        let now = self.clock.now();
        let at = request.at.map_or(now, |at| at.max(now));
        let release = Release { id: self.ids.next(), at, items: request.items };
        release.check(&catalogue)?;
        tx.insert(&[NewRecord::of(&release, self.new_etag())]).await?;
        tx.bump(Counter::Releases).await?;
        if at > now {
            tx.schedule(WorkKind::Release, &release.locator().key, Some(at)).await?;
        } else {
            wake_those_concerned(tx.as_mut(), now).await?;
        }
        self.commit(tx).await?;
        Ok(release)
    }

    /// Takes the releases that have come into force by `now`; how many.
    ///
    /// # Errors
    /// Storage's.
    pub async fn publish_due_releases(
        &self,
        tx: &mut dyn Transaction,
        now: Timestamp,
    ) -> Result<usize, StoreError> {
        let due = tx.due(WorkKind::Release, now, BATCH).await?;
        if due.is_empty() {
            return Ok(0);
        }
        let published: Vec<String> = due.iter().map(|release| release.key.clone()).collect();
        tx.unschedule(WorkKind::Release, &published).await?;
        wake_those_concerned(tx, now).await?;
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
