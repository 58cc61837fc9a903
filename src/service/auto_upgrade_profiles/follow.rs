//! A profile looks at its channel: because of a release, because a run of it has ended, because it was written.
//!
//! What it saw and the run that comes of it are one transaction, so that a release makes one run, whoever sees it and
//! however often. Looking without news changes nothing that is visible.

use super::AutoUpgradeProfile;
use crate::domain::auto_upgrade::target::newest;
use crate::domain::auto_upgrade::trigger::{self, Decision, Obstacle, Situation, Turn};
use crate::domain::auto_upgrade::{ChannelTarget, TriggerError, TriggerStatus};
use crate::domain::resource_id::ResourceId;
use crate::domain::system_data::Principal;
use crate::domain::time::Timestamp;
use crate::domain::update_run::UpdateRun;
use crate::domain::update_run::plan::Candidate;
use crate::domain::update_run::state::UpdateState;
use crate::service::resource::find;
use crate::service::update_runs;
use crate::service::{Service, ServiceError};
use crate::store::{
    JsonEquals, Kind, ListQuery, Record, Scope, StoreError, Stored, Transaction, Update, WorkKind,
};

impl Service {
    /// Lets the first profile that is due look at its channel; `false` where none is.
    ///
    /// # Errors
    /// Storage's; then the profile is still due.
    pub async fn follow_a_due_profile(
        &self,
        tx: &mut dyn Transaction,
        now: Timestamp,
    ) -> Result<bool, ServiceError> {
        let Some(due) = tx.due(WorkKind::AutoUpgradeProfile, now, 1).await?.pop() else { return Ok(false) };
        match tx.get(Kind::AutoUpgradeProfile, &due.key).await? {
            None => tx.unschedule(WorkKind::AutoUpgradeProfile, &[due.key]).await?,
            Some(record) => {
                let stored = record.decode::<AutoUpgradeProfile>()?;
                self.follow(tx, stored, now).await?;
                // What the catalogue has dates for moves channels without anybody's word.
                let (_, catalogue) = self.catalogue.edition(tx).await?;
                tx.schedule(WorkKind::AutoUpgradeProfile, &due.key, catalogue.next_change(now)).await?;
            }
        }
        Ok(true)
    }

    async fn follow(
        &self,
        tx: &mut dyn Transaction,
        stored: Stored<AutoUpgradeProfile>,
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        let mut profile = stored.entity.clone();
        if !profile.spec.is_disabled() {
            let (_, catalogue) = self.catalogue.edition(tx).await?;
            let members = self.members_of(tx, &profile).await?;
            let families = self.families_in_use(tx, &profile, &members, now).await?;
            let newest = newest(&profile.spec, &catalogue, now);
            let news = trigger::news(&profile, &newest, &families);
            profile.seen = newest;
            match news {
                None => {}
                Some(Ok(target)) => self.trigger(tx, &mut profile, &target, &members, now).await?,
                Some(Err(none)) => profile.status = failed(&none.into(), None, now),
            }
        }
        self.take_turn(tx, &mut profile).await?;
        if profile == stored.entity {
            return Ok(());
        }
        // What nobody is shown does not renew the tag.
        let etag = if profile.status == stored.status { stored.etag } else { self.new_etag() };
        Ok(tx.update(&[Update::of(&profile, stored.version, etag)]).await?)
    }

