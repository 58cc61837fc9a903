//! Writes that take time: saved in flight with an operation, ended by it, or over at once.
//!
//! # Flow
//! A write saves the resource as Creating, Updating or Deleting and begins an operation; when that is due, it marks the
//! resource Succeeded or removes it with everything below. With [`super::OperationDurations::Zero`] both happen in one
//! transaction, and only the answer still shows the resource in flight.
//!
//! # Guarantees
//! An operation ends once, and changes its resource only while it is the resource's last one: a deletion supersedes what
//! it finds under way.
//!
//! To make another resource long-running, implement [`LongRunning`] in its file and give it an arm in [`Service::end`].

use chrono::TimeDelta;

use super::resource::{Outcome, Written, find};
use super::{Service, ServiceError};
use crate::domain::fleet::Fleet;
use crate::domain::lifecycle::{Lifecycle, ProvisioningState};
use crate::domain::member::Member;
use crate::domain::namespace::ManagedNamespace;
use crate::domain::operation::{Action, Operation, OperationStatus};
use crate::domain::resource_group::ResourceGroup;
use crate::domain::resource_id::ResourceId;
use crate::store::{Entity, Kind, Record, StoreError, Stored, Transaction, Update};

/// A resource whose writes are long-running operations that end at one instant.
pub trait LongRunning: Entity + Clone {
    /// Its id.
    fn id(&self) -> &ResourceId;

    /// How it stands.
    fn lifecycle(&self) -> &Lifecycle;

    /// How it is to stand.
    fn lifecycle_mut(&mut self) -> &mut Lifecycle;
}

impl Service {
    /// Saves `entity` (replacing what was read at version `existing`) and begins the operation that the write is,
    /// polled in `region`.
    ///
    /// # Errors
    /// Storage's; [`StoreError::Exists`] and [`StoreError::Conflict`] where somebody else wrote meanwhile.
    pub async fn save_in_flight<E: LongRunning>(
        &self,
        tx: &mut dyn Transaction,
        mut entity: E,
        existing: Option<i64>,
        region: &str,
        duration: TimeDelta,
    ) -> Result<Written<E>, StoreError> {
        let (action, state, outcome) = match existing {
            None => (Action::Create, ProvisioningState::Creating, Outcome::Created),
            Some(_) => (Action::Update, ProvisioningState::Updating, Outcome::Replaced),
        };
        let operation = self.begin_operation(tx, action, entity.id(), region, duration).await?;
        *entity.lifecycle_mut() = Lifecycle::during(state, operation.guid);
        let mut kept = entity.clone();
        if operation.status != OperationStatus::InProgress {
            *kept.lifecycle_mut() = kept.lifecycle().clone().finished();
        }
        let etag = self.save(tx, &kept, existing).await?;
        Ok(Written { entity, etag, outcome, operation: Some(operation) })
    }

    /// Begins deleting `stored`, cancelling what is under way on it; where that is a deletion, returns that one.
    ///
    /// # Errors
    /// Storage's.
    pub async fn delete_in_flight<E: LongRunning>(
        &self,
        tx: &mut dyn Transaction,
        stored: Stored<E>,
        region: &str,
        duration: TimeDelta,
    ) -> Result<Written<E>, ServiceError> {
        let Stored { mut entity, version, etag, .. } = stored;
        let before = entity.lifecycle().clone();
        let pending = before.operation.filter(|_| before.state.is_in_flight());
        let pending = match pending {
            Some(guid) => tx.get(Kind::Operation, &Operation::key(guid)).await?,
            None => None,
        };
        let pending = pending.map(Record::decode::<Operation>).transpose()?;
        if before.state == ProvisioningState::Deleting {
            let operation = pending.map(|pending| pending.entity);
            return Ok(Written { entity, etag, outcome: Outcome::Replaced, operation });
        }
        if let Some(pending) = pending {
            self.record_end(tx, pending, OperationStatus::Canceled).await?;
        }
        let operation = self.begin_operation(tx, Action::Delete, entity.id(), region, duration).await?;
        *entity.lifecycle_mut() = Lifecycle::during(ProvisioningState::Deleting, operation.guid);
        let etag = self.save(tx, &entity, Some(version)).await?;
        // Members that leave count no more from now on.
        let clusters = clusters_concerned(tx, entity.id()).await?;
        if operation.status != OperationStatus::InProgress {
            remove(tx, entity.id(), version + 1).await?;
        }
        tx.touch_clusters(&clusters, self.clock.now()).await?;
        Ok(Written { entity, etag, outcome: Outcome::Replaced, operation: Some(operation) })
    }

