//! Many clusters at once: reads what to make, and deals regions, versions, pools, windows, groups and labels to them.
//!
//! Deals are round-robin or by weight, and always the same for the same request. How clusters are stored and joined to
//! a fleet is not decided here. To deal something new, give it a [`Deck`].

mod deck;

pub use deck::{Deck, MAX_WEIGHT};

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::catalogue::Catalogue;
use super::etag::ETag;
use super::ids::IdSource;
use super::labels::check_labels;
use super::managed_cluster::{
    ConfigurationName, MaintenanceConfiguration, MaintenanceSpec, ManagedCluster, create, read_cluster,
    read_maintenance_window,
};
use super::names::{check_child_name, check_cluster_name, check_resource_group_name, check_subscription_id};
use super::node_image::NodeImage;
use super::refusal::{Code, Faults, Refusal};
use super::resource_id::ResourceId;
use super::system_data::SystemData;
use super::time::Timestamp;

/// Clusters that one request may make.
pub const MAX_COUNT: u64 = 100_000;

/// What to make.
#[derive(Clone, Debug)]
pub struct BulkClusters {
    /// The group they are in.
    pub group: ResourceId,
    /// Their names, up to the number.
    pub name_prefix: String,
    /// How many.
    pub count: usize,
    /// The fleet they join.
    pub fleet: Option<ResourceId>,
    /// The update groups of the members.
    pub groups: Deck<String>,
    /// The labels of the members.
    pub labels: Deck<BTreeMap<String, String>>,
    regions: Deck<String>,
    versions: Deck<String>,
    pools: Deck<Vec<Value>>,
    windows: Deck<Value>,
}

/// The members of a request, in the order in which messages list them.
const MEMBERS: [&str; 11] = [
    "subscriptionId",
    "resourceGroup",
    "namePrefix",
    "count",
    "regions",
    "kubernetesVersion",
    "pools",
    "maintenanceWindow",
    "fleet",
    "groups",
    "labels",
];

impl BulkClusters {
    /// Reads a request; regions that are absent are all of `catalogue`'s.
    ///
    /// # Errors
    /// Every member that is missing, unknown or can't be.
    pub fn read(body: &Value, catalogue: &Catalogue) -> Result<Self, Refusal> {
        let Some(body) = body.as_object() else {
            return Err(Refusal::new(Code::InvalidRequestContent, "The body is an object."));
        };
        let mut faults = Faults::new();
        for member in body.keys().filter(|member| !MEMBERS.contains(&member.as_str())) {
            let message = format!("There is no member '{member}'; those are {}.", MEMBERS.join(", "));
            faults.add(Code::InvalidParameter, member, message);
        }
        let subscription = required(body, "subscriptionId", check_subscription_id, &mut faults);
        let group = required(body, "resourceGroup", check_resource_group_name, &mut faults);
        let count = body.get("count").and_then(Value::as_u64).filter(|count| (1..=MAX_COUNT).contains(count));
        if count.is_none() {
            let message = format!("count is required: a whole number from 1 to {MAX_COUNT}.");
            faults.add(Code::InvalidParameter, "count", message);
        }
        let count = usize::try_from(count.unwrap_or(1)).unwrap_or(1);
        let check = |prefix: &str| check_cluster_name(&format!("{prefix}{}", count - 1));
        let name_prefix = required(body, "namePrefix", check, &mut faults);
        let mut regions = Deck::read(body, "regions", text, &mut faults);
        for region in regions.cards().filter(|region| !catalogue.is_region(region)) {
            let message =
                format!("'{region}' is not a region; those are {}.", catalogue.regions().join(", "));
            faults.add(Code::InvalidParameter, "regions", message);
        }
        if regions.is_empty() {
            regions = Deck::even(catalogue.regions().into_iter().map(str::to_owned));
        }
        let group_id = ResourceId::resource_group(subscription, group);
        let fleet = read_fleet(body, &group_id, &mut faults);
        if fleet.is_some()
            && let Err(problem) = check_child_name(&format!("{name_prefix}{}", count - 1))
        {
            faults.add(Code::InvalidResourceName, "namePrefix", problem);
        }
        let groups = Deck::read(body, "groups", text, &mut faults);
        for problem in groups.cards().filter_map(|group| check_child_name(group).err()) {
            faults.add(Code::InvalidParameter, "groups", problem);
        }
        let labels = Deck::read(body, "labels", labels, &mut faults);
        for (key, problem) in labels.cards().flat_map(check_labels) {
            faults.add(Code::InvalidParameter, format!("labels.{key}"), problem);
        }
        let homeless = ["groups", "labels"].into_iter().filter(|member| body.contains_key(*member));
        for member in homeless.filter(|_| body.get("fleet").is_none_or(Value::is_null)) {
            let message = format!("{member} are given to members: name the fleet that they join.");
            faults.add(Code::InvalidParameter, member, message);
        }
        let versions = Deck::read(body, "kubernetesVersion", text, &mut faults);
        let pools = read_pools(body, &mut faults);
        let windows = Deck::read(body, "maintenanceWindow", |card| Some(card.clone()), &mut faults);
        faults.finish()?;
        Ok(Self {
            group: group_id,
            name_prefix,
            count,
            fleet,
            groups,
            labels,
            regions,
            versions,
            pools,
            windows,
        })
    }

