//! Questions about Kubernetes versions: which exist, where, since when, and how long minors are supported.

use std::collections::BTreeMap;

use super::{Availability, Catalogue, VersionEntry};
use crate::domain::kubernetes_version::{KubernetesVersion, Minor};
use crate::domain::time::Timestamp;

/// Who gets fixes for a minor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// Everybody.
    Community,
    /// Clusters on the long-term support plan.
    LongTermOnly,
    /// Nobody any more (or: never heard of).
    Ended,
}

/// A minor as a region offers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedMinor {
    /// Which.
    pub minor: Minor,
    /// Who may have it.
    pub support: Support,
    /// Whether clusters that ask for no version get it.
    pub is_default: bool,
    /// Whether it has previews only.
    pub is_preview: bool,
    /// Its patches in the region, ascending.
    pub patches: Vec<OfferedPatch>,
}

/// A patch as a region offers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedPatch {
    /// Which.
    pub version: KubernetesVersion,
    /// Whether it is a preview.
    pub is_preview: bool,
    /// Whether it should not be used any more.
    pub deprecated: bool,
    /// What a cluster of this version can be upgraded to there, ascending.
    pub upgrades: Vec<KubernetesVersion>,
}

impl Catalogue {
    /// The newest patch of a minor that is no preview and has reached any region.
    pub fn newest_patch(&self, minor: Minor, now: Timestamp) -> Option<KubernetesVersion> {
        self.newest(minor, now, |entry| entry.reach.is_anywhere(now))
    }

    /// The newest patch of a minor that is no preview and has reached this region.
    pub fn newest_patch_in(&self, minor: Minor, region: &str, now: Timestamp) -> Option<KubernetesVersion> {
        self.newest(minor, now, |entry| entry.reach.is_in(region, now))
    }

    fn newest(
        &self,
        minor: Minor,
        now: Timestamp,
        reached: impl Fn(&VersionEntry) -> bool,
    ) -> Option<KubernetesVersion> {
        self.versions
            .iter()
            .rev()
            .find(|(version, entry)| {
                version.minor_version() == minor && !entry.preview.at(now) && reached(entry)
            })
            .map(|(version, _)| *version)
    }

    /// Whether any region has this version, or will have it.
    pub fn knows_version(&self, version: KubernetesVersion) -> bool {
        self.versions.contains_key(&version)
    }

    /// Whether a region has a version.
    pub fn version_availability(
        &self,
        version: KubernetesVersion,
        region: &str,
        now: Timestamp,
    ) -> Availability {
        self.versions
            .get(&version)
            .map_or(Availability::Unknown, |entry| entry.reach.availability(region, now))
    }

    /// Whether a version is a preview.
    pub fn is_preview(&self, version: KubernetesVersion, now: Timestamp) -> bool {
        self.versions.get(&version).is_some_and(|entry| entry.preview.at(now))
    }

    /// The minors that have a patch, no preview, in any region; newest first.
    pub fn released_minors(&self, now: Timestamp) -> Vec<Minor> {
        let released = self
            .versions
            .iter()
            .rev()
            .filter(|(_, entry)| !entry.preview.at(now) && entry.reach.is_anywhere(now));
        let mut minors: Vec<Minor> = released.map(|(version, _)| version.minor_version()).collect();
        minors.dedup();
        minors
    }

    /// Who gets fixes for a minor: everybody for the newest few released ones, long-term clusters for the few before.
    /// A minor newer than all released ones (a preview) counts as the newest.
    pub fn support(&self, minor: Minor, now: Timestamp) -> Support {
        let released = self.released_minors(now);
        let newer = released.iter().filter(|other| **other > minor).count();
        let known = self.versions.keys().any(|version| version.minor_version() == minor);
        match newer {
            _ if !known => Support::Ended,
            newer if newer < self.community_minors => Support::Community,
            newer if newer < self.community_minors + self.long_term_minors => Support::LongTermOnly,
            _ => Support::Ended,
        }
    }

    /// The newest released minor: where the Rapid channel is; Stable is one before.
    pub fn newest_minor(&self, now: Timestamp) -> Option<Minor> {
        self.released_minors(now).first().copied()
    }

    /// The version of a cluster that asks for none: the newest patch in the region of the newest minor but one.
    pub fn default_version(&self, region: &str, now: Timestamp) -> Option<KubernetesVersion> {
        let minors = self.released_minors(now);
        minors
            .iter()
            .skip(1)
            .chain(minors.first())
            .find_map(|minor| self.newest_patch_in(*minor, region, now))
    }

    /// What a region offers, by minor, ascending. Minors without support are left out.
    pub fn offered_versions(&self, region: &str, now: Timestamp) -> Vec<OfferedMinor> {
        let here: BTreeMap<KubernetesVersion, &VersionEntry> = self
            .versions
            .iter()
            .filter(|(version, entry)| {
                entry.reach.is_in(region, now) && self.support(version.minor_version(), now) != Support::Ended
            })
            .map(|(version, entry)| (*version, entry))
            .collect();
        let default = self.default_version(region, now).map(KubernetesVersion::minor_version);
        let mut offered: Vec<OfferedMinor> = Vec::new();
        for (version, entry) in &here {
            let minor = version.minor_version();
            if offered.last().is_none_or(|last| last.minor != minor) {
                let is_default = default == Some(minor);
                let support = self.support(minor, now);
                offered.push(OfferedMinor {
                    minor,
                    support,
                    is_default,
                    is_preview: true,
                    patches: Vec::new(),
                });
            }
            let is_preview = entry.preview.at(now);
            if let Some(last) = offered.last_mut() {
                last.is_preview &= is_preview;
                last.patches.push(OfferedPatch {
                    version: *version,
                    is_preview,
                    deprecated: entry.deprecated.at(now),
                    upgrades: upgrades(*version, here.keys().copied()),
                });
            }
        }
        offered
    }
}

