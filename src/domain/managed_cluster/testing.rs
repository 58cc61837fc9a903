//! A cluster for the tests of this module.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};
use uuid::Uuid;

use super::{ManagedCluster, read_cluster};
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::IdSource;
use crate::domain::refusal::Refusal;
use crate::domain::system_data::{Principal, SystemData};

/// The instant at which tests play.
pub(crate) const NOW: &str = "2026-11-30T00:00:00Z";

/// Ids in order.
#[derive(Debug, Default)]
pub(crate) struct Ids(AtomicU64);

impl IdSource for Ids {
    fn next(&self) -> Uuid {
        Uuid::from_u128(u128::from(self.0.fetch_add(1, Ordering::Relaxed)) + 1)
    }
}

/// A cluster of 1.36.2 with three pools of 3, 25 and 1 nodes.
pub(crate) fn body() -> Value {
    json!({
        "location": "eastus",
        "properties": {
            "kubernetesVersion": "1.36.2",
            "dnsPrefix": "dns",
            "agentPoolProfiles": [
                {"name": "sys", "mode": "System", "count": 3, "osType": "Linux"},
                {"name": "work", "count": 25, "osType": "Linux", "orchestratorVersion": "1.36.2"},
                {"name": "win", "count": 1, "osType": "Windows", "upgradeSettings": {"maxSurge": "1"}},
            ],
        },
    })
}

/// What a PUT of this body makes.
pub(crate) fn create(body: &Value) -> Result<ManagedCluster, Refusal> {
    let subscription = "00000000-0000-0000-0000-000000000001";
    let id = format!(
        "/subscriptions/{subscription}/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/c1"
    );
    let now = NOW.parse().unwrap();
    let system_data = SystemData::created(&Principal::anonymous(), now);
    let spec = read_cluster(body.as_object().unwrap().clone())?;
    super::create(id.parse().unwrap(), spec, Catalogue::built_in(), system_data, now, &Ids::default())
}
