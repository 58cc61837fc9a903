//! One look at one run by the scheduler: decide and save in one transaction, act in the next.
//!
//! A crash in between loses nothing: the run stays due, and a member in flight whose operation nobody knows is started
//! then. What a tick learned stays in memory ([`CachedRun`]) and is used again while nobody else has written the run.

use super::persist::{self, Dirty};
use super::sight::{Look, Sight};
use crate::cluster::{StartOutcome, StartUpgrade};
use crate::domain::resource_id::ResourceId;
use crate::domain::time::Timestamp;
use crate::domain::update_run::UpdateRun;
use crate::domain::update_run::state::UpdateState;
use crate::service::{Service, ServiceError};
use crate::store::{Access, Kind, Record, StoreError, Stored, Transaction, Update, WorkKind};

/// A run as the last tick left it.
#[derive(Clone, Debug)]
pub struct CachedRun {
    stored: Stored<UpdateRun>,
    sight: Sight,
    /// Whether upgrades were started since: then all in flight are asked after.
    acted: bool,
}

/// Upgrades that a tick decided to start.
pub type Effects = Vec<StartUpgrade>;

/// What a tick leads to.
#[derive(Debug, Default)]
pub struct Ticked {
    /// To be kept for the next tick of the same run; none where it has ended or is gone.
    pub cached: Option<CachedRun>,
    /// To be started once the tick is committed.
    pub effects: Effects,
    /// The states in which members ended, for the metrics.
    pub ended: Vec<UpdateState>,
}

impl Ticked {
    /// Whether the run goes on, so that it is worth holding.
    pub fn keeps_lease(&self) -> bool {
        self.cached.as_ref().is_some_and(|cached| cached.stored.run.is_active())
    }
}

impl Service {
    /// Advances the run with this key as far as it goes, and says in `tx` when to look again.
    ///
    /// # Errors
    /// Storage's; then nothing is to be kept.
    pub async fn tick_run(
        &self,
        tx: &mut dyn Transaction,
        key: &str,
        cached: Option<CachedRun>,
    ) -> Result<Ticked, StoreError> {
        let Some(record) = tx.get(Kind::UpdateRun, key).await? else {
            tx.unschedule(WorkKind::UpdateRun, &[key.to_owned()]).await?;
            return Ok(Ticked::default());
        };
        let (releases, catalogue) = self.catalogue.edition(tx).await?;
        let mut look = Look {
            fleet: ResourceId::subscription(""),
            now: self.clock.now(),
            releases,
            catalogue: &catalogue,
            touched: tx.take_touched(key).await?,
            seen: Default::default(),
            ask: Default::default(),
        };
        let before = persist::head(&record).to_owned();
        let (mut stored, mut sight) = self.recall(tx, record, cached, &mut look).await?;
        let now = look.now;
        let step = self.advance_run(tx, stored.entity.run, &mut sight, look).await?;
        stored.entity.run = step.next;
        let dirty = Dirty { members: step.changed, gates: step.gates, approval: None };
        self.save_if_changed(tx, &mut stored, &dirty, &before).await?;
        let effects: Effects = step
            .effects
            .into_iter()
            .map(|effect| StartUpgrade {
                cluster: stored.run.member(effect.member).cluster.key(),
                operation: effect.operation,
                run: key.to_owned(),
                request: effect.request,
            })
            .collect();
        schedule(tx, key, &stored, step.wake_at, !effects.is_empty(), now).await?;
        let ended = dirty.members.iter().map(|ordinal| stored.run.member(*ordinal).state());
        Ok(Ticked {
            ended: ended.filter(|state| state.is_over()).collect(),
            cached: Some(CachedRun { stored, sight, acted: !effects.is_empty() }),
            effects,
        })
    }

    /// The run as it was remembered, where nobody has written it since; else as it is stored.
    async fn recall(
        &self,
        tx: &mut dyn Transaction,
        record: Record,
        cached: Option<CachedRun>,
        look: &mut Look<'_>,
    ) -> Result<(Stored<UpdateRun>, Sight), StoreError> {
        if let Some(CachedRun { stored, mut sight, acted }) = cached
            && stored.version == record.version
            && stored.etag == record.etag
        {
            look.fleet = stored.id.parent().expect("a run is in a fleet");
            if acted {
                look.ask.extend(stored.run.all_in_flight());
            }
            self.next_sight(tx, &stored.run, &mut sight, look).await?;
            return Ok((stored, sight));
        }
        let stored = super::with_members(tx, record).await?;
        look.fleet = stored.id.parent().expect("a run is in a fleet");
        let sight = self.first_sight(tx, &stored.run, look).await?;
        Ok((stored, sight))
    }

    async fn save_if_changed(
        &self,
        tx: &mut dyn Transaction,
        stored: &mut Stored<UpdateRun>,
        dirty: &Dirty,
        before: &str,
    ) -> Result<(), StoreError> {
        let mut head = Update::of(&stored.entity, stored.version, stored.etag);
        if dirty.members.is_empty() && dirty.gates.is_empty() && head.body == before {
            return Ok(());
        }
        head.etag = self.new_etag();
        self.save_run(tx, stored, head, dirty).await
    }

    /// Starts what a tick decided, in a transaction of its own; how many there were that nobody had started before. What
    /// a cluster refuses is judged again by the next tick.
    ///
    /// # Errors
    /// Storage's: then the run is still due, and the same is started then.
    pub async fn carry_out(&self, effects: &Effects) -> Result<usize, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let outcomes = self.clusters.start(tx.as_mut(), effects, self.clock.now()).await?;
        tx.commit(true).await?;
        Ok(outcomes.iter().filter(|outcome| **outcome == StartOutcome::Started).count())
    }
}

/// When to look at the run again: at once where something is still to be done, when the next thing falls due, or only
/// when somebody says so.
pub(super) async fn schedule(
    tx: &mut dyn Transaction,
    key: &str,
    stored: &Stored<UpdateRun>,
    wake_at: Option<Timestamp>,
    acts: bool,
    now: Timestamp,
) -> Result<(), StoreError> {
    match stored.run.status.state {
        UpdateState::Completed | UpdateState::Skipped => {
            tx.unschedule(WorkKind::UpdateRun, &[key.to_owned()]).await?;
        }
        _ if acts => tx.schedule(WorkKind::UpdateRun, key, Some(now)).await?,
        _ => tx.schedule(WorkKind::UpdateRun, key, wake_at).await?,
    }
    if stored.run.is_active() { Ok(()) } else { wake_profile(tx, stored, now).await }
}

/// Lets the profile that made a run look whether another waits for its end. Last in a transaction: it takes a work row.
pub(super) async fn wake_profile(
    tx: &mut dyn Transaction,
    run: &UpdateRun,
    now: Timestamp,
) -> Result<(), StoreError> {
    match &run.auto_upgrade_profile_id {
        Some(profile) => tx.wake(WorkKind::AutoUpgradeProfile, &[profile.key()], now).await,
        None => Ok(()),
    }
}
