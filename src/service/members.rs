//! Members: put (join), patch, delete (leave).

use super::long_running::LongRunning;
use super::resource::{Outcome, Written, find};
use super::{CallContext, Service, ServiceError};
use crate::domain::etag::Preconditions;
use crate::domain::fleet::Fleet;
use crate::domain::lifecycle::Lifecycle;
use crate::domain::member::{Member, MemberSpec, OPERATION_DURATION, Placement};
use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::domain::system_data::SystemData;
use crate::store::{Access, Entity, Kind, Locator, Record, Stored, Transaction};

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

impl LongRunning for Member {
    fn id(&self) -> &ResourceId {
        &self.id
    }

    fn lifecycle(&self) -> &Lifecycle {
        &self.lifecycle
    }

    fn lifecycle_mut(&mut self) -> &mut Lifecycle {
        &mut self.lifecycle
    }
}

impl Service {
    /// Lets a cluster join a fleet as member `id`, or replaces the member's group and labels.
    ///
    /// # Errors
    /// A refusal, or storage's: [`StoreError::Exists`](crate::store::StoreError::Exists) where another request makes
    /// it, or lets the cluster join, at this moment.
    pub async fn put_member(
        &self,
        call: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce(Option<&Member>) -> Result<MemberSpec, Refusal> + Send,
    ) -> Result<Written<Member>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let fleet = self.parent::<Fleet>(tx.as_mut(), id).await?;
        let existing = self.existing_for_put::<Member>(tx.as_mut(), id, preconditions).await?;
        let spec = decode(existing.as_ref().map(|stored| &stored.entity))?;
        let (member, version) = match existing {
            Some(stored) => {
                self.check_children_writable(tx.as_mut(), &fleet).await?;
                stored.lifecycle.check_writable(id)?;
                (self.placed(tx.as_mut(), call, stored.entity, spec.placement).await?, Some(stored.version))
            }
            None => (self.joining(tx.as_mut(), call, &fleet, id, spec).await?, None),
        };
        let duration = OPERATION_DURATION;
        let written = self.save_in_flight(tx.as_mut(), member, version, &fleet.location, duration).await?;
        self.commit(tx).await?;
        Ok(written)
    }

    /// Changes the member's group and labels, at once.
    ///
    /// # Errors
    /// A refusal, or storage's.
    pub async fn patch_member(
        &self,
        call: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce(&Member) -> Result<Placement, Refusal> + Send,
    ) -> Result<Written<Member>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let stored = self.existing_for_patch::<Member>(tx.as_mut(), id, preconditions).await?;
        let placement = decode(&stored)?;
        self.check_fleet_stays(tx.as_mut(), id).await?;
        stored.lifecycle.check_writable(id)?;
        let entity = self.placed(tx.as_mut(), call, stored.entity, placement).await?;
        let etag = self.save(tx.as_mut(), &entity, Some(stored.version)).await?;
        self.commit(tx).await?;
        Ok(Written { entity, etag, outcome: Outcome::Replaced, operation: None })
    }

    /// Lets the member leave its fleet; `None` where there is none.
    ///
    /// # Errors
    /// `PreconditionFailed`, `MemberBelongsToClusterMesh`, or storage's.
    pub async fn delete_member(
        &self,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<Option<Written<Member>>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let fleet = match id.parent() {
            Some(fleet) => find::<Fleet>(tx.as_mut(), &fleet).await?,
            None => None,
        };
        let member = self.existing_for_delete::<Member>(tx.as_mut(), id, preconditions).await?;
        let (Some(fleet), Some(member)) = (fleet, member) else { return Ok(None) };
        member.check_may_leave()?;
        let duration = OPERATION_DURATION;
        let written = self.delete_in_flight(tx.as_mut(), member, &fleet.location, duration).await?;
        self.commit(tx).await?;
        Ok(Some(written))
    }

    /// The member after a write. Its cluster may have been made anew in another region; of one that is gone, the region
    /// it was in stays.
    async fn placed(
        &self,
        tx: &mut dyn Transaction,
        call: &CallContext,
        member: Member,
        placement: Placement,
    ) -> Result<Member, ServiceError> {
        let found = self.region_of(tx, &member.cluster_resource_id).await?;
        let member = member.placed(placement);
        let system_data = member.system_data.clone().modified(&call.principal, self.clock.now());
        Ok(Member { system_data, cluster_location: found.or(member.cluster_location), ..member })
    }

    /// The member that `spec` makes, if its cluster may join.
    async fn joining(
        &self,
        tx: &mut dyn Transaction,
        call: &CallContext,
        fleet: &Stored<Fleet>,
        id: &ResourceId,
        spec: MemberSpec,
    ) -> Result<Member, ServiceError> {
        let now = self.clock.now();
        let cluster_location = self.cluster_location(tx, &spec.cluster_resource_id).await?;
        self.check_children_writable(tx, fleet).await?;
        check_not_joined(tx, &spec.cluster_resource_id).await?;
        self.check_room(tx, &fleet.id).await?;
        let member = Member {
            id: fleet.id.child("members", id.name()),
            cluster_resource_id: spec.cluster_resource_id,
            cluster_location,
            group: None,
            labels: Default::default(),
            mesh: None,
            lifecycle: Lifecycle::succeeded(),
            system_data: SystemData::created(&call.principal, now),
        };
        Ok(member.placed(spec.placement))
    }

    /// Where the cluster is; connected clusters are not asked about.
    async fn cluster_location(
        &self,
        tx: &mut dyn Transaction,
        cluster: &ResourceId,
    ) -> Result<Option<String>, ServiceError> {
        if !cluster.is_container_service("managedClusters") {
            return Ok(None);
        }
        let missing = || {
            let message = format!("There is no cluster {cluster}. Create it first, or correct the id.");
            Refusal::at(Code::ClusterNotFound, "properties.clusterResourceId", message)
        };
        Ok(Some(self.region_of(tx, cluster).await?.ok_or_else(missing)?))
    }

    /// The region of a managed cluster that exists.
    async fn region_of(
        &self,
        tx: &mut dyn Transaction,
        cluster: &ResourceId,
    ) -> Result<Option<String>, ServiceError> {
        let key = cluster.key();
        let mut found = self.clusters.observe(tx, std::slice::from_ref(&key), self.clock.now()).await?;
        Ok(found.remove(&key).map(|cluster| cluster.location))
    }

    async fn check_room(&self, tx: &mut dyn Transaction, fleet: &ResourceId) -> Result<(), ServiceError> {
        let max = self.settings.max_members;
        if tx.count(Kind::Member, &fleet.key()).await? < u64::from(max) {
            return Ok(());
        }
        let message = format!("{fleet} has {max} members already, which is the most that a fleet may have.");
        Err(Refusal::new(Code::QuotaExceeded, message).into())
    }
}

async fn check_not_joined(tx: &mut dyn Transaction, cluster: &ResourceId) -> Result<(), ServiceError> {
    let Some(other) = tx.get_unique(Kind::Member, &cluster.key()).await? else { return Ok(()) };
    let other = Record::decode::<Member>(other)?;
    Err(Refusal::at(
        Code::ClusterAlreadyJoinedAnotherFleet,
        "properties.clusterResourceId",
        format!(
            "{cluster} is a member already: {}. A cluster joins one fleet once; delete that member first.",
            other.id
        ),
    )
    .into())
}
