//! Questions about node images: the newest of a family in a region, in any, or in all of several.

use std::collections::BTreeSet;

use super::{Availability, Catalogue, ImageEntry};
use crate::domain::node_image::NodeImage;
use crate::domain::time::Timestamp;

/// What a security patch is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecurityPatch {
    /// Whether nodes take it without being replaced.
    pub live_patch: bool,
}

impl Catalogue {
    /// The newest image of a family in a region. Security patches are not among them: only their channel goes there.
    pub fn newest_image(&self, family: &str, region: &str, now: Timestamp) -> Option<NodeImage> {
        self.newest_of(family, |entry| entry.live_patch.is_none() && entry.reach.is_in(region, now))
    }

    /// The newest image of a family that **all** these regions have; none for no regions.
    pub fn newest_common_image(
        &self,
        family: &str,
        regions: &BTreeSet<String>,
        now: Timestamp,
    ) -> Option<NodeImage> {
        let everywhere = |entry: &ImageEntry| regions.iter().all(|region| entry.reach.is_in(region, now));
        self.newest_of(family, |entry| entry.live_patch.is_none() && !regions.is_empty() && everywhere(entry))
    }

    /// The newest image of a family that any region has: where the NodeImage channel is.
    pub fn newest_image_anywhere(&self, family: &str, now: Timestamp) -> Option<NodeImage> {
        self.newest_of(family, |entry| entry.live_patch.is_none() && entry.reach.is_anywhere(now))
    }

    /// The newest security patch of a family that any region has: where the SecurityPatch channel is.
    pub fn newest_security_patch(&self, family: &str, now: Timestamp) -> Option<NodeImage> {
        self.newest_of(family, |entry| entry.live_patch.is_some() && entry.reach.is_anywhere(now))
    }

    fn newest_of(&self, family: &str, fits: impl Fn(&ImageEntry) -> bool) -> Option<NodeImage> {
        self.images
            .iter()
            .rev()
            .find(|(image, entry)| image.family == family && fits(entry))
            .map(|(image, _)| image.clone())
    }

    /// Whether any region has this image, or will have it.
    pub fn knows_image(&self, image: &NodeImage) -> bool {
        self.images.contains_key(image)
    }

    /// The families of which the catalogue has any image.
    pub fn families(&self) -> BTreeSet<&str> {
        self.images.keys().map(|image| image.family.as_str()).collect()
    }

    /// Whether the catalogue has any image of this family.
    pub fn knows_family(&self, family: &str) -> bool {
        self.images.keys().any(|image| image.family == family)
    }

    /// Whether a region has an image.
    pub fn image_availability(&self, image: &NodeImage, region: &str, now: Timestamp) -> Availability {
        self.images.get(image).map_or(Availability::Unknown, |entry| entry.reach.availability(region, now))
    }

    /// What sort of security patch an image is; `None` for ordinary and unknown ones.
    pub fn security_patch(&self, image: &NodeImage) -> Option<SecurityPatch> {
        let live_patch = self.images.get(image)?.live_patch?;
        Some(SecurityPatch { live_patch })
    }

    /// The images that a region has, by family, then version.
    pub fn offered_images(&self, region: &str, now: Timestamp) -> Vec<NodeImage> {
        let here = self.images.iter().filter(|(_, entry)| entry.reach.is_in(region, now));
        here.map(|(image, _)| image.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::catalogue::{Release, ReleaseItem};

    const UBUNTU: &str = "AKSUbuntu-2204gen2containerd";

    fn now() -> Timestamp {
        "2026-11-30T00:00:00Z".parse().unwrap()
    }

    fn published(items: serde_json::Value) -> Catalogue {
        let items: Vec<ReleaseItem> = serde_json::from_value(items).unwrap();
        Catalogue::built_in().with_releases(&[Release { id: uuid::Uuid::nil(), at: now(), items }])
    }

    fn ubuntu(version: &str) -> Option<NodeImage> {
        Some(format!("{UBUNTU}-{version}").parse().unwrap())
    }

    #[test]
    fn the_newest_common_image_is_the_newest_that_all_regions_have() {
        let catalogue = published(json!([
            {"kind": "NodeImage", "version": "AKSUbuntu-2204gen2containerd-202612.01.0", "regions": ["eastus"]},
        ]));
        let regions = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
        let common = |names: &[&str]| catalogue.newest_common_image(UBUNTU, &regions(names), now());
        assert_eq!(common(&["eastus"]), ubuntu("202612.01.0"));
        assert_eq!(common(&["eastus", "westeurope"]), ubuntu("202611.02.0"));
        assert_eq!(common(&[]), None);
        assert_eq!(catalogue.newest_image_anywhere(UBUNTU, now()), ubuntu("202612.01.0"));
        assert_eq!(catalogue.newest_image(UBUNTU, "westeurope", now()), ubuntu("202611.02.0"));
    }

    #[test]
    fn a_security_patch_moves_its_own_channel_only() {
        let catalogue = published(json!([
            {"kind": "SecurityPatch", "version": "AKSUbuntu-2204gen2containerd-202611.02.1", "livePatch": true},
        ]));
        assert_eq!(catalogue.newest_image_anywhere(UBUNTU, now()), ubuntu("202611.02.0"));
        let patch = catalogue.newest_security_patch(UBUNTU, now()).unwrap();
        assert_eq!(Some(&patch), ubuntu("202611.02.1").as_ref());
        assert_eq!(catalogue.security_patch(&patch), Some(SecurityPatch { live_patch: true }));
        assert_eq!(catalogue.image_availability(&patch, "eastus", now()), Availability::Available);
    }

    #[test]
    fn an_image_nobody_published_is_unknown() {
        let image = ubuntu("190001.01.0").unwrap();
        assert_eq!(Catalogue::built_in().image_availability(&image, "eastus", now()), Availability::Unknown);
        assert!(!Catalogue::built_in().knows_image(&image));
    }

    #[test]
    fn some_newest_image_of_the_built_in_catalogue_is_not_everywhere_yet() {
        let catalogue = Catalogue::built_in();
        let late = |image: &NodeImage| {
            catalogue
                .regions()
                .iter()
                .any(|region| catalogue.image_availability(image, region, now()) != Availability::Available)
        };
        assert!(catalogue.offered_images("eastus", now()).iter().any(late));
    }
}
