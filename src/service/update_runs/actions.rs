//! Start, stop, skip, and completing a gate: a command and the advance it leads to, in one transaction, so that the
//! answer shows the new state and eTag.

use uuid::Uuid;

use super::persist::Dirty;
use super::sight::Look;
use super::tick;
use crate::domain::etag::Preconditions;
use crate::domain::refusal::Refusal;
use crate::domain::resource_id::ResourceId;
use crate::domain::system_data::SystemData;
use crate::domain::update_run::skip::{self, SkipTarget};
use crate::domain::update_run::{UpdateRun, command};
use crate::service::{CallContext, Service, ServiceError};
use crate::store::{Access, StoreError, Stored, Transaction, Update, WorkKind};

impl Service {
    /// Starts a run, or goes on with a stopped or failed one.
    ///
    /// # Errors
    /// `ResourceNotFound`, `PreconditionFailed`, `OperationNotAllowed`, or storage's.
    pub async fn start_update_run(
        &self,
        context: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<Stored<UpdateRun>, ServiceError> {
        let (mut tx, mut stored) = self.open_run(id, preconditions).await?;
        self.check_fleet_stays(tx.as_mut(), id).await?;
        let entity = &mut stored.entity;
        entity.system_data = entity.system_data.clone().modified(&context.principal, self.clock.now());
        let started = self.start_loaded_run(tx.as_mut(), stored).await?;
        self.commit(tx).await?;
        Ok(started)
    }

    /// Starts a run in a transaction that has taken its work row, and read it then.
    ///
    /// # Errors
    /// `OperationNotAllowed` where it cannot be started; storage's.
    pub(in crate::service) async fn start_loaded_run(
        &self,
        tx: &mut dyn Transaction,
        mut stored: Stored<UpdateRun>,
    ) -> Result<Stored<UpdateRun>, ServiceError> {
        command::check_start(&stored.run)?;
        let now = self.clock.now();
        let (_, catalogue) = self.catalogue.edition(tx).await?;
        let images = self.consistent_images(tx, &stored.run, &catalogue, now).await?;
        let changes = command::start(&mut stored.entity.run, &images, now)?;
        Ok(self.advance_and_save(tx, stored, changes.into()).await?)
    }

    /// Stops a run.
    ///
    /// # Errors
    /// `ResourceNotFound`, `PreconditionFailed`, `OperationNotAllowed`, or storage's.
    pub async fn stop_update_run(
        &self,
        context: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<Stored<UpdateRun>, ServiceError> {
        let (mut tx, mut stored) = self.open_run(id, preconditions).await?;
        self.check_fleet_stays(tx.as_mut(), id).await?;
        let changes = command::stop(&mut stored.entity.run)?;
        self.finish_command(context, tx, stored, changes.into()).await
    }

    /// Skips parts of a run. `decode` reads the targets once the preconditions hold.
    ///
    /// # Errors
    /// `ResourceNotFound`, `PreconditionFailed`, what is wrong with the body or a target, or storage's.
    pub async fn skip_in_update_run(
        &self,
        context: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce() -> Result<Vec<SkipTarget>, Refusal> + Send,
    ) -> Result<Stored<UpdateRun>, ServiceError> {
        let (mut tx, mut stored) = self.open_run(id, preconditions).await?;
        let targets = decode()?;
        self.check_fleet_stays(tx.as_mut(), id).await?;
        let changes = skip::skip(&mut stored.entity.run, &targets, self.clock.now())?;
        self.finish_command(context, tx, stored, changes.into()).await
    }

    /// Completes a gate of a run, for `Service::patch_gate`; `false` where it is completed already.
    pub(in crate::service) async fn complete_gate_of_run(
        &self,
        mut tx: Box<dyn Transaction>,
        run: &ResourceId,
        gate: Uuid,
        approval: SystemData,
    ) -> Result<bool, ServiceError> {
        let mut stored = super::load(tx.as_mut(), run).await?.ok_or_else(|| ServiceError::not_found(run))?;
        if !command::complete_gate(&mut stored.entity.run, gate, self.clock.now())? {
            return Ok(false);
        }
        let places = stored.run.gates().filter(|(_, one)| one.id == Some(gate)).map(|(place, _)| place);
        let dirty =
            Dirty { members: Default::default(), gates: places.collect(), approval: Some((gate, approval)) };
        self.advance_and_save(tx.as_mut(), stored, dirty).await?;
        self.commit(tx).await?;
        Ok(true)
    }

    /// Opens a run for a command: its work row first, then its record, as a tick does.
    async fn open_run(
        &self,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<(Box<dyn Transaction>, Stored<UpdateRun>), ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        tx.wake(WorkKind::UpdateRun, &[id.key()], self.clock.now()).await?;
        self.existing_for_patch::<UpdateRun>(tx.as_mut(), id, preconditions).await?;
        let stored = super::load(tx.as_mut(), id).await?.ok_or_else(|| ServiceError::not_found(id))?;
        Ok((tx, stored))
    }

    async fn finish_command(
        &self,
        context: &CallContext,
        mut tx: Box<dyn Transaction>,
        mut stored: Stored<UpdateRun>,
        dirty: Dirty,
    ) -> Result<Stored<UpdateRun>, ServiceError> {
        let entity = &mut stored.entity;
        entity.system_data = entity.system_data.clone().modified(&context.principal, self.clock.now());
        let stored = self.advance_and_save(tx.as_mut(), stored, dirty).await?;
        self.commit(tx).await?;
        Ok(stored)
    }

    async fn advance_and_save(
        &self,
        tx: &mut dyn Transaction,
        mut stored: Stored<UpdateRun>,
        mut dirty: Dirty,
    ) -> Result<Stored<UpdateRun>, StoreError> {
        let key = stored.id.key();
        let (releases, catalogue) = self.catalogue.edition(tx).await?;
        let mut look = Look {
            fleet: stored.id.parent().expect("a run is in a fleet"),
            now: self.clock.now(),
            releases,
            catalogue: &catalogue,
            touched: tx.take_touched(&key).await?,
            seen: Default::default(),
            ask: Default::default(),
        };
        let now = look.now;
        let mut sight = self.first_sight(tx, &stored.run, &mut look).await?;
        let step = self.advance_run(tx, stored.entity.run, &mut sight, look).await?;
        let acts = !step.effects.is_empty();
        stored.entity.run = step.next;
        dirty.members.extend(step.changed);
        dirty.gates.extend(step.gates);
        let head = Update::of(&stored.entity, stored.version, self.new_etag());
        self.save_run(tx, &mut stored, head, &dirty).await?;
        tick::schedule(tx, &key, &stored, step.wake_at, acts, now).await?;
        Ok(stored)
    }
}
