//! What the use cases of all resources share: reading with preconditions, saving by compare-and-set.
//!
//! The order of checks is ARM's: parent and existence, preconditions, then whatever the caller checks (body, state).

use super::{Service, ServiceError};
use crate::domain::etag::{ETag, Preconditions, Verb};
use crate::domain::fleet::Fleet;
use crate::domain::resource_id::ResourceId;
use crate::store::{
    Access, Entity, Kind, ListQuery, NewRecord, Record, StoreError, Stored, Transaction, Update,
};

/// What a PUT did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// 201.
    Created,
    /// 200.
    Replaced,
}

/// The answer to a write: the resource as it is shown, and the operation it began.
#[derive(Clone, Debug)]
pub struct Written<E> {
    /// The resource as answered.
    pub entity: E,
    /// Its tag, valid for the next `If-Match` unless the operation's end renews it.
    pub etag: ETag,
    /// Whether it is new.
    pub outcome: Outcome,
    /// The long-running operation, where one was begun.
    pub operation: Option<crate::domain::operation::Operation>,
}

impl Service {
    /// The resource `id`, if it exists, and its preconditions hold for a PUT.
    ///
    /// # Errors
    /// `PreconditionFailed`, or storage's.
    pub async fn existing_for_put<E: Entity>(
        &self,
        tx: &mut dyn Transaction,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<Option<Stored<E>>, ServiceError> {
        let existing = find::<E>(tx, id).await?;
        preconditions.check(Verb::Put, existing.as_ref().map(|stored| stored.etag))?;
        Ok(existing)
    }

    /// The resource `id` for a PATCH or POST.
    ///
    /// # Errors
    /// `ResourceNotFound`, `PreconditionFailed`, or storage's.
    pub async fn existing_for_patch<E: Entity>(
        &self,
        tx: &mut dyn Transaction,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<Stored<E>, ServiceError> {
        let existing = find::<E>(tx, id).await?.ok_or_else(|| ServiceError::not_found(id))?;
        preconditions.check(Verb::Patch, Some(existing.etag))?;
        Ok(existing)
    }

    /// The resource `id` for a DELETE; `None` where there is nothing to delete (204).
    ///
    /// # Errors
    /// `PreconditionFailed`, or storage's.
    pub async fn existing_for_delete<E: Entity>(
        &self,
        tx: &mut dyn Transaction,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<Option<Stored<E>>, ServiceError> {
        let existing = find::<E>(tx, id).await?;
        if let Some(stored) = &existing {
            preconditions.check(Verb::Delete, Some(stored.etag))?;
        }
        Ok(existing)
    }

    /// The resource around `id`, for a write of a child.
    ///
    /// # Errors
    /// `ParentResourceNotFound`, or storage's.
    pub async fn parent<P: Entity>(
        &self,
        tx: &mut dyn Transaction,
        id: &ResourceId,
    ) -> Result<Stored<P>, ServiceError> {
        let parent = id.parent().expect("a child has a parent");
        find::<P>(tx, &parent).await?.ok_or_else(|| ServiceError::parent_not_found(&parent))
    }

    /// That neither the fleet nor the group around it is being deleted, so that a child may be written.
    ///
    /// # Errors
    /// `OperationNotAllowed`, or storage's.
    pub async fn check_children_writable(
        &self,
        tx: &mut dyn Transaction,
        fleet: &Fleet,
    ) -> Result<(), ServiceError> {
        fleet.lifecycle.check_children_writable(&fleet.id)?;
        self.check_group_stays(tx, &fleet.id).await
    }

    /// That the fleet around a child that exists is not being deleted: its children can then only be read and deleted.
    ///
    /// # Errors
    /// `OperationNotAllowed`, or storage's.
    pub async fn check_fleet_stays(
        &self,
        tx: &mut dyn Transaction,
        child: &ResourceId,
    ) -> Result<(), ServiceError> {
        let fleet = child.parent().expect("a child has a parent");
        let found = tx.peek_many(Kind::Fleet, &[fleet.key()]).await?.pop();
        if let Some(fleet) = found.map(Record::decode::<Fleet>).transpose()? {
            self.check_children_writable(tx, &fleet).await?;
        }
        Ok(())
    }

    /// That the resource whose children are listed exists.
    ///
    /// # Errors
    /// `ParentResourceNotFound`, or storage's.
    pub async fn check_parent<P: Entity>(&self, parent: &ResourceId) -> Result<(), ServiceError> {
        let mut tx = self.store.begin(Access::Read).await?;
        let found = find::<P>(tx.as_mut(), parent).await?;
        found.map(|_| ()).ok_or_else(|| ServiceError::parent_not_found(parent))
    }

    /// The resource `id`, for a GET.
    ///
    /// # Errors
    /// `ResourceNotFound`, or storage's.
    pub async fn read<E: Entity>(&self, id: &ResourceId) -> Result<Stored<E>, ServiceError> {
        let mut tx = self.store.begin(Access::Read).await?;
        find::<E>(tx.as_mut(), id).await?.ok_or_else(|| ServiceError::not_found(id))
    }

    /// One page of a list, as records, so that a caller may pass documents through.
    ///
    /// # Errors
    /// Storage's.
    pub async fn page(&self, query: &ListQuery) -> Result<Vec<Record>, ServiceError> {
        let mut tx = self.store.begin(Access::Read).await?;
        Ok(tx.list(query).await?)
    }

    /// Inserts, or replaces what was read as `existing`, under a new tag, which is returned.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] where somebody else wrote meanwhile.
    pub async fn save<E: Entity>(
        &self,
        tx: &mut dyn Transaction,
        entity: &E,
        existing: Option<i64>,
    ) -> Result<ETag, StoreError> {
        let etag = self.new_etag();
        match existing {
            None => tx.insert(&[NewRecord::of(entity, etag)]).await?,
            Some(version) => tx.update(&[Update::of(entity, version, etag)]).await?,
        }
        Ok(etag)
    }

    /// Commits a write and tells the schedulers, here and elsewhere, to look.
    ///
    /// # Errors
    /// Storage's.
    pub async fn commit(&self, tx: Box<dyn Transaction>) -> Result<(), StoreError> {
        tx.commit(true).await?;
        self.signal.send();
        Ok(())
    }
}

/// The resource `id`, decoded.
///
/// # Errors
/// Storage's.
pub async fn find<E: Entity>(
    tx: &mut dyn Transaction,
    id: &ResourceId,
) -> Result<Option<Stored<E>>, StoreError> {
    tx.get(E::KIND, &id.key()).await?.map(Record::decode).transpose()
}
