//! A cluster of the simulated fleet: what a run sees of it, and how it takes upgrades.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use uuid::Uuid;

use crate::domain::kubernetes_version::KubernetesVersion;
use crate::domain::node_image::{NodeImage, os_of_family};
use crate::domain::observed_cluster::{Busy, ObservedCluster, ObservedPool, PowerState, UpgradeRequest};
use crate::domain::resource_id::ResourceId;
use crate::domain::time::Timestamp;
use crate::domain::update_run::observe::{Outcome, Seen};
use crate::domain::update_run::plan::Candidate;
use crate::domain::update_run::state::Explanation;
use crate::domain::window::MaintenanceWindow;

/// The family of the pools that clusters have where nothing else is said.
pub const UBUNTU: &str = "AKSUbuntu-2204gen2containerd";
/// Another family of the catalogue.
pub const AZURE_LINUX: &str = "AKSAzureLinux-V3gen2";

/// A cluster and its fleet member, which has the same name.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// The name of both.
    pub name: String,
    /// The member's group.
    pub group: Option<String>,
    /// The member's labels.
    pub labels: BTreeMap<String, String>,
    /// What a run sees, apart from operations.
    pub observed: ObservedCluster,
    /// Whether it is of a kind that runs cannot upgrade.
    pub unsupported: bool,
    /// Whether it has been deleted.
    pub deleted: bool,
    /// Whether its member has left the fleet.
    pub left: bool,
    /// How long an upgrade takes.
    pub duration: TimeDelta,
    /// How many upgrades fail before one succeeds.
    pub failures: u32,
    /// Whether upgrades never end.
    pub hangs: bool,
    /// Another operation, and when it ends, where that is known.
    pub other_operation: Option<Option<Timestamp>>,
    /// Upgrades by operation id.
    pub upgrades: BTreeMap<Uuid, Upgrade>,
}

/// An upgrade of a [`Cluster`].
#[derive(Clone, Debug)]
pub struct Upgrade {
    /// What was asked for.
    pub request: UpgradeRequest,
    /// When it ends; none where it hangs.
    pub ends: Option<Timestamp>,
    /// How it ended.
    pub outcome: Option<Outcome>,
}

impl Cluster {
    /// A cluster in `eastus` with one Ubuntu pool, one minor behind; an upgrade takes ten minutes.
    pub fn new(name: &str) -> Self {
        let version = KubernetesVersion::new(1, 35, 3);
        Self {
            name: name.to_owned(),
            group: None,
            labels: BTreeMap::new(),
            observed: ObservedCluster {
                location: "eastus".to_owned(),
                control_plane: version,
                pools: vec![pool("nodes", version, UBUNTU, "202610.05.0")],
                power: PowerState::Running,
                busy: None,
                long_term_support: false,
                node_auto_provisioning: false,
                auto_upgrade_window: None,
                node_os_window: None,
            },
            unsupported: false,
            deleted: false,
            left: false,
            duration: TimeDelta::minutes(10),
            failures: 0,
            hangs: false,
            other_operation: None,
            upgrades: BTreeMap::new(),
        }
    }

    /// In a group.
    #[must_use]
    pub fn group(mut self, group: &str) -> Self {
        self.group = Some(group.to_owned());
        self
    }

    /// With a label more.
    #[must_use]
    pub fn label(mut self, key: &str, value: &str) -> Self {
        self.labels.insert(key.to_owned(), value.to_owned());
        self
    }

    /// In a region.
    #[must_use]
    pub fn region(mut self, region: &str) -> Self {
        self.observed.location = region.to_owned();
        self
    }

    /// With control plane and pools at a version.
    #[must_use]
    pub fn version(mut self, version: &str) -> Self {
        let version: KubernetesVersion = version.parse().expect("an exact version");
        self.observed.control_plane = version;
        self.observed.pools.iter_mut().for_each(|pool| pool.version = version);
        self
    }

    /// With one pool more, of the cluster's version.
    #[must_use]
    pub fn pool(mut self, name: &str, family: &str, image: &str) -> Self {
        let version = self.observed.control_plane;
        self.observed.pools.push(pool(name, version, family, image));
        self
    }

    /// With all pools of its family at an image version.
    #[must_use]
    pub fn image(mut self, version: &str) -> Self {
        for pool in &mut self.observed.pools {
            pool.image.version = version.parse().expect("an image version");
        }
        self
    }

    /// With all pools made from a snapshot.
    #[must_use]
    pub fn from_snapshot(mut self) -> Self {
        self.observed.pools.iter_mut().for_each(|pool| pool.from_snapshot = true);
        self
    }

    /// With a window for both kinds of upgrade.
    #[must_use]
    pub fn window(mut self, window: MaintenanceWindow) -> Self {
        self.observed.auto_upgrade_window = Some(window.clone());
        self.observed.node_os_window = Some(window);
        self
    }

