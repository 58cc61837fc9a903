//! Many clusters at once, Succeeded from the start, joined to a fleet where asked: a few statements for ten thousand.

use crate::domain::bulk_clusters::BulkClusters;
use crate::domain::etag::ETag;
use crate::domain::fleet::Fleet;
use crate::domain::lifecycle::Lifecycle;
use crate::domain::managed_cluster::ManagedCluster;
use crate::domain::member::Member;
use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::domain::system_data::SystemData;
use crate::service::resource::find;
use crate::service::{CallContext, Service, ServiceError};
use crate::store::{Access, Kind, NewRecord, StoreError, Transaction};

/// What was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BulkResult {
    /// How many clusters.
    pub clusters: usize,
    /// The fleet that they joined.
    pub fleet: Option<ResourceId>,
}

impl Service {
    /// Makes clusters, and members where a fleet is named.
    ///
    /// # Errors
    /// What `decode` and the domain find wrong with the request; `OperationNotAllowed` where one of the names is
    /// taken; storage's.
    pub async fn make_clusters(
        &self,
        context: &CallContext,
        body: &serde_json::Value,
    ) -> Result<BulkResult, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let catalogue = self.catalogue_in(tx.as_mut()).await?;
        let bulk = BulkClusters::read(body, &catalogue)?;
        let now = self.clock.now();
        let system_data = SystemData::created(&context.principal, now);
        let clusters = bulk.make(&catalogue, &system_data, now, self.ids.as_ref())?;
        let first = bulk.group.child("managedClusters", &bulk.name(0));
        let group = self.group_around(tx.as_mut(), &first).await?;
        let location = clusters.first().map_or("", |cluster| &cluster.location);
        self.writable_group(tx.as_mut(), context, &first, group, location).await?;
        let records: Vec<NewRecord> =
            clusters.iter().map(|cluster| NewRecord::of(cluster, ETag(self.ids.next()))).collect();
        tx.insert(&records).await.map_err(taken)?;
        if let Some(fleet) = &bulk.fleet {
            self.join(tx.as_mut(), &bulk, fleet, &clusters, &system_data).await?;
        }
        self.commit(tx).await?;
        Ok(BulkResult { clusters: clusters.len(), fleet: bulk.fleet })
    }
}

impl Service {
    /// Joins all clusters to a fleet, under their own names.
    async fn join(
        &self,
        tx: &mut dyn Transaction,
        bulk: &BulkClusters,
        fleet: &ResourceId,
        clusters: &[ManagedCluster],
        system_data: &SystemData,
    ) -> Result<(), ServiceError> {
        let stored = find::<Fleet>(tx, fleet).await?.ok_or_else(|| ServiceError::parent_not_found(fleet))?;
        self.check_children_writable(tx, &stored).await?;
        let members = tx.count(Kind::Member, &fleet.key()).await? + clusters.len() as u64;
        let most = self.settings.max_members;
        if members > u64::from(most) {
            let message = format!("{} would have {members} members; a fleet has at most {most}.", stored.id);
            return Err(Refusal::at(Code::QuotaExceeded, "count", message).into());
        }
        let member = |(i, cluster): (usize, &ManagedCluster)| Member {
            id: stored.id.child("members", &bulk.name(i)),
            cluster_resource_id: cluster.id.clone(),
            cluster_location: Some(cluster.region()),
            group: bulk.groups.deal(i).cloned(),
            labels: bulk.labels.deal(i).cloned().unwrap_or_default(),
            mesh: None,
            lifecycle: Lifecycle::succeeded(),
            system_data: system_data.clone(),
        };
        let members = clusters.iter().enumerate().map(member);
        let records: Vec<NewRecord> =
            members.map(|member| NewRecord::of(&member, ETag(self.ids.next()))).collect();
        tx.insert(&records).await.map_err(taken)
    }
}

fn taken(error: StoreError) -> ServiceError {
    match error {
        StoreError::Exists { key } => {
            // A key is an id in lower case.
            let id = key.parse::<ResourceId>().map_or(key, |id| id.to_string());
            let message = format!("{id} exists already; nothing was made. Choose another namePrefix.");
            Refusal::at(Code::OperationNotAllowed, "namePrefix", message).into()
        }
        other => other.into(),
    }
}
