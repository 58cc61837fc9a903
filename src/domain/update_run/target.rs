//! What a run upgrades its members to (the engine: plan; the fleet resources: update run).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::domain::catalogue::Catalogue;
use crate::domain::kubernetes_version::KubernetesVersion;
use crate::domain::node_image::NodeImage;
use crate::domain::observed_cluster::ObservedCluster;
use crate::domain::time::Timestamp;

/// How much of a cluster is upgraded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UpgradeType {
    /// Control plane, then every pool's version and image.
    Full,
    /// The pools' images only.
    NodeImageOnly,
    /// The control plane only.
    ControlPlaneOnly,
}

/// Which node images a cluster gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum ImageSelection {
    /// The newest in the cluster's region when that cluster starts.
    Latest,
    /// For each family the newest that all of the run's regions had when the run first started.
    Consistent {
        /// Family to image: a preview until the first start, then fixed.
        selected: BTreeMap<String, NodeImage>,
        /// Whether the first start has fixed them.
        fixed: bool,
    },
    /// The given ones.
    Custom {
        /// Family to image.
        images: BTreeMap<String, NodeImage>,
    },
}

/// What every member of a run is upgraded to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// How much is upgraded.
    pub upgrade: UpgradeType,
    /// The version, resolved at creation; none for [`UpgradeType::NodeImageOnly`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<KubernetesVersion>,
    /// The images.
    pub images: ImageSelection,
    /// Whether an auto-upgrade profile made the run: then a cluster more than one minor behind is skipped, not failed.
    #[serde(default)]
    pub by_auto_upgrade: bool,
    /// Whether the run belongs to the SecurityPatch channel: Windows pools are left alone.
    #[serde(default)]
    pub security_patch: bool,
}

impl Target {
    /// The version, for the upgrade types that have one.
    pub fn control_plane(&self) -> Option<KubernetesVersion> {
        self.version.filter(|_| self.upgrade != UpgradeType::NodeImageOnly)
    }

    /// Whether pools are upgraded at all.
    pub fn upgrades_pools(&self) -> bool {
        self.upgrade != UpgradeType::ControlPlaneOnly
    }
}

/// What Consistent selects: for each family of any pool of `clusters` the newest image that all their regions have now.
/// A family of which they have none in common is absent.
pub fn consistent_images<'a>(
    catalogue: &Catalogue,
    clusters: impl IntoIterator<Item = &'a ObservedCluster>,
    now: Timestamp,
) -> BTreeMap<String, NodeImage> {
    let (mut regions, mut families) = (BTreeSet::new(), BTreeSet::new());
    for cluster in clusters {
        regions.insert(cluster.location.clone());
        families.extend(cluster.pools.iter().map(|pool| pool.image.family.as_str()));
    }
    let newest = |family: &str| catalogue.newest_common_image(family, &regions, now);
    families.into_iter().filter_map(|family| Some((family.to_owned(), newest(family)?))).collect()
}