    /// Whose upgrades take so many minutes.
    #[must_use]
    pub fn minutes(mut self, minutes: i64) -> Self {
        self.duration = TimeDelta::minutes(minutes);
        self
    }

    /// Whose first `times` upgrades fail.
    #[must_use]
    pub fn failing(mut self, times: u32) -> Self {
        self.failures = times;
        self
    }

    /// Changed by `change`.
    #[must_use]
    pub fn but(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Its member as the plan sees it.
    pub fn candidate(&self) -> Candidate {
        let group = ResourceId::resource_group("00000000-0000-0000-0000-000000000001", "rg");
        Candidate {
            name: self.name.clone(),
            cluster: group.child("managedClusters", &self.name),
            group: self.group.clone(),
            labels: self.labels.clone(),
        }
    }

    /// Its member as a run sees it.
    pub fn seen(&self) -> Seen {
        match self {
            Self { left: true, .. } => Seen::LeftFleet,
            Self { unsupported: true, .. } => Seen::Unsupported,
            Self { deleted: true, .. } => Seen::ClusterMissing,
            _ => Seen::Cluster(ObservedCluster { busy: self.busy(), ..self.observed.clone() }),
        }
    }

    fn busy(&self) -> Option<Busy> {
        let own = self.upgrades.values().find(|upgrade| upgrade.outcome.is_none());
        let until = self.other_operation.or_else(|| own.map(|upgrade| upgrade.ends))?;
        Some(Busy { operation: "a change of the cluster".to_owned(), until })
    }

    /// Starts an upgrade, unless this one has been started before; `false` where the cluster refuses it.
    pub fn start(&mut self, operation: Uuid, request: &UpgradeRequest, now: Timestamp) -> bool {
        if self.upgrades.contains_key(&operation) {
            return true;
        }
        if self.deleted || self.busy().is_some() || self.observed.power == PowerState::Stopped {
            return false;
        }
        let ends = (!self.hangs).then(|| now + self.duration);
        self.upgrades.insert(operation, Upgrade { request: request.clone(), ends, outcome: None });
        true
    }

    /// When the next operation on it ends.
    pub fn next_end(&self) -> Option<Timestamp> {
        let own = self.upgrades.values().filter(|upgrade| upgrade.outcome.is_none());
        own.filter_map(|upgrade| upgrade.ends).chain(self.other_operation.flatten()).min()
    }

    /// Ends what ends at `now`; says whether anything did.
    pub fn settle(&mut self, now: Timestamp) -> bool {
        let mut any = false;
        if self.other_operation.flatten().is_some_and(|until| until <= now) {
            self.other_operation = None;
            any = true;
        }
        let due =
            |upgrade: &&mut Upgrade| upgrade.outcome.is_none() && upgrade.ends.is_some_and(|at| at <= now);
        for upgrade in self.upgrades.values_mut().filter(due) {
            any = true;
            let at = upgrade.ends.unwrap_or(now);
            if self.failures > 0 {
                self.failures -= 1;
                let error = Explanation::new("UpgradeFailed", "A node did not drain.");
                upgrade.outcome = Some(Outcome::Failed { at, error });
            } else {
                upgrade.outcome = Some(Outcome::Succeeded { at });
                carry_out(&mut self.observed, &upgrade.request);
            }
        }
        any
    }

    /// Ends what is under way by something else than itself.
    pub fn cut_short(&mut self, code: &str, message: &str, now: Timestamp) {
        for upgrade in self.upgrades.values_mut().filter(|upgrade| upgrade.outcome.is_none()) {
            upgrade.outcome = Some(Outcome::Failed { at: now, error: Explanation::new(code, message) });
        }
        self.other_operation = None;
    }

    /// How an operation on it stands, where that is more than "in progress".
    pub fn outcome(&self, operation: Uuid) -> Option<Outcome> {
        self.upgrades.get(&operation).map_or(Some(Outcome::NotStarted), |upgrade| upgrade.outcome.clone())
    }
}

fn pool(name: &str, version: KubernetesVersion, family: &str, image: &str) -> ObservedPool {
    ObservedPool {
        name: name.to_owned(),
        version,
        image: NodeImage { family: family.to_owned(), version: image.parse().expect("an image version") },
        os: os_of_family(family),
        from_snapshot: false,
    }
}

fn carry_out(cluster: &mut ObservedCluster, request: &UpgradeRequest) {
    if let Some(version) = request.control_plane {
        cluster.control_plane = version;
    }
    for asked in &request.pools {
        let Some(pool) = cluster.pools.iter_mut().find(|pool| pool.name == asked.name) else { continue };
        pool.version = asked.version.unwrap_or(pool.version);
        if let Some(image) = &asked.image {
            pool.image = image.clone();
        }
        pool.from_snapshot &= !asked.drop_snapshot;
    }
}
