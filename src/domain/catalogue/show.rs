//! The catalogue as `GET /simulator/catalogue` shows it: what a release tracker would.

use std::collections::BTreeMap;

use serde::Serialize;

use super::reach::Reach;
use super::{Catalogue, Support};
use crate::domain::kubernetes_version::KubernetesVersion;
use crate::domain::node_image::NodeImage;
use crate::domain::time::Timestamp;

/// Everything, as of one instant.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownCatalogue {
    /// Region names.
    pub regions: Vec<String>,
    /// Versions, ascending.
    pub kubernetes_versions: Vec<ShownVersion>,
    /// Images, by family, then version.
    pub node_images: Vec<ShownImage>,
}

/// A version.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownVersion {
    /// Which.
    pub version: KubernetesVersion,
    /// `Community`, `LongTermOnly` or `Ended`.
    pub support: &'static str,
    /// Whether it is a preview.
    pub is_preview: bool,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// The regions that have it.
    pub regions: Vec<String>,
    /// The regions that get it later, with when.
    pub coming: BTreeMap<String, Timestamp>,
}

/// An image.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownImage {
    /// The whole image.
    pub version: NodeImage,
    /// Whether it is a security patch.
    pub security_patch: bool,
    /// Whether it is a live one.
    pub live_patch: bool,
    /// The regions that have it.
    pub regions: Vec<String>,
    /// The regions that get it later, with when.
    pub coming: BTreeMap<String, Timestamp>,
}

fn split(reach: &Reach, now: Timestamp) -> (Vec<String>, BTreeMap<String, Timestamp>) {
    let (mut here, mut coming) = (Vec::new(), BTreeMap::new());
    for (region, from) in reach.regions() {
        match from.filter(|from| *from > now) {
            Some(from) => drop(coming.insert(region.clone(), from)),
            None => here.push(region.clone()),
        }
    }
    (here, coming)
}

impl Catalogue {
    /// All of it, as of `now`.
    pub fn show(&self, now: Timestamp) -> ShownCatalogue {
        let kubernetes_versions = self.versions.iter().map(|(version, entry)| {
            let (regions, coming) = split(&entry.reach, now);
            let support = match self.support(version.minor_version(), now) {
                Support::Community => "Community",
                Support::LongTermOnly => "LongTermOnly",
                Support::Ended => "Ended",
            };
            let (is_preview, deprecated) = (entry.preview.at(now), entry.deprecated.at(now));
            ShownVersion { version: *version, support, is_preview, deprecated, regions, coming }
        });
        let node_images = self.images.iter().map(|(image, entry)| {
            let (regions, coming) = split(&entry.reach, now);
            let (security_patch, live_patch) =
                (entry.live_patch.is_some(), entry.live_patch.unwrap_or(false));
            ShownImage { version: image.clone(), security_patch, live_patch, regions, coming }
        });
        ShownCatalogue {
            regions: self.regions.iter().cloned().collect(),
            kubernetes_versions: kubernetes_versions.collect(),
            node_images: node_images.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_later_is_shown_apart_from_what_is_there() {
        let catalogue = Catalogue::built_in();
        let now = "2026-11-30T00:00:00Z".parse().unwrap();
        let shown = catalogue.show(now);
        let newest = shown.kubernetes_versions.last().unwrap();
        assert!(newest.regions.contains(&"eastus".to_owned()));
        assert!(!newest.coming.is_empty() && newest.coming.values().all(|at| *at > now));
        assert_eq!(newest.regions.len() + newest.coming.len(), shown.regions.len());
    }
}