/// What `from` can be upgraded to among `offered`: newer patches of its minor and of the next one.
fn upgrades(
    from: KubernetesVersion,
    offered: impl Iterator<Item = KubernetesVersion>,
) -> Vec<KubernetesVersion> {
    offered.filter(|to| *to > from && to.minor_version() <= from.minor_version().next()).collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;
    use crate::domain::catalogue::{Release, ReleaseItem};

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    const NOW: &str = "2026-11-30T00:00:00Z";

    fn published(at_instant: &str, items: serde_json::Value) -> Catalogue {
        let items: Vec<ReleaseItem> = serde_json::from_value(items).unwrap();
        Catalogue::built_in().with_releases(&[Release { id: uuid::Uuid::nil(), at: at(at_instant), items }])
    }

    fn v(text: &str) -> KubernetesVersion {
        text.parse().unwrap()
    }

    #[rstest]
    #[case("1.37", Support::Community)]
    #[case("1.35", Support::Community)]
    #[case("1.34", Support::LongTermOnly)]
    #[case("1.32", Support::LongTermOnly)]
    #[case("1.31", Support::Ended)]
    fn support_is_as_of_november_2026(#[case] minor: Minor, #[case] support: Support) {
        assert_eq!(Catalogue::built_in().support(minor, at(NOW)), support);
    }

    #[test]
    fn a_new_minor_moves_the_supported_ones_by_one_when_it_is_there() {
        let catalogue = published(
            "2026-12-24T00:00:00Z",
            json!([
                {"kind": "KubernetesVersion", "version": "1.38.0", "regions": ["eastus"]}
            ]),
        );
        let (before, after) = (at("2026-12-23T23:59:59Z"), at("2026-12-24T00:00:00Z"));
        assert_eq!(catalogue.newest_minor(before), Some("1.37".parse().unwrap()));
        assert_eq!(catalogue.newest_minor(after), Some("1.38".parse().unwrap()));
        assert_eq!(catalogue.support("1.35".parse().unwrap(), before), Support::Community);
        assert_eq!(catalogue.support("1.35".parse().unwrap(), after), Support::LongTermOnly);
    }

    #[test]
    fn a_preview_is_offered_but_no_channel_goes_there() {
        let catalogue = published(
            "2026-11-01T00:00:00Z",
            json!([
                {"kind": "KubernetesVersion", "version": "1.38.0", "isPreview": true}
            ]),
        );
        let now = at(NOW);
        assert_eq!(catalogue.newest_patch("1.38".parse().unwrap(), now), None);
        assert_eq!(catalogue.newest_minor(now), Some("1.37".parse().unwrap()));
        let offered = catalogue.offered_versions("eastus", now);
        assert!(
            offered.last().is_some_and(|minor| minor.is_preview && minor.minor == "1.38".parse().unwrap())
        );
    }

    #[test]
    fn a_published_version_is_available_where_and_when_it_was_published() {
        let catalogue = published(
            "2026-12-01T00:00:00Z",
            json!([
                {"kind": "KubernetesVersion", "version": "1.36.5", "regions": ["East US"]}
            ]),
        );
        let later = at("2026-12-01T00:00:00Z");
        assert!(!Catalogue::built_in().knows_version(v("1.36.5")) && catalogue.knows_version(v("1.36.5")));
        assert_eq!(
            catalogue.version_availability(v("1.36.5"), "eastus", at(NOW)),
            Availability::NotYet { in_regions: vec![], comes_at: Some(later) }
        );
        assert_eq!(catalogue.version_availability(v("1.36.5"), "eastus", later), Availability::Available);
        let minor = "1.36".parse().unwrap();
        assert_eq!(catalogue.newest_patch(minor, later), Some(v("1.36.5")));
        assert_eq!(catalogue.newest_patch_in(minor, "westeurope", later), Some(v("1.36.4")));
        assert_eq!(catalogue.version_availability(v("1.36.9"), "eastus", later), Availability::Unknown);
    }

    #[test]
    fn upgrades_go_to_newer_patches_and_the_next_minor_only() {
        let offered = Catalogue::built_in().offered_versions("eastus", at(NOW));
        let patch =
            offered.iter().flat_map(|minor| &minor.patches).find(|patch| patch.version == v("1.35.3"));
        let upgrades = &patch.unwrap().upgrades;
        assert!(upgrades.contains(&v("1.36.4")) && !upgrades.contains(&v("1.37.0")));
        assert!(upgrades.iter().all(|to| *to > v("1.35.3")));
    }

    #[test]
    fn exactly_one_minor_is_the_default_the_one_before_the_newest() {
        let offered = Catalogue::built_in().offered_versions("westeurope", at(NOW));
        let defaults: Vec<String> =
            offered.iter().filter(|minor| minor.is_default).map(|minor| minor.minor.to_string()).collect();
        assert_eq!(defaults, ["1.36"]);
    }
}