    /// The channel has moved: a run is made, started, left to wait, or there is a reason why not.
    async fn trigger(
        &self,
        tx: &mut dyn Transaction,
        profile: &mut AutoUpgradeProfile,
        target: &ChannelTarget,
        members: &[Candidate],
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        let proposal = profile.proposal(target);
        let id = proposal.run.clone();
        let planned = self.planned_proposal(tx, profile, proposal, members, &Principal::service()).await;
        let planned = match planned {
            Ok(Ok(planned)) => planned,
            Ok(Err(obstacle)) => {
                profile.status = failed(&obstacle, Some(target), now);
                return Ok(());
            }
            Err(ServiceError::Refused(refusal)) => {
                let error = TriggerError { code: format!("{:?}", refusal.code), message: refusal.message };
                profile.status = trigger::failed(error, Some(target), now);
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let existing = state_of(tx, &id).await?;
        let active = self.active_run_of(tx, profile, &id).await?;
        let fleet = profile.id.parent().expect("a profile is in a fleet");
        let situation = Situation {
            run: id.name(),
            existing,
            active: active.as_ref().map(ResourceId::name),
            has_work: existing.is_some() || self.has_work(tx, &fleet, &planned.run, now).await?,
        };
        let decision = trigger::decide(situation);
        profile.status = decision.status(target, situation, now);
        self.drop_waiting(tx, profile, &id).await?;
        if matches!(decision, Decision::Start | Decision::Wait) && existing.is_none() {
            self.save_planned(tx, &planned, None).await?;
        }
        match decision {
            Decision::Start => self.start_run_of(tx, &id).await?,
            Decision::Wait => profile.waiting = Some(id),
            Decision::LeaveAlone | Decision::NothingToDo => {}
        }
        Ok(())
    }

    /// Lets the waiting run start where its turn has come.
    async fn take_turn(
        &self,
        tx: &mut dyn Transaction,
        profile: &mut AutoUpgradeProfile,
    ) -> Result<(), ServiceError> {
        let Some(waiting) = profile.waiting.clone() else { return Ok(()) };
        let state = state_of(tx, &waiting).await?;
        let active = self.active_run_of(tx, profile, &waiting).await?;
        match trigger::turn(profile.spec.is_disabled(), state, active.is_some()) {
            Turn::Wait => return Ok(()),
            Turn::Forget => {}
            Turn::Start => {
                let message = format!("Update run {} was started, its turn having come.", waiting.name());
                profile.status.last_trigger_message = Some(message);
                self.start_run_of(tx, &waiting).await?;
            }
        }
        profile.waiting = None;
        Ok(())
    }

    /// Removes the run that waits for its turn, unless it is `keep`, or somebody has started it.
    async fn drop_waiting(
        &self,
        tx: &mut dyn Transaction,
        profile: &mut AutoUpgradeProfile,
        keep: &ResourceId,
    ) -> Result<(), ServiceError> {
        let Some(waiting) = profile.waiting.take().filter(|waiting| waiting != keep) else { return Ok(()) };
        if state_of(tx, &waiting).await? != Some(UpdateState::NotStarted) {
            return Ok(());
        }
        tx.unschedule(WorkKind::UpdateRun, &[waiting.key()]).await?;
        match find::<UpdateRun>(tx, &waiting).await? {
            Some(run) => Ok(update_runs::remove(tx, &run).await?),
            None => Ok(()),
        }
    }

    async fn start_run_of(&self, tx: &mut dyn Transaction, id: &ResourceId) -> Result<(), ServiceError> {
        tx.wake(WorkKind::UpdateRun, &[id.key()], self.clock.now()).await?;
        match update_runs::load(tx, id).await? {
            Some(stored) if stored.run.status.state == UpdateState::NotStarted => {
                self.start_loaded_run(tx, stored).await?;
                Ok(())
            }
            // Somebody started or deleted it since it was looked at: all of this is looked at again.
            _ => Err(StoreError::Conflict { key: id.key() }.into()),
        }
    }

    /// A run of this profile that is under way, other than `but`.
    async fn active_run_of(
        &self,
        tx: &mut dyn Transaction,
        profile: &AutoUpgradeProfile,
        but: &ResourceId,
    ) -> Result<Option<ResourceId>, ServiceError> {
        let fleet = profile.id.parent().expect("a profile is in a fleet");
        let is = |path, value: String| JsonEquals { path, value, ignore_case: true };
        for state in [UpdateState::Running, UpdateState::Pending, UpdateState::Stopping] {
            let query = ListQuery {
                kind: Kind::UpdateRun,
                scope: Scope::Parent(fleet.key()),
                filter: vec![
                    is(&["auto_upgrade_profile_id"], profile.id.to_string()),
                    is(&["run", "status", "state"], state.name().to_owned()),
                ],
                after: None,
                limit: 2,
            };
            let runs = tx.list(&query).await?.into_iter().map(Record::decode::<UpdateRun>);
            for run in runs {
                let run = run?.entity.id;
                if run != *but {
                    return Ok(Some(run));
                }
            }
        }
        Ok(None)
    }
}

/// A run's state, without locking it: its own tick holds it while it waits for the profile.
async fn state_of(tx: &mut dyn Transaction, run: &ResourceId) -> Result<Option<UpdateState>, StoreError> {
    let found = tx.peek_many(Kind::UpdateRun, &[run.key()]).await?.pop();
    let run = found.map(Record::decode::<UpdateRun>).transpose()?;
    Ok(run.map(|run| run.run.status.state))
}

fn failed(obstacle: &Obstacle, target: Option<&ChannelTarget>, now: Timestamp) -> TriggerStatus {
    let error = TriggerError { code: obstacle.code().to_owned(), message: obstacle.message() };
    trigger::failed(error, target, now)
}
