//! Auto-upgrade profiles: written by users, asked for a run ([`generate`]), and followed by time ([`follow`]).
//!
//! What a channel offers and what becomes of it is the domain's to say; the plan of a run and its start are those of
//! every other run. Whoever writes a profile takes its work row first, then its record; what is done to runs comes after.

mod follow;
mod generate;

pub use generate::Generated;

use std::collections::BTreeSet;

use super::resource::{Outcome, Written, find};
use super::strategies::strategy_of_fleet;
use super::update_runs::members_to_plan;
use super::{CallContext, Service, ServiceError};
use crate::domain::auto_upgrade::target::newest;
use crate::domain::auto_upgrade::trigger::Obstacle;
use crate::domain::auto_upgrade::{AutoUpgradeProfile, ProfileSpec, Proposal};
use crate::domain::etag::Preconditions;
use crate::domain::fleet::Fleet;
use crate::domain::refusal::Refusal;
use crate::domain::resource_id::ResourceId;
use crate::domain::strategy::UpdateStrategy;
use crate::domain::system_data::{Principal, SystemData};
use crate::domain::time::Timestamp;
use crate::domain::update_run::UpdateRun;
use crate::domain::update_run::plan::Candidate;
use crate::store::{Access, Entity, Kind, Locator, StoreError, Transaction, WorkKind};

impl Entity for AutoUpgradeProfile {
    const KIND: Kind = Kind::AutoUpgradeProfile;

    fn locator(&self) -> Locator {
        Locator::from(&self.id)
    }
}

impl Service {
    /// Creates or replaces the profile `id`. What its channel offers now triggers nothing, unless the profile followed it
    /// before already.
    ///
    /// # Errors
    /// A refusal, or storage's: [`StoreError::Exists`] where another request creates it at this moment.
    pub async fn put_auto_upgrade_profile(
        &self,
        call: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce(Option<&AutoUpgradeProfile>) -> Result<ProfileSpec, Refusal> + Send,
    ) -> Result<Written<AutoUpgradeProfile>, ServiceError> {
        let (mut tx, now) = (self.store.begin(Access::Write).await?, self.clock.now());
        tx.wake(WorkKind::AutoUpgradeProfile, &[id.key()], now).await?;
        let fleet = self.parent::<Fleet>(tx.as_mut(), id).await?;
        let existing = self.existing_for_put::<AutoUpgradeProfile>(tx.as_mut(), id, preconditions).await?;
        let spec = decode(existing.as_ref().map(|stored| &stored.entity))?;
        let (_, catalogue) = self.catalogue.edition(tx.as_mut()).await?;
        // What a profile has followed already may have gone since; it can still be written, to disable it for one.
        let before = existing.as_ref().map(|stored| &stored.spec);
        if !before.is_some_and(|before| spec.follows_as(before)) {
            spec.check(&catalogue, now)?;
        }
        let known = before.and_then(|before| before.update_strategy_id.as_ref());
        if let Some(named) = spec.update_strategy_id.as_ref().filter(|named| known != Some(named)) {
            strategy_of_fleet(tx.as_mut(), &fleet.id, named, "properties.updateStrategyId").await?;
        }
        self.check_children_writable(tx.as_mut(), &fleet).await?;
        let newest = newest(&spec, &catalogue, now);
        let (entity, version, outcome) = match existing {
            Some(stored) => {
                let system_data = stored.system_data.clone().modified(&call.principal, now);
                let entity = stored.entity.replaced(spec, newest, system_data);
                (entity, Some(stored.version), Outcome::Replaced)
            }
            None => {
                let id = fleet.id.child("autoUpgradeProfiles", id.name());
                let system_data = SystemData::created(&call.principal, now);
                (AutoUpgradeProfile::new(id, spec, newest, system_data), None, Outcome::Created)
            }
        };
        let etag = self.save(tx.as_mut(), &entity, version).await?;
        self.commit(tx).await?;
        Ok(Written { entity, etag, outcome, operation: None })
    }

    /// Deletes the profile `id`; `false` where there is none. Its runs stay.
    ///
    /// # Errors
    /// `PreconditionFailed`, or storage's.
    pub async fn delete_auto_upgrade_profile(
        &self,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<bool, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        tx.unschedule(WorkKind::AutoUpgradeProfile, &[id.key()]).await?;
        let existing = self.existing_for_delete::<AutoUpgradeProfile>(tx.as_mut(), id, preconditions).await?;
        let Some(stored) = existing else { return Ok(false) };
        tx.delete(&id.key(), stored.version).await?;
        self.commit(tx).await?;
        Ok(true)
    }

    /// The image families of the pools of these members' clusters; none where the profile does not follow images.
    async fn families_in_use(
        &self,
        tx: &mut dyn Transaction,
        profile: &AutoUpgradeProfile,
        members: &[Candidate],
        now: Timestamp,
    ) -> Result<BTreeSet<String>, StoreError> {
        if !profile.spec.channel.is_of_images() {
            return Ok(BTreeSet::new());
        }
        let keys: BTreeSet<String> = members.iter().map(|member| member.cluster.key()).collect();
        let keys: Vec<String> = keys.into_iter().collect();
        let clusters = self.clusters.observe(tx, &keys, now).await?;
        let pools = clusters.into_values().flat_map(|cluster| cluster.pools);
        Ok(pools.map(|pool| pool.image.family).collect())
    }

    /// The run that a profile proposes over `members`, planned but not saved; what is in its way where it cannot be made.
    async fn planned_proposal(
        &self,
        tx: &mut dyn Transaction,
        profile: &AutoUpgradeProfile,
        proposal: Proposal,
        members: &[Candidate],
        by: &Principal,
    ) -> Result<Result<UpdateRun, Obstacle>, ServiceError> {
        let strategy = match &proposal.spec.update_strategy_id {
            None => None,
            Some(named) => match find::<UpdateStrategy>(tx, named).await? {
                None => return Ok(Err(Obstacle::NoStrategy(named.clone()))),
                Some(stored) => Some(stored.entity.strategy),
            },
        };
        if members.is_empty() {
            return Ok(Err(Obstacle::EmptyFleet));
        }
        let Proposal { run: id, spec, origin } = proposal;
        let run = self.planned(tx, &spec, origin, strategy.as_ref(), members).await?;
        let system_data = SystemData::created(by, self.clock.now());
        let auto_upgrade_profile_id = Some(profile.id.clone());
        Ok(Ok(UpdateRun { id, system_data, spec, strategy, auto_upgrade_profile_id, run }))
    }

    /// The members that a run of this profile would be over.
    async fn members_of(
        &self,
        tx: &mut dyn Transaction,
        profile: &AutoUpgradeProfile,
    ) -> Result<Vec<Candidate>, StoreError> {
        let fleet = profile.id.parent().expect("a profile is in a fleet");
        members_to_plan(tx, &fleet).await
    }
}
