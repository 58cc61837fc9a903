//! Update strategies: written and removed at once; runs keep the snapshot they took.

use super::resource::{Outcome, Written};
use super::{CallContext, Service, ServiceError};
use crate::domain::etag::Preconditions;
use crate::domain::fleet::Fleet;
use crate::domain::refusal::Refusal;
use crate::domain::resource_id::ResourceId;
use crate::domain::strategy::{Strategy, UpdateStrategy};
use crate::domain::system_data::SystemData;
use crate::store::{Access, Entity, Kind, Locator};

impl Entity for UpdateStrategy {
    const KIND: Kind = Kind::UpdateStrategy;

    fn locator(&self) -> Locator {
        Locator::from(&self.id)
    }
}

impl Service {
    /// Creates or replaces a strategy. `decode` reads the body once existence and preconditions are checked.
    ///
    /// # Errors
    /// `ParentResourceNotFound`, `PreconditionFailed`, what is wrong with the body, `OperationNotAllowed` while the
    /// fleet is being deleted, or storage's.
    pub async fn put_update_strategy(
        &self,
        context: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce(Option<&UpdateStrategy>) -> Result<Strategy, Refusal> + Send,
    ) -> Result<Written<UpdateStrategy>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let fleet = self.parent::<Fleet>(tx.as_mut(), id).await?;
        let existing = self.existing_for_put::<UpdateStrategy>(tx.as_mut(), id, preconditions).await?;
        let strategy = decode(existing.as_deref())?;
        fleet.lifecycle.check_children_writable(&fleet.id)?;
        let now = self.clock.now();
        let version = existing.as_ref().map(|stored| stored.version);
        let (id, system_data) = match existing {
            None => {
                (fleet.id.child("updateStrategies", id.name()), SystemData::created(&context.principal, now))
            }
            Some(stored) => (stored.entity.id, stored.entity.system_data.modified(&context.principal, now)),
        };
        let entity = UpdateStrategy { id, system_data, strategy };
        let etag = self.save(tx.as_mut(), &entity, version).await?;
        self.commit(tx).await?;
        let outcome = if version.is_some() { Outcome::Replaced } else { Outcome::Created };
        Ok(Written { entity, etag, outcome, operation: None })
    }

    /// Removes a strategy; `false`: there was none.
    ///
    /// # Errors
    /// `PreconditionFailed`, or storage's.
    pub async fn delete_update_strategy(
        &self,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<bool, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let existing = self.existing_for_delete::<UpdateStrategy>(tx.as_mut(), id, preconditions).await?;
        let Some(stored) = existing else { return Ok(false) };
        tx.delete(&id.key(), stored.version).await?;
        self.commit(tx).await?;
        Ok(true)
    }
}
