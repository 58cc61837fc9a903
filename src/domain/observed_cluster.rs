//! A cluster as a run sees it, and what a run asks it to do: the words that runs and clusters share.
//!
//! Nothing of how clusters are kept or simulated may come in here, so that a run would work as well over real ones.
//! To let runs judge by something more, add it to [`ObservedCluster`] and fill it where clusters are observed.

use serde::{Deserialize, Serialize};

use super::kubernetes_version::KubernetesVersion;
use super::node_image::{NodeImage, OsType};
use super::time::Timestamp;
use super::window::MaintenanceWindow;

/// Whether a cluster runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "ARM's own names")]
pub enum PowerState {
    #[default]
    Running,
    Stopped,
}

/// A cluster at one instant.
#[derive(Clone, Debug, PartialEq)]
pub struct ObservedCluster {
    /// Its region: lower case, no blanks.
    pub location: String,
    /// The version its control plane runs.
    pub control_plane: KubernetesVersion,
    /// Its pools, in the order of the cluster's body.
    pub pools: Vec<ObservedPool>,
    /// Whether it runs.
    pub power: PowerState,
    /// What keeps it from taking an upgrade now.
    pub busy: Option<Busy>,
    /// Whether it is on the long-term support plan.
    pub long_term_support: bool,
    /// Whether its nodes are provisioned automatically.
    pub node_auto_provisioning: bool,
    /// The window for Kubernetes upgrades (`aksManagedAutoUpgradeSchedule`).
    pub auto_upgrade_window: Option<MaintenanceWindow>,
    /// The window for node image upgrades (`aksManagedNodeOSUpgradeSchedule`).
    pub node_os_window: Option<MaintenanceWindow>,
}

/// A pool of an [`ObservedCluster`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservedPool {
    /// Its name.
    pub name: String,
    /// The version its nodes run.
    pub version: KubernetesVersion,
    /// The image its nodes run.
    pub image: NodeImage,
    /// Their system.
    pub os: OsType,
    /// Whether its nodes are made from a snapshot.
    pub from_snapshot: bool,
}

/// Another operation under way on a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Busy {
    /// In words that end a sentence: "an upgrade of the cluster".
    pub operation: String,
    /// When it ends, where that is known.
    pub until: Option<Timestamp>,
}

/// What a run asks one cluster to do. Parts that are absent stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UpgradeRequest {
    /// The control plane's new version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control_plane: Option<KubernetesVersion>,
    /// The pools to upgrade, in the order in which they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pools: Vec<PoolUpgrade>,
    /// Whether the images are security patches, which a pool may take without new nodes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub security_patch: bool,
}

/// What an [`UpgradeRequest`] asks of one pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PoolUpgrade {
    /// The pool.
    pub name: String,
    /// Its nodes' new version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<KubernetesVersion>,
    /// Its nodes' new image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<NodeImage>,
    /// Whether the pool leaves its snapshot (Consistent and Custom images do that).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub drop_snapshot: bool,
}
