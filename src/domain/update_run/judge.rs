//! What becomes of one member when a slot is free for it (the engine: judging). The first rule that applies counts.
//!
//! A rule is a function from [`Case`] to a verdict, if it has one; [`judge`] asks them in order. To add a rule, write
//! its function and put it at its place in [`judge`].

use std::collections::BTreeMap;

use super::observe::Seen;
use super::state::{Explanation, PendingReason};
use super::target::{ImageSelection, Target, UpgradeType};
use crate::domain::catalogue::{Availability, Catalogue, Support};
use crate::domain::kubernetes_version::{Minor, minors_ahead};
use crate::domain::node_image::{NodeImage, OsType};
use crate::domain::observed_cluster::{
    ObservedCluster, ObservedPool, PoolUpgrade, PowerState, UpgradeRequest,
};
use crate::domain::time::Timestamp;
use crate::domain::window::{MaintenanceWindow, WindowState};

/// What becomes of a member.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// There is nothing to do for it, or nothing that can be done.
    Skip(String),
    /// It cannot be upgraded, and somebody has to look.
    Fail(Explanation),
    /// It can't be upgraded now.
    Wait(PendingReason),
    /// It starts.
    Start {
        /// What its cluster is asked to do.
        request: UpgradeRequest,
        /// What is left out, and why, for the member's message.
        note: Option<String>,
    },
}

/// Judges a member as `seen` now.
pub fn judge(target: &Target, seen: &Seen, catalogue: &Catalogue, now: Timestamp) -> Verdict {
    let cluster = match seen {
        Seen::Cluster(cluster) => cluster,
        Seen::LeftFleet => return Verdict::Skip("The cluster has left the fleet.".to_owned()),
        Seen::Unsupported => {
            return Verdict::Skip("Clusters of this kind are not upgraded by update runs.".to_owned());
        }
        Seen::ClusterMissing => {
            return Verdict::Fail(Explanation::new("ClusterNotFound", "The cluster no longer exists."));
        }
    };
    let images = wanted_images(target, cluster, catalogue, now);
    let case = Case { target, cluster, catalogue, now, images: &images };
    let work = case.work();
    case.skipped(&work)
        .map(Verdict::Skip)
        .or_else(|| case.failed().map(Verdict::Fail))
        .or_else(|| case.waits(&work).map(Verdict::Wait))
        .or_else(|| case.stopped().map(Verdict::Fail))
        .unwrap_or(Verdict::Start { note: work.note(), request: work.request })
}

/// The images that the pools' families are to have; a family that is missing has no target.
fn wanted_images(
    target: &Target,
    cluster: &ObservedCluster,
    catalogue: &Catalogue,
    now: Timestamp,
) -> BTreeMap<String, NodeImage> {
    match &target.images {
        ImageSelection::Consistent { selected, .. } => selected.clone(),
        ImageSelection::Custom { images } => images.clone(),
        ImageSelection::Latest => cluster
            .pools
            .iter()
            .filter_map(|pool| catalogue.newest_image(&pool.image.family, &cluster.location, now))
            .map(|image| (image.family.clone(), image))
            .collect(),
    }
}

struct Case<'a> {
    target: &'a Target,
    cluster: &'a ObservedCluster,
    catalogue: &'a Catalogue,
    now: Timestamp,
    images: &'a BTreeMap<String, NodeImage>,
}

/// What there is to do on a cluster, and which pools are left alone.
#[derive(Debug, Default)]
struct Work {
    request: UpgradeRequest,
    /// Pools without a given family (Custom).
    without_target: Vec<String>,
    /// Pools already at or ahead of the target.
    there: Vec<String>,
}

impl Work {
    fn is_nothing(&self) -> bool {
        self.request.control_plane.is_none() && self.request.pools.is_empty()
    }

    fn note(&self) -> Option<String> {
        let mut parts = Vec::new();
        if !self.without_target.is_empty() {
            parts.push(format!(
                "Left as they are, no image of their family is given: {}.",
                self.without_target.join(", ")
            ));
        }
        if !self.there.is_empty() {
            parts.push(format!("Already there: {}.", self.there.join(", ")));
        }
        (!parts.is_empty()).then(|| parts.join(" "))
    }
}

