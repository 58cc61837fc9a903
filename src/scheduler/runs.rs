//! Runs: claimed by a lease, advanced, and what they decided carried out.

use std::collections::HashMap;
use std::time::Instant;

use super::Scheduler;
use crate::service::ServiceError;
use crate::service::update_runs::{CachedRun, Effects, Ticked};
use crate::store::{Claim, Due, StoreError, Transaction, WorkKind};

impl Scheduler {
    /// Advances the runs that were claimed in `tx`, one after the other, commits that, and carries out what was decided.
    pub(super) async fn advance_runs(
        &self,
        mut tx: Box<dyn Transaction>,
        claims: Vec<Claim>,
        runs: &mut HashMap<String, CachedRun>,
    ) -> Result<(), ServiceError> {
        let mut advanced = Vec::with_capacity(claims.len());
        for Claim { due: Due { key, .. }, renewed } in claims {
            let begun = Instant::now();
            // Where the lease was not ours, another may have taken notes of what has changed and written nothing.
            let cached = runs.remove(&key).filter(|_| renewed);
            let ticked = match self.service.tick_run(tx.as_mut(), &key, cached).await {
                Err(error @ StoreError::Corrupt { .. }) => {
                    // Others go on without it; whatever wakes it next has it looked at again.
                    tracing::error!(
                        run = key,
                        error = &error as &dyn std::error::Error,
                        "a run is set aside"
                    );
                    tx.schedule(WorkKind::UpdateRun, &key, None).await?;
                    Ticked::default()
                }
                other => other?,
            };
            if !ticked.keeps_lease() {
                tx.release(WorkKind::UpdateRun, &key, &self.lease.owner).await?;
            }
            self.metrics.ticked("updateRun", begun.elapsed());
            advanced.push((key, ticked));
        }
        // While a lease lasts nobody else need know when its run is due.
        tx.commit(advanced.iter().any(|(_, ticked)| !ticked.keeps_lease())).await?;
        if advanced.iter().any(|(_, ticked)| ticked.keeps_lease()) {
            self.claimed.notify_one();
        }
        self.carry_out(runs, advanced).await
    }

    async fn carry_out(
        &self,
        runs: &mut HashMap<String, CachedRun>,
        mut advanced: Vec<(String, Ticked)>,
    ) -> Result<(), ServiceError> {
        let effects: Effects =
            advanced.iter_mut().flat_map(|(_, ticked)| std::mem::take(&mut ticked.effects)).collect();
        if !effects.is_empty() {
            let started = self.service.carry_out(&effects).await?;
            (0..started).for_each(|_| self.metrics.member_started());
        }
        for (key, ticked) in advanced {
            ticked.ended.iter().for_each(|state| self.metrics.member_ended(state.name()));
            if ticked.keeps_lease()
                && let Some(cached) = ticked.cached
            {
                runs.insert(key, cached);
            }
        }
        Ok(())
    }
}
