//! Where a channel is: the newest thing that any region has of what it follows. One region is enough, members elsewhere
//! wait for it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{Channel, ProfileSpec};
use crate::domain::catalogue::{Catalogue, Support};
use crate::domain::kubernetes_version::{KubernetesVersion, Minor};
use crate::domain::node_image::{NodeImage, OsType, os_of_family};
use crate::domain::time::Timestamp;

/// Where a channel is, for whatever clusters there may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", content = "at")]
pub enum Newest {
    /// At a Kubernetes version.
    Kubernetes(KubernetesVersion),
    /// At these images, by family: those of the whole catalogue.
    Images(BTreeMap<String, NodeImage>),
    /// At a minor that is not supported any more.
    Unsupported(Minor),
    /// Nowhere yet.
    Nothing,
}

/// What a channel's run upgrades to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChannelTarget {
    /// A Kubernetes version.
    Kubernetes(KubernetesVersion),
    /// Images by family; at least one.
    Images(BTreeMap<String, NodeImage>),
}

impl ChannelTarget {
    /// What it upgrades to, for `lastTriggerUpgradeVersions`.
    pub fn versions(&self) -> Vec<String> {
        match self {
            Self::Kubernetes(version) => vec![version.to_string()],
            Self::Images(images) => images.values().map(ToString::to_string).collect(),
        }
    }
}

/// Where the channel of `spec` is now.
pub fn newest(spec: &ProfileSpec, catalogue: &Catalogue, now: Timestamp) -> Newest {
    let minors = catalogue.released_minors(now);
    let newest_patch = |minor: Option<&Minor>| {
        let version = minor.and_then(|minor| catalogue.newest_patch(*minor, now));
        version.map_or(Newest::Nothing, Newest::Kubernetes)
    };
    match spec.channel {
        Channel::Rapid => newest_patch(minors.first()),
        Channel::Stable => newest_patch(minors.get(1)),
        Channel::TargetKubernetesVersion => match spec.target_kubernetes_version {
            Some(minor) if !is_supported(spec, minor, catalogue, now) => Newest::Unsupported(minor),
            minor => newest_patch(minor.as_ref()),
        },
        Channel::NodeImage => images(catalogue, |family| catalogue.newest_image_anywhere(family, now)),
        Channel::SecurityPatch => images(catalogue, |family| {
            catalogue.newest_security_patch(family, now).filter(|_| os_of_family(family) == OsType::Linux)
        }),
    }
}

/// Whether a profile may follow this minor.
pub(super) fn is_supported(spec: &ProfileSpec, minor: Minor, catalogue: &Catalogue, now: Timestamp) -> bool {
    match catalogue.support(minor, now) {
        Support::Community => true,
        Support::LongTermOnly => spec.takes_long_term_support(),
        Support::Ended => false,
    }
}

fn images(catalogue: &Catalogue, newest: impl Fn(&str) -> Option<NodeImage>) -> Newest {
    let images: BTreeMap<String, NodeImage> = catalogue
        .families()
        .into_iter()
        .filter_map(|family| Some((family.to_owned(), newest(family)?)))
        .collect();
    if images.is_empty() { Newest::Nothing } else { Newest::Images(images) }
}

/// What is in the way of a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoTarget {
    /// The minor is not supported any more.
    Unsupported(Minor),
    /// Nothing has been released on the channel that the fleet's clusters could take.
    NothingReleased,
}

impl Newest {
    /// What it means for clusters with pools of these image families. A fleet without any is as good as one with all:
    /// that it is empty is said by whoever would make a run.
    ///
    /// # Errors
    /// [`NoTarget`].
    pub fn target(&self, families: &BTreeSet<String>) -> Result<ChannelTarget, NoTarget> {
        match self {
            Self::Kubernetes(version) => Ok(ChannelTarget::Kubernetes(*version)),
            Self::Images(images) => {
                let used = |family: &String| families.is_empty() || families.contains(family);
                let images: BTreeMap<String, NodeImage> =
                    images.clone().into_iter().filter(|(family, _)| used(family)).collect();
                if images.is_empty() {
                    return Err(NoTarget::NothingReleased);
                }
                Ok(ChannelTarget::Images(images))
            }
            Self::Unsupported(minor) => Err(NoTarget::Unsupported(*minor)),
            Self::Nothing => Err(NoTarget::NothingReleased),
        }
    }
}
