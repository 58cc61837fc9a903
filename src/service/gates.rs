//! Gates: read, listed, and completed by users. They are made by the engine, never here.

use super::{CallContext, Service, ServiceError};
use crate::domain::etag::Preconditions;
use crate::domain::gate::Gate;
use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::domain::system_data::SystemData;
use crate::service::resource::find;
use crate::store::{Access, Kind, Record, Stored, WorkKind};

impl Service {
    /// Completes a gate. `decode` checks the body, once the preconditions hold. Repeating it is harmless.
    ///
    /// # Errors
    /// `ResourceNotFound`, `PreconditionFailed`, what is wrong with the body, `OperationNotAllowed` where the gate is
    /// neither Pending nor Completed, or storage's.
    pub async fn patch_gate(
        &self,
        context: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce(&Gate) -> Result<(), Refusal> + Send,
    ) -> Result<Stored<Gate>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let peeked =
            tx.peek_many(Kind::Gate, &[id.key()]).await?.pop().map(Record::decode::<Gate>).transpose()?;
        let run = peeked.ok_or_else(|| ServiceError::not_found(id))?.run.clone();
        tx.wake(WorkKind::UpdateRun, &[run.key()], self.clock.now()).await?;
        let gate = self.existing_for_patch::<Gate>(tx.as_mut(), id, preconditions).await?;
        decode(&gate)?;
        self.check_fleet_stays(tx.as_mut(), id).await?;
        let name = id
            .name()
            .parse()
            .map_err(|_| Refusal::new(Code::ResourceNotFound, format!("{id} is no gate.")))?;
        let by = &context.principal;
        let now = self.clock.now();
        let approval = match gate.system_data.clone() {
            None => SystemData::created(by, now),
            Some(system_data) => system_data.modified(by, now),
        };
        if !self.complete_gate_of_run(tx, &run, name, approval).await? {
            return Ok(gate);
        }
        let mut tx = self.store.begin(Access::Read).await?;
        find::<Gate>(tx.as_mut(), id).await?.ok_or_else(|| ServiceError::not_found(id))
    }
}
