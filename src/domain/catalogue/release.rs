//! What is published while the service runs: versions, images and security patches that reach regions.
//!
//! A release says what happens at one instant; what is in force follows in the catalogue. To publish a new sort of
//! thing, add a variant to [`ReleaseItem`] and its effect in `Catalogue::publish`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Catalogue;
use crate::domain::kubernetes_version::KubernetesVersion;
use crate::domain::node_image::NodeImage;
use crate::domain::refusal::{Code, Faults, Refusal};
use crate::domain::time::{Timestamp, to_stored_precision};

/// Items that are published at one instant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Release {
    /// Its id.
    pub id: Uuid,
    /// When it is published: simulated time.
    pub at: Timestamp,
    /// What is published.
    pub items: Vec<ReleaseItem>,
}

/// One thing that is published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum ReleaseItem {
    /// A Kubernetes version, new or with changed marks.
    KubernetesVersion {
        /// Which.
        version: KubernetesVersion,
        /// The regions it reaches; empty: all.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        regions: Vec<String>,
        /// Whether it is a preview from now on; absent: as before, for a new version no.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        is_preview: Option<bool>,
        /// Whether it is deprecated from now on; absent: as before, for a new version no.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deprecated: Option<bool>,
    },
    /// A node image.
    NodeImage {
        /// The whole image: `FAMILY-VERSION`.
        version: NodeImage,
        /// The regions it reaches; empty: all.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        regions: Vec<String>,
    },
    /// A node image that differs from the one before by security patches only.
    SecurityPatch {
        /// The whole image: `FAMILY-VERSION`.
        version: NodeImage,
        /// The regions it reaches; empty: all.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        regions: Vec<String>,
        /// Whether nodes take it without being replaced.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        live_patch: bool,
    },
}

impl ReleaseItem {
    /// The regions it names; empty: all.
    pub fn regions(&self) -> &[String] {
        match self {
            Self::KubernetesVersion { regions, .. }
            | Self::NodeImage { regions, .. }
            | Self::SecurityPatch { regions, .. } => regions,
        }
    }
}

/// A release as it is asked for: one item with its `at` beside it, or several under `items`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseRequest {
    /// When; absent: now.
    pub at: Option<Timestamp>,
    /// What.
    pub items: Vec<ReleaseItem>,
}

impl Release {
    /// Reads a body that has the contract's shape, noting every rule that is broken with its JSON path; what it returns
    /// is of use only where nothing was wrong.
    pub fn read_into(body: &Value, faults: &mut Faults) -> ReleaseRequest {
        let at = body.get("at").and_then(|at| serde_json::from_value(at.clone()).ok());
        let items = match body.get("items").and_then(Value::as_array) {
            None => read_item(body, "", faults).into_iter().collect(),
            Some(items) => {
                for member in body.as_object().into_iter().flat_map(Map::keys) {
                    if !["at", "items"].contains(&member.as_str()) {
                        let message = format!("'{member}' has no place beside items; only at has.");
                        faults.add(Code::InvalidParameter, member, message);
                    }
                }
                let read = |(i, item)| read_item(item, &format!("items[{i}]."), faults);
                items.iter().enumerate().filter_map(read).collect()
            }
        };
        ReleaseRequest { at: at.map(to_stored_precision), items }
    }

    /// Checks a release against the catalogue that it is to change.
    ///
    /// # Errors
    /// `RequiredPropertyMissing` for no items; `InvalidParameter` for regions that the catalogue does not know, and
    /// for an image that would be both an ordinary one and a security patch. Targets are paths below `items`.
    pub fn check(&self, catalogue: &Catalogue) -> Result<(), Refusal> {
        let mut faults = Faults::new();
        if self.items.is_empty() {
            faults.add(Code::RequiredPropertyMissing, "items", "A release publishes at least one item.");
        }
        for (i, item) in self.items.iter().enumerate() {
            for (j, region) in item.regions().iter().enumerate() {
                if !catalogue.is_region(region) {
                    let known = catalogue.regions().join(", ");
                    let message = format!("'{region}' is not a region of the catalogue; those are {known}.");
                    faults.add(Code::InvalidParameter, format!("items[{i}].regions[{j}]"), message);
                }
            }
            if let Some(message) = self.contradiction(item, catalogue) {
                faults.add(Code::InvalidParameter, format!("items[{i}].version"), message);
            }
        }
        faults.finish()
    }

    fn contradiction(&self, item: &ReleaseItem, catalogue: &Catalogue) -> Option<String> {
        match item {
            ReleaseItem::NodeImage { version, .. } => (catalogue.security_patch(version).is_some())
                .then(|| format!("'{version}' is already published as a security patch.")),
            ReleaseItem::SecurityPatch { version, .. } => (catalogue.knows_image(version)
                && catalogue.security_patch(version).is_none())
            .then(|| format!("'{version}' is already published as a node image, not as a security patch.")),
            ReleaseItem::KubernetesVersion { .. } => None,
        }
    }
}