    /// The name of the cluster (and member) with number `i`.
    pub fn name(&self, i: usize) -> String {
        format!("{}{i}", self.name_prefix)
    }

    /// All clusters, as they are when made. Each combination that was dealt is worked out once.
    ///
    /// # Errors
    /// What the domain finds wrong with a combination.
    pub fn make(
        &self,
        catalogue: &Catalogue,
        system_data: &SystemData,
        now: Timestamp,
        ids: &dyn IdSource,
    ) -> Result<Vec<ManagedCluster>, Refusal> {
        let mut models: BTreeMap<[Option<usize>; 4], ManagedCluster> = BTreeMap::new();
        let mut clusters = Vec::with_capacity(self.count);
        for i in 0..self.count {
            let dealt =
                [self.regions.dealt(i), self.versions.dealt(i), self.pools.dealt(i), self.windows.dealt(i)];
            let id = self.group.child("managedClusters", &self.name(i));
            let mut cluster = match models.get(&dealt) {
                Some(model) => ManagedCluster { id, ..model.clone() },
                None => {
                    let made = self.make_one(i, id, catalogue, system_data, now, ids)?;
                    models.insert(dealt, made.clone());
                    made
                }
            };
            cluster.pools.iter_mut().for_each(|pool| pool.etag = ETag(ids.next()));
            cluster.maintenance.values_mut().for_each(|one| one.etag = ETag(ids.next()));
            clusters.push(cluster);
        }
        Ok(clusters)
    }

    fn make_one(
        &self,
        i: usize,
        id: ResourceId,
        catalogue: &Catalogue,
        system_data: &SystemData,
        now: Timestamp,
        ids: &dyn IdSource,
    ) -> Result<ManagedCluster, Refusal> {
        let pools =
            self.pools.deal(i).cloned().unwrap_or_else(|| vec![json!({"name": "nodepool1", "count": 3})]);
        let pools = completed(pools);
        let version = self.versions.deal(i).cloned();
        let Value::Object(body) = json!({
            "location": self.regions.deal(i),
            "properties": { "kubernetesVersion": version, "agentPoolProfiles": pools },
        }) else {
            return Err(Refusal::new(Code::InvalidRequestContent, "The body is an object."));
        };
        let mut cluster = create(id, read_cluster(body)?, catalogue, system_data.clone(), now, ids)?;
        for (pool, asked) in cluster.pools.iter_mut().zip(&pools) {
            let Some(image) = asked.get("nodeImageVersion").and_then(Value::as_str) else { continue };
            pool.image = image_of(image, &pool.image.family)
                .map_err(|problem| Refusal::at(Code::InvalidParameter, "pools", problem))?;
        }
        if let Some(window) = self.windows.deal(i) {
            add_window(&mut cluster, window, now, ids)?;
        }
        Ok(cluster)
    }
}

