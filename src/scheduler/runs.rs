//! Runs: claimed by a lease, advanced, and what they decided carried out.

use std::collections::HashMap;
use std::time::Instant;

use super::Scheduler;
use crate::service::ServiceError;
use crate::service::update_runs::{CachedRun, Ticked};
use crate::store::{Claim, Due, Transaction, WorkKind};

impl Scheduler {
    /// Advances a run that was claimed in `tx`, commits that, and carries out what was decided.
    pub(super) async fn advance_a_run(
        &self,
        mut tx: Box<dyn Transaction>,
        claim: Claim,
        runs: &mut HashMap<String, CachedRun>,
    ) -> Result<(), ServiceError> {
        let begun = Instant::now();
        let Due { key, .. } = claim.due;
        // Where the lease was not ours, another may have taken notes of what has changed and written nothing.
        let cached = runs.remove(&key).filter(|_| claim.renewed);
        let ticked = self.service.tick_run(tx.as_mut(), &key, cached).await?;
        if !ticked.keeps_lease() {
            tx.release(WorkKind::UpdateRun, &key, &self.lease.owner).await?;
        }
        // While the lease lasts nobody else need know when the run is due.
        tx.commit(!ticked.keeps_lease()).await?;
        if ticked.keeps_lease() {
            self.claimed.notify_one();
        }
        self.metrics.ticked("updateRun", begun.elapsed());
        self.carry_out(runs, key, ticked).await
    }

    async fn carry_out(
        &self,
        runs: &mut HashMap<String, CachedRun>,
        key: String,
        ticked: Ticked,
    ) -> Result<(), ServiceError> {
        ticked.ended.iter().for_each(|state| self.metrics.member_ended(state.name()));
        if !ticked.effects.is_empty() {
            let started = self.service.carry_out(&ticked.effects).await?;
            (0..started).for_each(|_| self.metrics.member_started());
        }
        if ticked.keeps_lease()
            && let Some(cached) = ticked.cached
        {
            runs.insert(key, cached);
        }
        Ok(())
    }
}
