//! Many clusters at once, Succeeded from the start, joined to a fleet where asked: a few statements for ten thousand.

use crate::domain::bulk_clusters::BulkClusters;
use crate::domain::etag::ETag;
use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::domain::system_data::SystemData;
use crate::service::{CallContext, Service, ServiceError};
use crate::store::{Access, NewRecord, StoreError};

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
        let records: Vec<NewRecord> =
            clusters.iter().map(|cluster| NewRecord::of(cluster, ETag(self.ids.next()))).collect();
        tx.insert(&records).await.map_err(taken)?;
        self.commit(tx).await?;
        Ok(BulkResult { clusters: clusters.len(), fleet: bulk.fleet })
    }
}

fn taken(error: StoreError) -> ServiceError {
    match error {
        StoreError::Exists { key } => {
            let message = format!("{key} exists already; nothing was made. Choose another namePrefix.");
            Refusal::at(Code::OperationNotAllowed, "namePrefix", message).into()
        }
        other => other.into(),
    }
}