fn add_window(
    cluster: &mut ManagedCluster,
    window: &Value,
    now: Timestamp,
    ids: &dyn IdSource,
) -> Result<(), Refusal> {
    let mut body = Map::new();
    body.insert("properties".to_owned(), json!({ "maintenanceWindow": window }));
    for name in [ConfigurationName::AutoUpgrade, ConfigurationName::NodeOs] {
        let MaintenanceSpec { window, envelope, properties } =
            read_maintenance_window(name, body.clone(), None, now)?;
        let (etag, system_data) = (ETag(ids.next()), cluster.system_data.clone());
        let one = MaintenanceConfiguration { etag, window, envelope, properties, system_data };
        cluster.maintenance.insert(name, one);
    }
    Ok(())
}

/// An image named in full, or by its version alone.
fn image_of(text: &str, family: &str) -> Result<NodeImage, String> {
    let full = if text.contains('-') { text.to_owned() } else { format!("{family}-{text}") };
    let image: NodeImage = full.parse().map_err(|error: super::node_image::ImageError| error.to_string())?;
    if image.family == family { Ok(image) } else { Err(format!("'{text}' is not an image of {family}")) }
}

/// Pools with the names and the System pool that a short request leaves out.
fn completed(mut pools: Vec<Value>) -> Vec<Value> {
    let is_windows =
        |pool: &Value| pool["osType"].as_str().is_some_and(|os| os.eq_ignore_ascii_case("Windows"));
    for (i, pool) in pools.iter_mut().enumerate().filter(|(_, pool)| pool.get("name").is_none()) {
        let kind = if is_windows(pool) { "win" } else { "nodepool" };
        if let Some(pool) = pool.as_object_mut() {
            pool.insert("name".to_owned(), json!(format!("{kind}{}", i + 1)));
        }
    }
    let has_system = pools.iter().any(|pool| pool["mode"] == "System");
    let first = pools.iter_mut().find(|pool| !is_windows(pool));
    if let Some(first) = first.filter(|_| !has_system).and_then(Value::as_object_mut) {
        first.insert("mode".to_owned(), json!("System"));
    }
    pools
}

/// `pools` is one list of pools, dealt to all; or a list of such lists, with or without weights.
fn read_pools(body: &Map<String, Value>, faults: &mut Faults) -> Deck<Vec<Value>> {
    let plain = |card: &Value| card.is_object() && card.get("value").is_none();
    match body.get("pools").and_then(Value::as_array) {
        Some(pools) if !pools.is_empty() && pools.iter().all(plain) => Deck::even([pools.clone()]),
        _ => Deck::read(
            body,
            "pools",
            |card| match card {
                Value::Array(pools) => Some(pools.clone()),
                Value::Object(_) => Some(vec![card.clone()]),
                _ => None,
            },
            faults,
        ),
    }
}

fn read_fleet(body: &Map<String, Value>, group: &ResourceId, faults: &mut Faults) -> Option<ResourceId> {
    let fleet = body.get("fleet").filter(|fleet| !fleet.is_null())?;
    let id = match fleet.as_str() {
        Some(name) if !name.is_empty() && !name.contains('/') => Some(group.child("fleets", name)),
        Some(id) => id.parse().ok().filter(|id: &ResourceId| id.is_container_service("fleets")),
        None => None,
    };
    if id.is_none() {
        faults.add(Code::InvalidParameter, "fleet", "fleet is a fleet's id, or its name in the same group.");
    }
    id
}

fn required(
    body: &Map<String, Value>,
    member: &str,
    check: impl Fn(&str) -> Result<(), String>,
    faults: &mut Faults,
) -> String {
    let Some(text) = body.get(member).and_then(Value::as_str) else {
        faults.add(Code::RequiredPropertyMissing, member, format!("{member} is required: a text."));
        return String::new();
    };
    if let Err(problem) = check(text) {
        faults.add(Code::InvalidParameter, member, problem);
    }
    text.to_owned()
}

fn text(card: &Value) -> Option<String> {
    card.as_str().map(str::to_owned)
}

fn labels(card: &Value) -> Option<BTreeMap<String, String>> {
    serde_json::from_value(card.clone()).ok()
}

#[cfg(test)]
mod tests;
