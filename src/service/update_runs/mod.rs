//! Update runs: made, read, driven by users ([`actions`]) and by time ([`tick`]), removed.
//!
//! The engine decides; here is what it needs (`sight`) and what becomes of its decisions (`persist`). Every write of a
//! run that is under way takes the run's work row first, then its record: a tick does the same, so neither waits for
//! the other in a circle.

mod actions;
mod persist;
mod put;
mod sight;
mod tick;

pub(super) use put::members_to_plan;
pub use tick::{CachedRun, Effects, Ticked};

use super::{Service, ServiceError};
use crate::domain::etag::Preconditions;
use crate::domain::resource_id::ResourceId;
use crate::domain::update_run::UpdateRun;
use crate::domain::update_run::overview::Overview;
use crate::domain::update_run::state::UpdateState;
use crate::store::{Access, Kind, ListQuery, Record, StoreError, Stored, Transaction, WorkKind};

impl Service {
    /// One run with its members.
    ///
    /// # Errors
    /// `ResourceNotFound`, or storage's.
    pub async fn update_run(&self, id: &ResourceId) -> Result<Stored<UpdateRun>, ServiceError> {
        let mut tx = self.store.begin(Access::Read).await?;
        load(tx.as_mut(), id).await?.ok_or_else(|| ServiceError::not_found(id))
    }

    /// One page of runs, each with its members, and each record's place.
    ///
    /// # Errors
    /// Storage's.
    pub async fn update_runs(
        &self,
        query: &ListQuery,
    ) -> Result<Vec<((String, String), Stored<UpdateRun>)>, ServiceError> {
        let mut tx = self.store.begin(Access::Read).await?;
        let mut runs = Vec::new();
        for record in tx.list(query).await? {
            let place = record.place.clone();
            runs.push((place, with_members(tx.as_mut(), record).await?));
        }
        Ok(runs)
    }

    /// How many runs are in each state, for the metrics; states without runs are there with 0.
    ///
    /// # Errors
    /// Storage's.
    pub async fn count_update_runs(&self) -> Result<Vec<(UpdateState, u64)>, ServiceError> {
        let mut tx = self.store.begin(Access::Read).await?;
        let counts = tx.tally(Kind::UpdateRun, &["run", "status", "state"]).await?;
        let count = |state: UpdateState| counts.iter().find(|(name, _)| name == state.name());
        Ok(UpdateState::ALL.map(|state| (state, count(state).map_or(0, |(_, count)| *count))).into())
    }

    /// A run's plan at a glance, against the fleet's members as they are now.
    ///
    /// # Errors
    /// `ResourceNotFound`, or storage's.
    pub async fn update_run_overview(&self, id: &ResourceId) -> Result<Overview, ServiceError> {
        let mut tx = self.store.begin(Access::Read).await?;
        let run = load(tx.as_mut(), id).await?.ok_or_else(|| ServiceError::not_found(id))?;
        let fleet = id.parent().map(|fleet| fleet.key()).unwrap_or_default();
        let members = tx.children(Kind::Member, &fleet).await?;
        Ok(Overview::of(&run.run, members.iter().map(|member| member.place.1.as_str())))
    }

    /// Removes a run with its gates, in any state; clusters in flight finish on their own. `false`: there was none.
    ///
    /// # Errors
    /// `PreconditionFailed`, or storage's.
    pub async fn delete_update_run(
        &self,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<bool, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        tx.unschedule(WorkKind::UpdateRun, &[id.key()]).await?;
        let Some(run) = self.existing_for_delete::<UpdateRun>(tx.as_mut(), id, preconditions).await? else {
            return Ok(false);
        };
        remove(tx.as_mut(), &run).await?;
        tick::wake_profile(tx.as_mut(), &run, self.clock.now()).await?;
        self.commit(tx).await?;
        Ok(true)
    }
}

/// Removes a run, whose work row is gone already, with all that belongs to it.
///
/// # Errors
/// Storage's.
pub(super) async fn remove(tx: &mut dyn Transaction, run: &Stored<UpdateRun>) -> Result<(), StoreError> {
    let key = run.id.key();
    persist::delete_gates(tx, &run.entity).await?;
    tx.delete_members(&key).await?;
    tx.delete(&key, run.version).await
}

/// A run with its members; in a writing transaction its record stays locked.
///
/// # Errors
/// Storage's.
pub(super) async fn load(
    tx: &mut dyn Transaction,
    id: &ResourceId,
) -> Result<Option<Stored<UpdateRun>>, StoreError> {
    match tx.get(Kind::UpdateRun, &id.key()).await? {
        Some(record) => with_members(tx, record).await.map(Some),
        None => Ok(None),
    }
}

async fn with_members(tx: &mut dyn Transaction, record: Record) -> Result<Stored<UpdateRun>, StoreError> {
    let key = record.key.clone();
    let mut run = record.decode::<UpdateRun>()?;
    run.entity.run.members = persist::decode_members(&key, tx.members(&key).await?)?;
    Ok(run)
}
