//! Auto-upgrade profiles: a channel that says what clusters are kept at, and a strategy that says how they get there
//! (the French seed: auto-upgrade profiles).
//!
//! **Flow.** [`newest`](target::newest) is where a channel is now; a profile remembers where it saw it last. When
//! [`news`](trigger::news) finds a difference, [`decide`](trigger::decide) says what becomes of it: a run that starts, a
//! run that waits until the profile's run before it is over, or a reason why there is none. A [`Proposal`] is what the run
//! is made from; its [`name`](name::run_name) follows from what it does, so that the same is never made twice.
//!
//! No I/O and no clock here; who loads members and saves runs is the service. To add a channel, add it to [`Channel`],
//! its rules to `read`, its target to [`target`].

pub mod name;
mod read;
mod status;
pub mod target;
pub mod trigger;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

pub use status::{TriggerError, TriggerOutcome, TriggerStatus};
pub use target::{ChannelTarget, Newest};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::kubernetes_version::Minor;
use super::resource_id::ResourceId;
use super::system_data::SystemData;
use super::update_run::RunSpec;
use super::update_run::spec::{NodeImageSelection, Origin, SelectionType};
use super::update_run::target::UpgradeType;

/// What a profile follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Channel {
    /// The newest supported minor.
    Rapid,
    /// The minor before it.
    Stable,
    /// One minor, until the profile names another.
    TargetKubernetesVersion,
    /// Node images, with all that comes with them.
    NodeImage,
    /// Security patches of Linux node images; Windows pools are left alone.
    SecurityPatch,
}

impl Channel {
    /// The channel's name, as the contract spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rapid => "Rapid",
            Self::Stable => "Stable",
            Self::TargetKubernetesVersion => "TargetKubernetesVersion",
            Self::NodeImage => "NodeImage",
            Self::SecurityPatch => "SecurityPatch",
        }
    }

    /// Whether it follows node images, not Kubernetes versions.
    pub fn is_of_images(self) -> bool {
        matches!(self, Self::NodeImage | Self::SecurityPatch)
    }
}

/// Which node images go with a Kubernetes version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImagePreference {
    /// The newest in each cluster's region.
    Latest,
    /// The newest that all regions of the run have.
    Consistent,
}

/// What a user asks of a profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProfileSpec {
    /// What it follows.
    pub channel: Channel,
    /// The minor of [`Channel::TargetKubernetesVersion`], of no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_kubernetes_version: Option<Minor>,
    /// Whether patches are taken after the end of community support, too; as it was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub long_term_support: Option<bool>,
    /// The images of a Kubernetes channel's runs; absent: Latest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_image_selection: Option<ImagePreference>,
    /// The strategy of its runs; absent: one member after the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub update_strategy_id: Option<ResourceId>,
    /// Whether it never triggers; as it was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled: Option<bool>,
}

impl ProfileSpec {
    /// Whether it never triggers.
    pub fn is_disabled(&self) -> bool {
        self.disabled == Some(true)
    }

    /// Whether patches are taken after the end of community support, too.
    pub fn takes_long_term_support(&self) -> bool {
        self.long_term_support == Some(true)
    }

    /// Whether both follow the same thing.
    pub fn follows_as(&self, other: &Self) -> bool {
        let follows =
            |spec: &Self| (spec.channel, spec.target_kubernetes_version, spec.takes_long_term_support());
        follows(self) == follows(other)
    }
}

/// An auto-upgrade profile as a resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AutoUpgradeProfile {
    /// Its id.
    pub id: ResourceId,
    /// Who wrote it.
    pub system_data: SystemData,
    /// What was asked for.
    pub spec: ProfileSpec,
    /// Where its channel was when it was looked at last.
    pub seen: Newest,
    /// A run of it that starts when the one before it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<ResourceId>,
    /// What became of the last trigger.
    #[serde(default)]
    pub status: TriggerStatus,
}

impl AutoUpgradeProfile {
    /// A new one: what its channel offers already triggers nothing.
    pub fn new(id: ResourceId, spec: ProfileSpec, newest: Newest, system_data: SystemData) -> Self {
        Self { id, system_data, spec, seen: newest, waiting: None, status: TriggerStatus::default() }
    }

    /// It after a PUT. Where it follows something else from now on, or is enabled, what there is already triggers nothing;
    /// a run for what it followed before does not start any more.
    #[must_use]
    pub fn replaced(self, spec: ProfileSpec, newest: Newest, system_data: SystemData) -> Self {
        let same = spec.follows_as(&self.spec);
        let seen = if same && !self.spec.is_disabled() { self.seen } else { newest };
        let waiting = self.waiting.filter(|_| same);
        Self { spec, seen, waiting, system_data, ..self }
    }

    /// What a run to `target` is made from.
    pub fn proposal(&self, target: &ChannelTarget) -> Proposal {
        let (upgrade, kubernetes_version, kind, images) = match target {
            ChannelTarget::Kubernetes(version) => {
                let kind = match self.spec.node_image_selection {
                    Some(ImagePreference::Consistent) => SelectionType::Consistent,
                    Some(ImagePreference::Latest) | None => SelectionType::Latest,
                };
                (UpgradeType::Full, Some(version.to_string()), kind, &BTreeMap::new())
            }
            ChannelTarget::Images(images) => {
                (UpgradeType::NodeImageOnly, None, SelectionType::Custom, images)
            }
        };
        let images = images.values().cloned().collect();
        let spec = RunSpec {
            update_strategy_id: self.spec.update_strategy_id.clone(),
            strategy: None,
            upgrade,
            kubernetes_version,
            node_image_selection: Some(NodeImageSelection { kind, custom_node_image_versions: images }),
        };
        let security_patch = self.spec.channel == Channel::SecurityPatch;
        let fleet = self.id.parent().expect("a profile is in a fleet");
        Proposal {
            run: fleet.child("updateRuns", &name::run_name(self, target)),
            spec,
            origin: Origin { by_auto_upgrade: true, security_patch },
        }
    }
}

/// What a profile's run is made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The run's id.
    pub run: ResourceId,
    /// What it does.
    pub spec: RunSpec,
    /// That a profile made it.
    pub origin: Origin,
}