    /// Ends an operation whose time has come; on what it changed, if it was not superseded. Returns the clusters that
    /// runs should look at again, to be touched last in the transaction. Ending it again does nothing.
    ///
    /// # Errors
    /// Storage's; [`StoreError::Conflict`] where a deletion supersedes it at this moment.
    pub async fn finish_operation(
        &self,
        tx: &mut dyn Transaction,
        operation: Stored<Operation>,
    ) -> Result<Vec<String>, StoreError> {
        if operation.status != OperationStatus::InProgress {
            return Ok(Vec::new());
        }
        let touched = self.end(tx, &operation).await?;
        let status = if touched.is_some() { OperationStatus::Succeeded } else { OperationStatus::Canceled };
        self.record_end(tx, operation, status).await?;
        Ok(touched.unwrap_or_default())
    }

    /// Ends the operation on its resource; `None` where it has none any more.
    async fn end(
        &self,
        tx: &mut dyn Transaction,
        operation: &Operation,
    ) -> Result<Option<Vec<String>>, StoreError> {
        match operation.resource.type_path().as_str() {
            "" => self.end_on::<ResourceGroup>(tx, operation).await,
            "fleets" => self.end_on::<Fleet>(tx, operation).await,
            "fleets/members" => self.end_on::<Member>(tx, operation).await,
            "fleets/managedNamespaces" => self.end_on::<ManagedNamespace>(tx, operation).await,
            _ => Ok(None),
        }
    }

    async fn end_on<E: LongRunning>(
        &self,
        tx: &mut dyn Transaction,
        operation: &Operation,
    ) -> Result<Option<Vec<String>>, StoreError> {
        let Some(mut stored) = find::<E>(tx, &operation.resource).await? else { return Ok(None) };
        if stored.lifecycle().operation != Some(operation.guid) {
            return Ok(None);
        }
        if operation.action == Action::Delete {
            let clusters = clusters_concerned(tx, &operation.resource).await?;
            remove(tx, &operation.resource, stored.version).await?;
            return Ok(Some(clusters));
        }
        *stored.entity.lifecycle_mut() = stored.lifecycle().clone().finished();
        self.save(tx, &stored.entity, Some(stored.version)).await?;
        Ok(Some(Vec::new()))
    }

    async fn record_end(
        &self,
        tx: &mut dyn Transaction,
        operation: Stored<Operation>,
        status: OperationStatus,
    ) -> Result<(), StoreError> {
        let Stored { entity, version, etag, .. } = operation;
        tx.update(&[Update::of(&entity.ended(status, None, self.clock.now()), version, etag)]).await
    }
}

/// Removes a resource with everything below it.
async fn remove(tx: &mut dyn Transaction, id: &ResourceId, version: i64) -> Result<(), StoreError> {
    tx.delete_below(&id.key()).await?;
    tx.delete(&id.key(), version).await
}

/// The clusters that runs elsewhere should look at again when this resource goes.
async fn clusters_concerned(tx: &mut dyn Transaction, id: &ResourceId) -> Result<Vec<String>, StoreError> {
    match id.type_path().as_str() {
        "" => clusters_in_group(tx, &id.key()).await,
        "fleets" => clusters_in_fleet(tx, &id.key()).await,
        _ => {
            Ok(find::<Member>(tx, id).await?.iter().map(|member| member.cluster_resource_id.key()).collect())
        }
    }
}

async fn clusters_in_fleet(tx: &mut dyn Transaction, fleet: &str) -> Result<Vec<String>, StoreError> {
    let members = tx.children(Kind::Member, fleet).await?.into_iter().map(Record::decode::<Member>);
    members.map(|member| Ok(member?.cluster_resource_id.key())).collect()
}

/// The group's own clusters, which may be in fleets elsewhere, and those of its fleets, which may be elsewhere.
async fn clusters_in_group(tx: &mut dyn Transaction, group: &str) -> Result<Vec<String>, StoreError> {
    let own = tx.children(Kind::ManagedCluster, group).await?;
    let mut clusters: Vec<String> = own.into_iter().map(|record| record.key).collect();
    for fleet in tx.children(Kind::Fleet, group).await? {
        clusters.extend(clusters_in_fleet(tx, &fleet.key).await?);
    }
    Ok(clusters)
}