impl Case<'_> {
    fn work(&self) -> Work {
        let behind = self.target.control_plane().filter(|version| self.cluster.control_plane < *version);
        let mut work = Work::default();
        work.request.control_plane = behind;
        work.request.security_patch = self.target.security_patch;
        if self.target.upgrades_pools() {
            for pool in &self.cluster.pools {
                self.add_pool(pool, &mut work);
            }
        }
        work
    }

    fn add_pool(&self, pool: &ObservedPool, work: &mut Work) {
        let is_custom = matches!(self.target.images, ImageSelection::Custom { .. });
        let passed_over = self.target.security_patch && pool.os == OsType::Windows;
        let image = self.images.get(&pool.image.family);
        if passed_over || (is_custom && image.is_none()) {
            work.without_target.push(pool.name.clone());
            return;
        }
        // With Latest a pool made from a snapshot keeps its image, so that it counts as there.
        let keeps_image = pool.from_snapshot && self.target.images == ImageSelection::Latest;
        let image = image.filter(|image| !keeps_image && pool.image.version < image.version).cloned();
        let version = self.target.control_plane().filter(|version| pool.version < *version);
        if image.is_none() && version.is_none() {
            work.there.push(pool.name.clone());
            return;
        }
        let drop_snapshot = pool.from_snapshot && image.is_some();
        work.request.pools.push(PoolUpgrade { name: pool.name.clone(), version, image, drop_snapshot });
    }

    /// Rule 1: there already, no target for a family, a kind that can't be upgraded, too far behind for auto-upgrade.
    fn skipped(&self, work: &Work) -> Option<String> {
        if self.cluster.node_auto_provisioning && self.target.upgrades_pools() {
            return Some(
                "The cluster's nodes are auto-provisioned: only its control plane can be upgraded."
                    .to_owned(),
            );
        }
        if let Some(family) = self.family_without_target() {
            return Some(format!(
                "No node image of family {family} was selected when the run started, so the cluster cannot be \
                 upgraded consistently."
            ));
        }
        if !work.without_target.is_empty() && work.without_target.len() == self.cluster.pools.len() {
            return Some(
                "No node pool of the cluster has an image family that the run gives a version of.".to_owned(),
            );
        }
        if work.is_nothing() && self.image_missing().is_none() {
            return Some("The cluster is already at the target, or ahead of it.".to_owned());
        }
        if self.target.by_auto_upgrade && self.minors_behind() > 1 {
            return Some(format!(
                "The control plane is at {}, {} minor versions behind: auto-upgrade never jumps a minor version. \
                 Upgrade it by an update run first.",
                self.cluster.control_plane,
                self.minors_behind()
            ));
        }
        None
    }

    fn family_without_target(&self) -> Option<&str> {
        let consistent = matches!(self.target.images, ImageSelection::Consistent { .. });
        let mut families = self.cluster.pools.iter().map(|pool| pool.image.family.as_str());
        families
            .find(|family| consistent && self.target.upgrades_pools() && !self.images.contains_key(*family))
    }

    fn minors_behind(&self) -> i64 {
        self.target.control_plane().map_or(0, |version| {
            minors_ahead(version.minor_version(), self.cluster.control_plane.minor_version())
        })
    }

    /// Rule 2: an upgrade that is not allowed.
    fn failed(&self) -> Option<Explanation> {
        if self.minors_behind() > 1 {
            return Some(Explanation::new(
                "OperationNotAllowed",
                format!(
                    "The control plane is at {} and cannot jump to {}: a cluster is upgraded one minor version at a \
                     time.",
                    self.cluster.control_plane,
                    self.target.control_plane().map(|version| version.to_string()).unwrap_or_default()
                ),
            ));
        }
        let minor = self.minor_it_needs();
        match self.catalogue.support(minor, self.now) {
            Support::Community => None,
            Support::LongTermOnly if self.cluster.long_term_support => None,
            Support::LongTermOnly => Some(Explanation::new(
                "LongTermSupportRequired",
                format!(
                    "Kubernetes {minor} is under long-term support only. Enable it on the cluster: supportPlan \
                     AKSLongTermSupport with tier Premium."
                ),
            )),
            Support::Ended => Some(Explanation::new(
                "KubernetesVersionNotSupported",
                format!(
                    "Kubernetes {minor} is no longer supported. Upgrade the cluster to a supported minor version."
                ),
            )),
        }
    }

    fn minor_it_needs(&self) -> Minor {
        self.target.control_plane().unwrap_or(self.cluster.control_plane).minor_version()
    }

    /// Rule 3: what goes away by itself or by a release.
    fn waits(&self, work: &Work) -> Option<PendingReason> {
        self.version_missing()
            .or_else(|| self.image_missing())
            .or_else(|| self.image_not_there_yet(work))
            .or_else(|| self.window_closed())
            .or_else(|| self.busy())
    }

    fn version_missing(&self) -> Option<PendingReason> {
        let version = self.target.control_plane()?;
        match self.catalogue.version_availability(version, &self.cluster.location, self.now) {
            Availability::Available => None,
            missing => {
                let (in_regions, comes_at) = elsewhere(missing);
                let region = self.cluster.location.clone();
                Some(PendingReason::VersionNotAvailable { version, region, in_regions, comes_at })
            }
        }
    }

    /// With Latest: a family of which the region has no image at all.
    fn image_missing(&self) -> Option<PendingReason> {
        if self.target.images != ImageSelection::Latest || !self.target.upgrades_pools() {
            return None;
        }
        let missing = self
            .cluster
            .pools
            .iter()
            .find(|pool| !pool.from_snapshot && !self.images.contains_key(&pool.image.family))?;
        Some(PendingReason::ImageNotAvailable {
            image: missing.image.family.clone(),
            wanted: None,
            region: self.cluster.location.clone(),
            in_regions: Vec::new(),
            comes_at: None,
        })
    }

    fn image_not_there_yet(&self, work: &Work) -> Option<PendingReason> {
        work.request.pools.iter().filter_map(|pool| pool.image.as_ref()).find_map(|image| {
            match self.catalogue.image_availability(image, &self.cluster.location, self.now) {
                Availability::Available => None,
                missing => {
                    let (in_regions, comes_at) = elsewhere(missing);
                    Some(PendingReason::ImageNotAvailable {
                        image: image.to_string(),
                        wanted: Some(image.clone()),
                        region: self.cluster.location.clone(),
                        in_regions,
                        comes_at,
                    })
                }
            }
        })
    }

    fn window_closed(&self) -> Option<PendingReason> {
        match window_for(self.target.upgrade, self.cluster)?.state(self.now) {
            WindowState::Open { .. } => None,
            WindowState::Closed { opens } => Some(PendingReason::WindowClosed { opens }),
        }
    }

    fn busy(&self) -> Option<PendingReason> {
        let busy = self.cluster.busy.as_ref()?;
        // An operation that should have ended does not say when it will: its end is a signal, not a time.
        let until = busy.until.filter(|until| *until > self.now);
        Some(PendingReason::OperationInProgress { operation: busy.operation.clone(), until })
    }

    /// Rule 4.
    fn stopped(&self) -> Option<Explanation> {
        (self.cluster.power == PowerState::Stopped).then(|| {
            Explanation::new("ClusterStopped", "The cluster is stopped. Start it, then start the run again.")
        })
    }
}

fn elsewhere(availability: Availability) -> (Vec<String>, Option<Timestamp>) {
    match availability {
        Availability::NotYet { in_regions, comes_at } => (in_regions, comes_at),
        Availability::Available | Availability::Unknown => (Vec::new(), None),
    }
}

/// Which of a cluster's two windows an upgrade looks at.
pub fn window_for(upgrade: UpgradeType, cluster: &ObservedCluster) -> Option<&MaintenanceWindow> {
    match upgrade {
        UpgradeType::NodeImageOnly => cluster.node_os_window.as_ref(),
        UpgradeType::Full | UpgradeType::ControlPlaneOnly => cluster.auto_upgrade_window.as_ref(),
    }
}
