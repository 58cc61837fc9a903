//! Members: clusters join a fleet, change their group and labels, leave.

use chrono::TimeDelta;

use super::long_running::Begun;
use super::resource::{Outcome, Written};
use super::{CallContext, Service, ServiceError};
use crate::domain::etag::Preconditions;
use crate::domain::fleet::Fleet;
use crate::domain::lifecycle::ProvisioningState;
use crate::domain::managed_cluster::ManagedCluster;
use crate::domain::member::{Member, MemberSpec, Placement};
use crate::domain::operation::Action;
use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::domain::system_data::SystemData;
use crate::store::{Access, Entity, Kind, Locator, Record, Stored, Transaction};

/// How long joining and leaving take.
const DURATION: TimeDelta = TimeDelta::seconds(2);

/// Where the cluster stands in a body.
const CLUSTER: &str = "properties.clusterResourceId";

impl Entity for Member {
    const KIND: Kind = Kind::Member;

    fn locator(&self) -> Locator {
        Locator::from(&self.id)
    }

    /// A cluster joins one fleet once.
    fn unique_key(&self) -> Option<String> {
        Some(self.cluster_resource_id.key())
    }
}

impl Service {
    /// Lets a cluster join, or replaces what may change of its membership. `decode` reads the body once existence and
    /// preconditions are checked.
    ///
    /// # Errors
    /// `ParentResourceNotFound`, `PreconditionFailed`, what is wrong with the body, `ClusterNotFound`,
    /// `ClusterAlreadyJoinedAnotherFleet`, `QuotaExceeded`, `OperationNotAllowed`, or storage's.
    pub async fn put_member(
        &self,
        context: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce(Option<&Member>) -> Result<MemberSpec, Refusal> + Send,
    ) -> Result<Written<Member>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let fleet = self.parent::<Fleet>(tx.as_mut(), id).await?;
        let existing = self.existing_for_put::<Member>(tx.as_mut(), id, preconditions).await?;
        let spec = decode(existing.as_deref())?;
        let now = self.clock.now();
        let (mut entity, begun, version) = match existing {
            None => {
                let cluster_location = self.may_join(tx.as_mut(), &fleet, &spec).await?;
                let work = (Action::Create, ProvisioningState::Creating);
                let begun = self.begin_write(tx.as_mut(), id, &fleet.location, work, DURATION).await?;
                let member = Member {
                    // In the fleet's own casing, whatever the URL's.
                    id: fleet.id.child("members", id.name()),
                    cluster_resource_id: spec.cluster_resource_id,
                    cluster_location,
                    group: spec.placement.group,
                    labels: spec.placement.labels,
                    lifecycle: begun.stored.clone(),
                    system_data: SystemData::created(&context.principal, now),
                };
                (member, begun, None)
            }
            Some(stored) => {
                fleet.lifecycle.check_children_writable(&fleet.id)?;
                stored.lifecycle.check_writable(id)?;
                let work = (Action::Update, ProvisioningState::Updating);
                let begun = self.begin_write(tx.as_mut(), id, &fleet.location, work, DURATION).await?;
                let version = stored.version;
                let member = stored.entity.placed(spec.placement);
                let system_data = member.system_data.clone().modified(&context.principal, now);
                (Member { system_data, lifecycle: begun.stored.clone(), ..member }, begun, Some(version))
            }
        };
        let etag = self.save(tx.as_mut(), &entity, version).await?;
        self.commit(tx).await?;
        let Begun { operation, shown, .. } = begun;
        entity.lifecycle = shown;
        let outcome = if version.is_some() { Outcome::Replaced } else { Outcome::Created };
        Ok(Written { entity, etag, outcome, operation: Some(operation) })
    }

    /// Checks that the cluster exists and is free, and that the fleet has room; the cluster's region, where known.
    async fn may_join(
        &self,
        tx: &mut dyn Transaction,
        fleet: &Stored<Fleet>,
        spec: &MemberSpec,
    ) -> Result<Option<String>, ServiceError> {
        let cluster = &spec.cluster_resource_id;
        let mut region = None;
        if cluster.is_container_service("managedClusters") {
            // Looked at only: whoever changes the cluster meanwhile does not change that it is there.
            let found = tx.peek_many(Kind::ManagedCluster, &[cluster.key()]).await?.pop();
            let found = found.map(Record::decode::<ManagedCluster>).transpose()?;
            let missing = || {
                Refusal::at(
                    Code::ClusterNotFound,
                    CLUSTER,
                    format!("The managed cluster {cluster} does not exist."),
                )
            };
            region = Some(found.ok_or_else(missing)?.region());
        }
        fleet.lifecycle.check_children_writable(&fleet.id)?;
        if let Some(other) = tx.get_unique(Kind::Member, &cluster.key()).await? {
            let other = other.decode::<Member>()?;
            return Err(Refusal::at(
                Code::ClusterAlreadyJoinedAnotherFleet,
                CLUSTER,
                format!(
                    "The cluster {cluster} is a member of a fleet already, as {}. It must leave that first.",
                    other.id
                ),
            )
            .into());
        }
        let max = self.settings.max_members;
        if tx.count(Kind::Member, &fleet.id.key()).await? >= u64::from(max) {
            return Err(Refusal::new(
                Code::QuotaExceeded,
                format!("The fleet has {max} members, as many as it may have."),
            )
            .into());
        }
        Ok(region)
    }

    /// Changes group and labels, at once.
    ///
    /// # Errors
    /// `ResourceNotFound`, `PreconditionFailed`, what is wrong with the body, `OperationNotAllowed`, or storage's.
    pub async fn patch_member(
        &self,
        context: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce(&Member) -> Result<Placement, Refusal> + Send,
    ) -> Result<Written<Member>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let existing = self.existing_for_patch::<Member>(tx.as_mut(), id, preconditions).await?;
        let placement = decode(&existing)?;
        existing.lifecycle.check_writable(id)?;
        let version = existing.version;
        let member = existing.entity.placed(placement);
        let system_data = member.system_data.clone().modified(&context.principal, self.clock.now());
        let entity = Member { system_data, ..member };
        let etag = self.save(tx.as_mut(), &entity, Some(version)).await?;
        self.commit(tx).await?;
        Ok(Written { entity, etag, outcome: Outcome::Replaced, operation: None })
    }

    /// Lets a cluster leave, whatever is under way; `None`: it was no member.
    ///
    /// # Errors
    /// `PreconditionFailed`, or storage's.
    pub async fn delete_member(
        &self,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<Option<Written<Member>>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let Some(existing) = self.existing_for_delete::<Member>(tx.as_mut(), id, preconditions).await? else {
            return Ok(None);
        };
        let outcome = Outcome::Replaced;
        if let Some(operation) = self.running_delete(tx.as_mut(), &existing.lifecycle).await? {
            let (entity, etag) = (existing.entity, existing.etag);
            return Ok(Some(Written { entity, etag, outcome, operation: Some(operation) }));
        }
        self.cancel_operation(tx.as_mut(), &existing.lifecycle).await?;
        let region = self.parent::<Fleet>(tx.as_mut(), id).await?.location.clone();
        let work = (Action::Delete, ProvisioningState::Deleting);
        let begun = self.begin_write(tx.as_mut(), id, &region, work, DURATION).await?;
        let entity = Member { lifecycle: begun.shown, ..existing.entity };
        let etag = self.save(tx.as_mut(), &entity, Some(existing.version)).await?;
        if begun.stored.state != ProvisioningState::Deleting {
            tx.delete(&id.key(), existing.version + 1).await?;
        }
        // Runs that have the member in their plan skip it.
        tx.touch_clusters(&[entity.cluster_resource_id.key()], self.clock.now()).await?;
        self.commit(tx).await?;
        Ok(Some(Written { entity, etag, outcome, operation: Some(begun.operation) }))
    }
}
