//! A run made by a profile because somebody asks for it: not started, also where the profile is disabled.

use crate::domain::auto_upgrade::AutoUpgradeProfile;
use crate::domain::auto_upgrade::target::newest;
use crate::domain::auto_upgrade::trigger::Obstacle;
use crate::domain::etag::Preconditions;
use crate::domain::fleet::Fleet;
use crate::domain::resource_id::ResourceId;
use crate::domain::update_run::UpdateRun;
use crate::service::resource::find;
use crate::service::{CallContext, Service, ServiceError};
use crate::store::Access;

/// The run that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// Its id.
    pub id: ResourceId,
    /// Whether it was there already: then it is as it was.
    pub existing: bool,
}

impl Service {
    /// Makes the run that the profile would make now, without starting it; finds it where it is there already.
    ///
    /// # Errors
    /// `ResourceNotFound`, `PreconditionFailed`; a conflict where the profile can make no run: its strategy is gone, the
    /// fleet is empty, the channel offers nothing; storage's: [`StoreError::Exists`](crate::store::StoreError::Exists)
    /// where another request makes the same run at this moment.
    pub async fn generate_update_run(
        &self,
        call: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<Generated, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        // Held from here on, so that the run is not made in a fleet that goes meanwhile.
        if let Some(fleet) = id.parent() {
            find::<Fleet>(tx.as_mut(), &fleet).await?;
        }
        let stored = self.existing_for_patch::<AutoUpgradeProfile>(tx.as_mut(), id, preconditions).await?;
        self.check_fleet_stays(tx.as_mut(), id).await?;
        let (profile, now) = (&stored.entity, self.clock.now());
        let (_, catalogue) = self.catalogue.edition(tx.as_mut()).await?;
        let members = self.members_of(tx.as_mut(), profile).await?;
        let families = self.families_in_use(tx.as_mut(), profile, &members, now).await?;
        let target = newest(&profile.spec, &catalogue, now).target(&families);
        let target = target.map_err(|none| Obstacle::from(none).refusal())?;
        let proposal = profile.proposal(&target);
        let run = proposal.run.clone();
        let planned =
            self.planned_proposal(tx.as_mut(), profile, proposal, &members, &call.principal).await?;
        let planned = planned.map_err(|obstacle| obstacle.refusal())?;
        if let Some(existing) = find::<UpdateRun>(tx.as_mut(), &run).await? {
            return Ok(Generated { id: existing.entity.id, existing: true });
        }
        self.save_planned(tx.as_mut(), &planned, None).await?;
        self.commit(tx).await?;
        Ok(Generated { id: run, existing: false })
    }
}
