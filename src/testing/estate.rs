//! A fleet with members on clusters, written straight into a store: the ground on which tests and benchmarks of runs
//! stand, without going through the use cases that they do not measure.

use serde_json::{Value, json};

use crate::clock::RandomIds;
use crate::domain::catalogue::Catalogue;
use crate::domain::etag::ETag;
use crate::domain::fleet::Fleet;
use crate::domain::ids::IdSource;
use crate::domain::lifecycle::Lifecycle;
use crate::domain::managed_cluster::{Behavior, create, read_cluster};
use crate::domain::member::Member;
use crate::domain::resource_id::ResourceId;
use crate::domain::system_data::{Principal, SystemData};
use crate::domain::time::Timestamp;
use crate::store::{Access, NewRecord, Store};

/// A fleet to be made.
#[derive(Clone, Debug)]
pub struct Estate {
    /// The fleet's name; clusters and members begin with it.
    pub fleet: String,
    /// Members, one cluster each.
    pub members: usize,
    /// The groups of members, dealt round.
    pub groups: Vec<String>,
    /// The regions of clusters, dealt round.
    pub regions: Vec<String>,
    /// How clusters behave.
    pub behavior: Behavior,
}

/// The subscription in which estates are.
pub const SUBSCRIPTION: &str = "11111111-2222-3333-4444-555555555555";

impl Estate {
    /// The fleet's id.
    pub fn id(&self) -> ResourceId {
        ResourceId::resource_group(SUBSCRIPTION, "rg").child("fleets", &self.fleet)
    }

    /// Writes it all at once; returns the fleet's id.
    ///
    /// # Panics
    /// Where storage fails.
    pub async fn seed(&self, store: &dyn Store, now: Timestamp) -> ResourceId {
        let by = SystemData::created(&Principal::anonymous(), now);
        let fleet = Fleet {
            id: self.id(),
            location: "westeurope".to_owned(),
            tags: Default::default(),
            identity: None,
            hub_profile: None,
            lifecycle: Lifecycle::succeeded(),
            system_data: by.clone(),
        };
        let mut records = vec![NewRecord::of(&fleet, ETag(RandomIds.next()))];
        for index in 0..self.members {
            records.extend(self.member(index, &by, now));
        }
        let mut tx = store.begin(Access::Write).await.expect("the store is open");
        tx.insert(&records).await.expect("the estate is new");
        tx.commit(false).await.expect("the store is open");
        self.id()
    }

    fn member(&self, index: usize, by: &SystemData, now: Timestamp) -> [NewRecord; 2] {
        let name = format!("{}-{index}", self.fleet);
        let cluster = ResourceId::resource_group(SUBSCRIPTION, "rg").child("managedClusters", &name);
        let region = dealt(&self.regions, index);
        let body = json!({
            "location": region,
            "properties": {
                "kubernetesVersion": "1.36.1",
                "agentPoolProfiles": [{"name": "system", "mode": "System", "count": 3, "osType": "Linux"}],
            },
        });
        let Value::Object(body) = body else { unreachable!("it is an object") };
        let spec = read_cluster(body).expect("the body is good");
        let mut made = create(cluster.clone(), spec, Catalogue::built_in(), by.clone(), now, &RandomIds)
            .expect("it can be made");
        made.behavior = Some(self.behavior.clone());
        let member = Member {
            id: self.id().child("members", &name),
            cluster_resource_id: cluster,
            cluster_location: Some(region.to_owned()),
            group: Some(dealt(&self.groups, index).to_owned()),
            labels: Default::default(),
            mesh: None,
            lifecycle: Lifecycle::succeeded(),
            system_data: by.clone(),
        };
        [NewRecord::of(&made, ETag(RandomIds.next())), NewRecord::of(&member, ETag(RandomIds.next()))]
    }
}

fn dealt(list: &[String], index: usize) -> &str {
    &list[index % list.len()]
}
