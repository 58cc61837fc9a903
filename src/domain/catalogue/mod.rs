//! What can be had where and when: regions, Kubernetes versions, node images, and how long minors are supported.
//!
//! A catalogue is the built-in one or a file's, plus what was published since ([`Catalogue::with_releases`]); every
//! question about it takes `now`. Which cluster may take what is not decided here. To ask something new, add a
//! method to `versions` or `images`; to describe something new, see `document` (files) and `release` (published).

mod document;
mod images;
mod reach;
mod release;
mod show;
mod versions;

pub use document::CatalogueError;
pub use reach::Availability;
pub use release::{Release, ReleaseItem, ReleaseRequest};
pub use show::{ShownCatalogue, ShownImage, ShownVersion};
pub use versions::{OfferedMinor, OfferedPatch, Support};

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::kubernetes_version::KubernetesVersion;
use super::node_image::NodeImage;
use super::refusal::{Code, Refusal};
use super::time::Timestamp;
use reach::{Mark, Reach};

/// Regions, versions and images, with when each reaches each region.
#[derive(Clone, Debug)]
pub struct Catalogue {
    regions: BTreeSet<String>,
    community_minors: usize,
    long_term_minors: usize,
    versions: BTreeMap<KubernetesVersion, VersionEntry>,
    images: BTreeMap<NodeImage, ImageEntry>,
}

#[derive(Clone, Debug, Default)]
struct VersionEntry {
    reach: Reach,
    preview: Mark,
    deprecated: Mark,
}

#[derive(Clone, Debug, Default)]
struct ImageEntry {
    reach: Reach,
    /// Of a security patch: whether it is a live one. `None`: an ordinary image.
    live_patch: Option<bool>,
}

static BUILT_IN: LazyLock<Catalogue> = LazyLock::new(|| {
    Catalogue::from_json(include_str!("built_in.json")).expect("a test reads the built-in catalogue")
});

/// A region as it is compared: lower case, without blanks.
pub fn normal_region(region: &str) -> String {
    region.chars().filter(|character| !character.is_whitespace()).flat_map(char::to_lowercase).collect()
}

impl Catalogue {
    /// The one that comes with the program.
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// Reads a catalogue file.
    ///
    /// # Errors
    /// [`CatalogueError`], naming every place that is wrong.
    pub fn from_json(text: &str) -> Result<Self, CatalogueError> {
        serde_json::from_str::<document::Document>(text)?.into_catalogue()
    }

    /// The regions by name, lower case without blanks.
    pub fn regions(&self) -> Vec<&str> {
        self.regions.iter().map(String::as_str).collect()
    }

    /// Whether this is one of the regions; compares without case and blanks.
    pub fn is_region(&self, region: &str) -> bool {
        self.regions.contains(&normal_region(region))
    }

    /// That something can be made in `region`; compares without case and blanks.
    ///
    /// # Errors
    /// `LocationNotAvailable`, with the regions that there are.
    pub fn check_region(&self, region: &str) -> Result<(), Refusal> {
        if self.is_region(region) {
            return Ok(());
        }
        let shown: String = region.chars().take(80).collect();
        let message = format!("'{shown}' is not a region; those are {}.", self.regions().join(", "));
        Err(Refusal::at(Code::LocationNotAvailable, "location", message))
    }

    /// This catalogue with what was published, in the order given; what is for later than `now` included, because
    /// every question takes an instant.
    #[must_use]
    pub fn with_releases<'a>(&self, releases: impl IntoIterator<Item = &'a Release>) -> Self {
        let mut catalogue = self.clone();
        for release in releases {
            for item in &release.items {
                catalogue.publish(item, release.at);
            }
        }
        catalogue
    }

    /// The first instant after `now` at which something reaches a region it did not have reached.
    pub fn next_change(&self, now: Timestamp) -> Option<Timestamp> {
        let versions = self.versions.values().map(|entry| &entry.reach);
        let images = self.images.values().map(|entry| &entry.reach);
        versions.chain(images).filter_map(|reach| reach.next_change(now)).min()
    }

    fn publish(&mut self, item: &ReleaseItem, at: Timestamp) {
        let named: Vec<String> = match item.regions() {
            [] => self.regions.iter().cloned().collect(),
            named => named.iter().map(|region| normal_region(region)).collect(),
        };
        let reach = match item {
            ReleaseItem::KubernetesVersion { version, is_preview, deprecated, .. } => {
                let entry = self.versions.entry(*version).or_default();
                if let Some(set) = is_preview {
                    entry.preview.change(at, *set);
                }
                if let Some(set) = deprecated {
                    entry.deprecated.change(at, *set);
                }
                &mut entry.reach
            }
            ReleaseItem::NodeImage { version, .. } => {
                &mut self.images.entry(version.clone()).or_default().reach
            }
            ReleaseItem::SecurityPatch { version, live_patch, .. } => {
                let entry = self.images.entry(version.clone()).or_default();
                entry.live_patch = Some(*live_patch);
                &mut entry.reach
            }
        };
        for region in &named {
            reach.add(region, Some(at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_catalogue_has_eight_regions_or_more() {
        assert!(Catalogue::built_in().regions().len() >= 8);
    }

    #[test]
    fn regions_compare_without_case_and_blanks() {
        assert!(Catalogue::built_in().is_region("East US"));
        assert!(!Catalogue::built_in().is_region("Atlantis"));
    }
}
