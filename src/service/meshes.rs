//! Cluster mesh profiles: put, apply, delete, all at once; and which members one selects.

use super::resource::{Outcome, Written, find};
use super::{CallContext, Service, ServiceError};
use crate::domain::etag::Preconditions;
use crate::domain::fleet::Fleet;
use crate::domain::member::Member;
use crate::domain::mesh::{AppliedMesh, ClusterMeshProfile};
use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::domain::strategy::MemberSelector;
use crate::domain::system_data::SystemData;
use crate::store::{
    Access, Entity, Kind, ListQuery, Locator, Record, StoreError, Stored, Transaction, Update,
};

impl Entity for ClusterMeshProfile {
    const KIND: Kind = Kind::ClusterMeshProfile;

    fn locator(&self) -> Locator {
        Locator::from(&self.id)
    }
}

impl Service {
    /// Creates or replaces the profile `id`. Nobody is connected by it until it is applied.
    ///
    /// # Errors
    /// A refusal, or storage's: [`StoreError::Exists`] where another request creates it at this moment.
    pub async fn put_cluster_mesh_profile(
        &self,
        call: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce(Option<&ClusterMeshProfile>) -> Result<Option<MemberSelector>, Refusal> + Send,
    ) -> Result<Written<ClusterMeshProfile>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let fleet = self.parent::<Fleet>(tx.as_mut(), id).await?;
        let existing = self.existing_for_put::<ClusterMeshProfile>(tx.as_mut(), id, preconditions).await?;
        let selector = decode(existing.as_ref().map(|stored| &stored.entity))?;
        self.check_children_writable(tx.as_mut(), &fleet).await?;
        let (now, by) = (self.clock.now(), &call.principal);
        let (entity, version, outcome) = match existing {
            Some(stored) => {
                let system_data = stored.entity.system_data.clone().modified(by, now);
                let entity = ClusterMeshProfile { selector, system_data, ..stored.entity };
                (entity, Some(stored.version), Outcome::Replaced)
            }
            None => {
                let id = fleet.id.child("clusterMeshProfiles", id.name());
                let system_data = SystemData::created(by, now);
                (ClusterMeshProfile { id, selector, applied: None, system_data }, None, Outcome::Created)
            }
        };
        let etag = self.save(tx.as_mut(), &entity, version).await?;
        self.commit(tx).await?;
        Ok(Written { entity, etag, outcome, operation: None })
    }

    /// Connects the members that the profile `id` selects now, and disconnects those that it selects no more.
    ///
    /// # Errors
    /// A refusal, or storage's.
    pub async fn apply_cluster_mesh_profile(
        &self,
        call: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<Written<ClusterMeshProfile>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let stored = self.existing_for_patch::<ClusterMeshProfile>(tx.as_mut(), id, preconditions).await?;
        self.check_fleet_stays(tx.as_mut(), id).await?;
        let (now, operation) = (self.clock.now(), self.ids.next());
        let members = locked_members_beside(tx.as_mut(), id).await?;
        let shown: Vec<&Member> = members.iter().map(|member| &member.entity).collect();
        let changes = stored.changes(&shown, operation, now)?;
        let updates = changes.members.into_iter().map(|(place, mesh)| {
            let member = &members[place];
            let changed = Member { mesh, ..member.entity.clone() };
            Update::of(&changed, member.version, self.new_etag())
        });
        tx.update(&updates.collect::<Vec<_>>()).await?;
        let (selector, connected) = (stored.selector.clone(), changes.connected);
        let entity = ClusterMeshProfile {
            applied: Some(AppliedMesh { selector, operation, connected }),
            system_data: stored.entity.system_data.clone().modified(&call.principal, now),
            ..stored.entity
        };
        let etag = self.save(tx.as_mut(), &entity, Some(stored.version)).await?;
        self.commit(tx).await?;
        Ok(Written { entity, etag, outcome: Outcome::Replaced, operation: None })
    }

    /// Deletes the profile `id`, if there is one.
    ///
    /// # Errors
    /// `PreconditionFailed`; `OperationNotAllowed` while it connects members; storage's.
    pub async fn delete_cluster_mesh_profile(
        &self,
        id: &ResourceId,
        preconditions: &Preconditions,
    ) -> Result<(), ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let found = self.existing_for_delete::<ClusterMeshProfile>(tx.as_mut(), id, preconditions).await?;
        let Some(stored) = found else { return Ok(()) };
        let members = members_beside(tx.as_mut(), id).await?;
        let connected = members.iter().filter(|member| stored.connects(member)).count();
        if connected > 0 {
            let message = format!(
                "The mesh '{}' connects {connected} members. Let its memberSelector select nobody, apply it, and \
                 delete it then.",
                id.name()
            );
            return Err(Refusal::new(Code::OperationNotAllowed, message).into());
        }
        tx.delete(&id.key(), stored.version).await?;
        self.commit(tx).await?;
        Ok(())
    }

    /// Members that `query` finds and all `profiles` of the fleet select now; none where a profile does not exist. At
    /// most as many as `query` allows.
    ///
    /// # Errors
    /// Storage's.
    pub async fn members_selected_by(
        &self,
        fleet: &ResourceId,
        profiles: &[String],
        query: &ListQuery,
    ) -> Result<Vec<Record>, ServiceError> {
        let mut tx = self.store.begin(Access::Read).await?;
        let mut selecting = Vec::new();
        for name in profiles {
            let profile = fleet.child("clusterMeshProfiles", name);
            match find::<ClusterMeshProfile>(tx.as_mut(), &profile).await? {
                Some(profile) => selecting.push(profile),
                None => return Ok(Vec::new()),
            }
        }
        // Labels of the service's own are in no document, so that the members themselves have to be looked at.
        let every = ListQuery { limit: u32::MAX, ..query.clone() };
        let mut selected = Vec::new();
        for record in tx.list(&every).await? {
            let labels = record.clone().decode::<Member>()?.all_labels();
            if selecting.iter().all(|profile| profile.selects(&labels)) {
                selected.push(record);
            }
        }
        selected.truncate(query.limit as usize);
        Ok(selected)
    }
}

/// The members of the profile's fleet, in the order of creation. Who holds the profile's row can rely on who is
/// connected by it.
async fn members_beside(
    tx: &mut dyn Transaction,
    profile: &ResourceId,
) -> Result<Vec<Stored<Member>>, StoreError> {
    let fleet = profile.parent().expect("a profile is in a fleet");
    tx.children(Kind::Member, &fleet.key()).await?.into_iter().map(Record::decode).collect()
}

/// The members of the profile's fleet, by name, locked so that none is written before the transaction ends.
async fn locked_members_beside(
    tx: &mut dyn Transaction,
    profile: &ResourceId,
) -> Result<Vec<Stored<Member>>, StoreError> {
    let fleet = profile.parent().expect("a profile is in a fleet");
    let found = tx.children(Kind::Member, &fleet.key()).await?;
    let keys: Vec<String> = found.into_iter().map(|record| record.key).collect();
    tx.get_many(Kind::Member, &keys).await?.into_iter().map(Record::decode).collect()
}