/// Reads an item whose members stand at `path`.
fn read_item(item: &Value, path: &str, faults: &mut Faults) -> Option<ReleaseItem> {
    let mut own = Faults::new();
    let mut wrong = |member: &str, code: Code, message: &str| {
        own.add(code, format!("{path}{member}"), message);
    };
    let texts = [item["kind"].as_str(), item["version"].as_str()];
    for (member, _) in ["kind", "version"].into_iter().zip(texts).filter(|(_, text)| text.is_none()) {
        wrong(member, Code::RequiredPropertyMissing, &format!("The required member '{member}' is missing."));
    }
    if let [Some(kind), Some(version)] = texts {
        let parsed = match kind {
            "KubernetesVersion" => version.parse::<KubernetesVersion>().map(drop).map_err(|e| e.to_string()),
            _ => version.parse::<NodeImage>().map(drop).map_err(|e| e.to_string()),
        };
        if let Err(problem) = parsed {
            wrong("version", Code::InvalidParameter, &format!("{problem}."));
        }
        for (member, owner) in MEMBERS_OF_ONE_KIND.into_iter().filter(|(_, owner)| *owner != kind) {
            if item.get(member).is_some() {
                let message = format!("Only a {owner} has {member}; this is a {kind}.");
                wrong(member, Code::InvalidParameter, &message);
            }
        }
    }
    if item["regions"].as_array().is_some_and(Vec::is_empty) {
        let message = "No region is named; leave regions away to reach all of them.";
        wrong("regions", Code::InvalidParameter, message);
    }
    if let Err(refusal) = own.finish() {
        faults.push(refusal);
    }
    if !faults.is_empty() {
        return None;
    }
    let mut members = item.as_object().cloned().unwrap_or_default();
    members.shift_remove("at");
    let read = serde_json::from_value(Value::Object(members));
    read.map_err(|problem| faults.add(Code::InvalidParameter, path, format!("{problem}."))).ok()
}

/// Members that only items of one kind have.
const MEMBERS_OF_ONE_KIND: [(&str, &str); 3] =
    [("isPreview", "KubernetesVersion"), ("deprecated", "KubernetesVersion"), ("livePatch", "SecurityPatch")];

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::time::from_micros;

    fn read(body: &Value) -> Result<ReleaseRequest, Refusal> {
        let mut faults = Faults::new();
        let request = Release::read_into(body, &mut faults);
        faults.finish().map(|()| request)
    }

    fn release(items: serde_json::Value) -> Release {
        Release { id: Uuid::nil(), at: from_micros(0), items: serde_json::from_value(items).unwrap() }
    }

    #[test]
    fn items_are_read_as_they_are_written() {
        let items = json!([
            {"kind": "KubernetesVersion", "version": "1.36.5", "regions": ["eastus"], "isPreview": true},
            {"kind": "NodeImage", "version": "AKSUbuntu-2204gen2containerd-202612.01.0"},
            {"kind": "SecurityPatch", "version": "AKSUbuntu-2204gen2containerd-202612.01.1", "livePatch": true},
        ]);
        let release = release(items.clone());
        assert_eq!(serde_json::to_value(&release.items).unwrap(), items);
        assert_eq!(release.check(Catalogue::built_in()), Ok(()));
    }

    #[test]
    fn an_empty_list_of_regions_is_not_taken_for_all_of_them() {
        let body = json!({"kind": "KubernetesVersion", "version": "1.36.5", "regions": []});
        assert_eq!(read(&body).unwrap_err().target.as_deref(), Some("regions"));
        let several = json!({ "items": [body] });
        assert_eq!(read(&several).unwrap_err().target.as_deref(), Some("items[0].regions"));
    }

    #[test]
    fn one_item_or_several_are_published_at_one_instant() {
        let item = json!({"kind": "KubernetesVersion", "version": "1.36.5"});
        let mut one = item.clone();
        one["at"] = json!("2026-12-24T00:00:00Z");
        let several = json!({"items": [item], "at": "2026-12-24T00:00:00Z"});
        assert_eq!(read(&one).unwrap(), read(&several).unwrap());
    }

    #[test]
    fn an_item_that_is_none_is_refused_at_its_place() {
        let target = |body: Value| read(&body).unwrap_err().target.unwrap();
        assert_eq!(target(json!({"items": [{"kind": "NodeImage"}]})), "items[0].version");
        assert_eq!(target(json!({"items": [], "version": "1.36.5"})), "version");
        assert_eq!(target(json!({"version": "1.36.5"})), "kind");
        assert_eq!(target(json!({"kind": "KubernetesVersion", "version": "1.36"})), "version");
        let patch = json!({"kind": "KubernetesVersion", "version": "1.36.5", "livePatch": true});
        assert_eq!(target(json!({ "items": [patch] })), "items[0].livePatch");
    }

    #[test]
    fn every_fault_of_a_release_is_reported_where_it_is() {
        let refusal = release(json!([
            {"kind": "KubernetesVersion", "version": "1.36.5", "regions": ["eastus", "atlantis"]},
            {"kind": "SecurityPatch", "version": "AKSUbuntu-2204gen2containerd-202611.02.0"},
        ]))
        .check(Catalogue::built_in())
        .unwrap_err();
        let targets: Vec<_> = refusal.details.iter().filter_map(|fault| fault.target.as_deref()).collect();
        assert_eq!(targets, ["items[0].regions[1]", "items[1].version"]);
        assert!(release(json!([])).check(Catalogue::built_in()).is_err());
    }
}
