//! Snapshots: an agent pool's version and image at one moment, from which other pools are made.
//!
//! How a pool uses one is the cluster's; here is what one is. Members that are not simulated are kept as sent.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::catalogue::{Catalogue, normal_region};
use super::etag::ETag;
use super::kubernetes_version::KubernetesVersion;
use super::managed_cluster::{AgentPool, ClusterSpec, ManagedCluster, with_envelope};
use super::node_image::{NodeImage, OsType};
use super::refusal::{Code, Refusal};
use super::resource_id::ResourceId;
use super::system_data::SystemData;
use super::tags::Tags;

/// A snapshot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    /// Its id.
    pub id: ResourceId,
    /// Its region, as it was sent.
    pub location: String,
    /// Its tags.
    #[serde(default, skip_serializing_if = "Tags::is_empty")]
    pub tags: Tags,
    /// Members beside `properties` that are kept as sent.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub envelope: Map<String, Value>,
    /// Members of `properties` that are kept as sent.
    pub properties: Map<String, Value>,
    /// The version that the pool's nodes ran.
    pub version: KubernetesVersion,
    /// The image that they ran.
    pub image: NodeImage,
    /// Their system.
    pub os: OsType,
    /// Its SKU.
    pub os_sku: String,
    /// Who made and changed it.
    pub system_data: SystemData,
}

/// Members of `properties` that only the service writes.
const READ_ONLY: &[&str] =
    &["kubernetesVersion", "nodeImageVersion", "osType", "osSku", "vmSize", "enableFIPS"];

/// The pool that a snapshot is asked to be of.
///
/// # Errors
/// `InvalidParameter` where the body names none.
pub fn source_of(spec: &ClusterSpec) -> Result<ResourceId, Refusal> {
    let target = "properties.creationData.sourceResourceId";
    let source = spec.properties.get("creationData").and_then(|data| data.get("sourceResourceId"));
    let source = source.and_then(Value::as_str).and_then(|id| id.parse::<ResourceId>().ok());
    source.filter(|id| id.is_container_service("managedClusters/agentPools")).ok_or_else(|| {
        let message = format!("{target} must be the id of the agent pool to take the snapshot of.");
        Refusal::at(Code::InvalidParameter, target, message)
    })
}

impl Snapshot {
    /// A snapshot of `pool`, one of `cluster`'s, taken now.
    ///
    /// # Errors
    /// `LocationRequired`, `LocationNotAvailable`, or `InvalidParameter` for another region than the cluster's.
    pub fn take(
        id: ResourceId,
        spec: ClusterSpec,
        cluster: &ManagedCluster,
        pool: &AgentPool,
        catalogue: &Catalogue,
        system_data: SystemData,
    ) -> Result<Self, Refusal> {
        let location = spec
            .location
            .ok_or_else(|| Refusal::at(Code::LocationRequired, "location", "A snapshot needs a location."))?;
        catalogue.check_region(&location)?;
        let region = cluster.region();
        if normal_region(&location) != region {
            let message = format!(
                "The agent pool {} is in {region}; so is a snapshot of it, not in {location}.",
                pool.name
            );
            return Err(Refusal::at(Code::InvalidParameter, "location", message));
        }
        let properties = kept(spec.properties);
        let (version, image, os) = (pool.current_version, pool.image.clone(), pool.os);
        let (tags, envelope, os_sku) = (spec.tags, spec.envelope, pool.os_sku.clone());
        Ok(Self { id, location, tags, envelope, properties, version, image, os, os_sku, system_data })
    }

    /// The snapshot after a PUT: all is replaced, but what it is of stays what it was.
    ///
    /// # Errors
    /// `InvalidResourceLocation` for another region, `PropertyChangeNotAllowed` for another pool.
    pub fn replaced(self, spec: ClusterSpec) -> Result<Self, Refusal> {
        let same_region = |location: &String| normal_region(location) == normal_region(&self.location);
        if !spec.location.as_ref().is_none_or(same_region) {
            let message = format!("{} is in {}; it cannot move.", self.id, self.location);
            return Err(Refusal::at(Code::InvalidResourceLocation, "location", message));
        }
        let mut properties = kept(spec.properties);
        if properties.get("creationData").is_some_and(|given| !self.is_of(given)) {
            let message = "A snapshot stays one of the pool it was taken of.";
            return Err(Refusal::at(Code::PropertyChangeNotAllowed, "properties.creationData", message));
        }
        if let Some(creation_data) = self.properties.get("creationData") {
            properties.entry("creationData").or_insert_with(|| creation_data.clone());
        }
        Ok(Self { tags: spec.tags, envelope: spec.envelope, properties, ..self })
    }

    /// Whether that is the pool it was taken of; ids compare without case.
    fn is_of(&self, creation_data: &Value) -> bool {
        let source = |data: &Value| data.get("sourceResourceId")?.as_str()?.parse::<ResourceId>().ok();
        self.properties.get("creationData").and_then(source) == source(creation_data)
    }

    /// Its body.
    pub fn view(&self, etag: ETag) -> Value {
        let mut properties = self.properties.clone();
        properties.entry("snapshotType").or_insert_with(|| json!("NodePool"));
        properties.insert("kubernetesVersion".to_owned(), json!(self.version));
        properties.insert("nodeImageVersion".to_owned(), json!(self.image));
        properties.insert("osType".to_owned(), json!(self.os));
        properties.insert("osSku".to_owned(), json!(self.os_sku));
        let mut body = json!({
            "id": self.id,
            "name": self.id.name(),
            "type": self.id.type_name(),
            "location": self.location,
            "eTag": etag,
            "systemData": self.system_data,
            "properties": properties,
        });
        if !self.tags.is_empty() {
            body["tags"] = json!(self.tags);
        }
        with_envelope(body, &self.envelope)
    }
}

/// The properties that are kept as sent.
fn kept(mut properties: Map<String, Value>) -> Map<String, Value> {
    properties.retain(|member, _| !READ_ONLY.contains(&member.as_str()));
    properties
}
