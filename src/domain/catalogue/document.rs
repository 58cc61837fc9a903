//! The catalogue's file: its JSON form, and the checks that a file someone wrote must pass.
//!
//! The file names what exists and where; the rules about it are in the module above. To add a member, give it a
//! default, so that older files stay good, and a check here where it can contradict another.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::{Catalogue, ImageEntry, Mark, Reach, VersionEntry, normal_region};
use crate::domain::kubernetes_version::KubernetesVersion;
use crate::domain::node_image::NodeImage;
use crate::domain::time::Timestamp;

/// Why a file is no catalogue.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    /// Not JSON, or not of the right shape.
    #[error("the catalogue cannot be read: {0}")]
    Syntax(#[from] serde_json::Error),
    /// It contradicts itself, or lacks what the service cannot do without.
    #[error("the catalogue is not usable:\n- {}", .0.join("\n- "))]
    Invalid(Vec<String>),
}

/// The file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Document {
    regions: Vec<String>,
    /// How many of the newest minors have community support.
    #[serde(default = "three")]
    community_minors: usize,
    /// How many minors before those have long-term support.
    #[serde(default = "three")]
    long_term_minors: usize,
    kubernetes_versions: Vec<VersionItem>,
    node_images: Vec<ImageItem>,
}

fn three() -> usize {
    3
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct VersionItem {
    version: KubernetesVersion,
    /// Absent: all regions.
    regions: Option<Vec<String>>,
    /// Regions that get it only from an instant on.
    #[serde(default)]
    available_from: BTreeMap<String, Timestamp>,
    #[serde(default)]
    is_preview: bool,
    #[serde(default)]
    deprecated: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ImageItem {
    image: NodeImage,
    /// Absent: all regions.
    regions: Option<Vec<String>>,
    /// Regions that get it only from an instant on.
    #[serde(default)]
    available_from: BTreeMap<String, Timestamp>,
    /// Whether it differs from the image before by security patches only.
    #[serde(default)]
    security_patch: bool,
    /// Of a security patch: whether nodes take it without being replaced.
    #[serde(default)]
    live_patch: bool,
}

impl Document {
    /// The catalogue of the file.
    pub(super) fn into_catalogue(self) -> Result<Catalogue, CatalogueError> {
        let mut faults = Vec::new();
        let regions = self.read_regions(&mut faults);
        let versions = self.read_versions(&regions, &mut faults);
        let images = self.read_images(&regions, &mut faults);
        if self.community_minors == 0 {
            faults.push("communityMinors: at least one minor must have community support".to_owned());
        }
        if !faults.is_empty() {
            return Err(CatalogueError::Invalid(faults));
        }
        Ok(Catalogue {
            regions,
            community_minors: self.community_minors,
            long_term_minors: self.long_term_minors,
            versions,
            images,
        })
    }

    fn read_regions(&self, faults: &mut Vec<String>) -> BTreeSet<String> {
        let mut regions = BTreeSet::new();
        for (i, region) in self.regions.iter().enumerate() {
            let normal = normal_region(region);
            if normal.is_empty() || !normal.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
                faults.push(format!("regions[{i}]: '{region}' is not a region's name"));
            } else if !regions.insert(normal) {
                faults.push(format!("regions[{i}]: '{region}' stands there twice"));
            }
        }
        if regions.is_empty() {
            faults.push("regions: at least one is needed".to_owned());
        }
        regions
    }

    fn read_versions(
        &self,
        regions: &BTreeSet<String>,
        faults: &mut Vec<String>,
    ) -> BTreeMap<KubernetesVersion, VersionEntry> {
        let mut versions = BTreeMap::new();
        for (i, item) in self.kubernetes_versions.iter().enumerate() {
            let path = format!("kubernetesVersions[{i}]");
            let entry = VersionEntry {
                reach: read_reach(&path, item.regions.as_deref(), &item.available_from, regions, faults),
                preview: Mark::initially(item.is_preview),
                deprecated: Mark::initially(item.deprecated),
            };
            if versions.insert(item.version, entry).is_some() {
                faults.push(format!("{path}.version: {} stands there twice", item.version));
            }
        }
        if self.kubernetes_versions.iter().all(|item| item.is_preview) {
            faults.push("kubernetesVersions: at least one that is no preview is needed".to_owned());
        }
        versions
    }

    fn read_images(
        &self,
        regions: &BTreeSet<String>,
        faults: &mut Vec<String>,
    ) -> BTreeMap<NodeImage, ImageEntry> {
        let mut images = BTreeMap::new();
        for (i, item) in self.node_images.iter().enumerate() {
            let path = format!("nodeImages[{i}]");
            if item.live_patch && !item.security_patch {
                faults.push(format!("{path}.livePatch: only a security patch can be one"));
            }
            let entry = ImageEntry {
                reach: read_reach(&path, item.regions.as_deref(), &item.available_from, regions, faults),
                live_patch: item.security_patch.then_some(item.live_patch),
            };
            if images.insert(item.image.clone(), entry).is_some() {
                faults.push(format!("{path}.image: {} stands there twice", item.image));
            }
        }
        if self.node_images.iter().all(|item| item.security_patch) {
            faults.push("nodeImages: at least one that is no security patch is needed".to_owned());
        }
        images
    }
}

fn read_reach(
    path: &str,
    named: Option<&[String]>,
    available_from: &BTreeMap<String, Timestamp>,
    regions: &BTreeSet<String>,
    faults: &mut Vec<String>,
) -> Reach {
    let named: BTreeSet<String> = match named {
        Some(named) => named.iter().map(|region| normal_region(region)).collect(),
        None => regions.clone(),
    };
    let from: BTreeMap<String, Timestamp> =
        available_from.iter().map(|(region, at)| (normal_region(region), *at)).collect();
    for region in named.difference(regions) {
        faults.push(format!("{path}.regions: '{region}' is not one of the catalogue's regions"));
    }
    for region in from.keys().filter(|region| !named.contains(*region)) {
        faults.push(format!("{path}.availableFrom: '{region}' is not one of its regions"));
    }
    let mut reach = Reach::default();
    for region in &named {
        reach.add(region, from.get(region).copied());
    }
    if named.is_empty() {
        faults.push(format!("{path}.regions: at least one is needed"));
    }
    reach
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::*;

    fn file() -> Value {
        json!({
            "regions": ["eastus", "West US"],
            "kubernetesVersions": [{"version": "1.36.0"}],
            "nodeImages": [{"image": "AKSUbuntu-2204gen2containerd-202611.02.0"}],
        })
    }

    #[test]
    fn a_small_file_is_a_catalogue() {
        let catalogue = Catalogue::from_json(&file().to_string()).unwrap();
        assert_eq!(catalogue.regions(), ["eastus", "westus"]);
    }

    #[rstest]
    #[case("/regions", json!([]), "regions: at least one")]
    #[case("/regions", json!(["eastus", "East US", "westus"]), "regions[1]: 'East US' stands there twice")]
    #[case("/regions", json!(["east/us"]), "regions[0]: 'east/us' is not")]
    #[case("/kubernetesVersions", json!([]), "kubernetesVersions: at least one")]
    #[case("/kubernetesVersions/0/regions", json!(["mars"]), "kubernetesVersions[0].regions: 'mars'")]
    #[case("/kubernetesVersions/0/regions", json!([]), "kubernetesVersions[0].regions: at least one")]
    #[case("/kubernetesVersions/0/availableFrom", json!({"mars": "2026-12-01T00:00:00Z"}),
        "kubernetesVersions[0].availableFrom: 'mars'")]
    #[case("/kubernetesVersions", json!([{"version": "1.36.0"}, {"version": "1.36.0"}]),
        "kubernetesVersions[1].version: 1.36.0 stands there twice")]
    #[case("/kubernetesVersions/0/version", json!("1.36"), "MAJOR.MINOR.PATCH")]
    #[case("/kubernetesVersions/0/isPrevue", json!(true), "unknown field `isPrevue`")]
    #[case("/nodeImages", json!([]), "nodeImages: at least one")]
    #[case("/nodeImages/0/livePatch", json!(true), "nodeImages[0].livePatch: only a security patch")]
    #[case("/nodeImages/0/image", json!("ubuntu"), "FAMILY-VERSION")]
    #[case("/communityMinors", json!(0), "communityMinors: at least one")]
    fn a_contradictory_file_is_refused_saying_where(
        #[case] pointer: &str,
        #[case] value: Value,
        #[case] problem: &str,
    ) {
        let mut file = file();
        let (parent, member) = pointer.rsplit_once('/').unwrap();
        file.pointer_mut(parent).unwrap()[member] = value;
        let error = Catalogue::from_json(&file.to_string()).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}
