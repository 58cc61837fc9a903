//! A long-running operation as clients poll it (the ARM protocol: long-running operations).
//!
//! The record is durable before the answer that names it is sent. What an operation on a managed cluster still has
//! to do stands in `timeline`; everything else ends at one instant.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::lifecycle::OperationError;
use super::resource_id::ResourceId;
use super::time::Timestamp;
use crate::domain::resource_id::CONTAINER_SERVICE;

/// How an operation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "ARM's own names")]
pub enum OperationStatus {
    InProgress,
    Succeeded,
    Failed,
    Canceled,
}

/// What an operation does to its resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// Creates it.
    Create,
    /// Replaces or changes it.
    Update,
    /// Removes it.
    Delete,
    /// Starts a stopped cluster.
    Start,
    /// Stops a cluster.
    Stop,
    /// Aborts the operation under way on a cluster.
    Abort,
    /// Upgrades a cluster or pool.
    Upgrade,
}

/// One operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// Its own id: `SUB/providers/Microsoft.ContainerService/locations/{region}/operations/{guid}`.
    pub id: ResourceId,
    /// The GUID in the id.
    pub guid: Uuid,
    /// What it works on.
    pub resource: ResourceId,
    /// What it does.
    pub action: Action,
    /// How it stands.
    pub status: OperationStatus,
    /// Simulated.
    pub start_time: Timestamp,
    /// Simulated; once it has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_time: Option<Timestamp>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<OperationError>,
    /// Real time of the start: records are kept for 24 hours of it.
    pub recorded_at: Timestamp,
    /// The key of the update run that asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
}

impl Operation {
    /// The id of operation `guid` on `resource`, polled in `region`.
    pub fn id_of(resource: &ResourceId, region: &str, guid: Uuid) -> ResourceId {
        let mut id = ResourceId::subscription(resource.subscription_id()).child("locations", region);
        id = id.child("operations", &guid.to_string());
        debug_assert_eq!(id.namespace(), Some(CONTAINER_SERVICE));
        id
    }

    /// The operation after ending `now`.
    #[must_use]
    pub fn ended(self, status: OperationStatus, error: Option<OperationError>, now: Timestamp) -> Self {
        Self { status, error, end_time: Some(now), ..self }
    }
}
