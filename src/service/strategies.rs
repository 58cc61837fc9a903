//! Update strategies: put and delete, both at once.

use super::resource::{Outcome, Written, find};
use super::{CallContext, Service, ServiceError};
use crate::domain::etag::Preconditions;
use crate::domain::fleet::Fleet;
use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::domain::strategy::{Strategy, UpdateStrategy};
use crate::domain::system_data::SystemData;
use crate::store::{Access, Entity, Kind, Locator, Transaction};

impl Entity for UpdateStrategy {
    const KIND: Kind = Kind::UpdateStrategy;

    fn locator(&self) -> Locator {
        Locator::from(&self.id)
    }
}

impl Service {
    /// Creates or replaces the strategy `id`.
    ///
    /// # Errors
    /// A refusal, or storage's: [`StoreError::Exists`](crate::store::StoreError::Exists) where another request creates
    /// it at this moment.
    pub async fn put_update_strategy(
        &self,
        call: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce(Option<&UpdateStrategy>) -> Result<Strategy, Refusal> + Send,
    ) -> Result<Written<UpdateStrategy>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let fleet = self.parent::<Fleet>(tx.as_mut(), id).await?;
        let existing = self.existing_for_put::<UpdateStrategy>(tx.as_mut(), id, preconditions).await?;
        let strategy = decode(existing.as_ref().map(|stored| &stored.entity))?;
        self.check_children_writable(tx.as_mut(), &fleet).await?;
        let (now, by) = (self.clock.now(), &call.principal);
        let (entity, version, outcome) = match existing {
            Some(stored) => {
                let system_data = stored.entity.system_data.modified(by, now);
                let entity = UpdateStrategy { id: stored.entity.id, system_data, strategy };
                (entity, Some(stored.version), Outcome::Replaced)
            }
            None => {
                let id = fleet.id.child("updateStrategies", id.name());
                let entity = UpdateStrategy { id, system_data: SystemData::created(by, now), strategy };
                (entity, None, Outcome::Created)
            }
        };
        let etag = self.save(tx.as_mut(), &entity, version).await?;
        self.commit(tx).await?;
        Ok(Written { entity, etag, outcome, operation: None })
    }

    /// Deletes the strategy `id`; `false` where there is none. Runs hold what they took of it.
    ///
    /// # Errors
    /// `PreconditionFailed`, or storage's.
    pub async fn delete_update_strategy(
        &self,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<bool, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let Some(stored) = self.existing_for_delete::<UpdateStrategy>(tx.as_mut(), id, preconditions).await?
        else {
            return Ok(false);
        };
        tx.delete(&id.key(), stored.version).await?;
        self.commit(tx).await?;
        Ok(true)
    }
}

/// The strategy that something of `fleet` names at `target` of a request.
///
/// # Errors
/// `InvalidParameter` for an id that is not a strategy's of this fleet, `UpdateStrategyNotFound` where there is none;
/// storage's.
pub(super) async fn strategy_of_fleet(
    tx: &mut dyn Transaction,
    fleet: &ResourceId,
    named: &ResourceId,
    target: &str,
) -> Result<UpdateStrategy, ServiceError> {
    if !named.is_container_service("fleets/updateStrategies") || named.parent().as_ref() != Some(fleet) {
        let message = format!(
            "{named} is not an update strategy of this fleet: .../fleets/{{fleet}}/updateStrategies/{{name}}."
        );
        return Err(Refusal::at(Code::InvalidParameter, target, message).into());
    }
    let missing = || {
        let message = format!("The update strategy {named} does not exist.");
        Refusal::at(Code::UpdateStrategyNotFound, target, message)
    };
    Ok(find::<UpdateStrategy>(tx, named).await?.ok_or_else(missing)?.entity)
}
