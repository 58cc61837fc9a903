//! What is published while the service runs: versions, images and security patches that reach regions.
//!
//! A release says what happens at one instant; what is in force follows in the catalogue. To publish a new sort of
//! thing, add a variant to [`ReleaseItem`] and its effect in `Catalogue::publish`.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::Catalogue;
use crate::domain::kubernetes_version::KubernetesVersion;
use crate::domain::node_image::NodeImage;
use crate::domain::refusal::{Code, Faults, Refusal};
use crate::domain::time::Timestamp;

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
    /// Reads what is to be published.
    ///
    /// # Errors
    /// `InvalidParameter` for an item that is none, or an instant that is none, each with its path.
    pub fn read(body: Value) -> Result<ReleaseRequest, Refusal> {
        let Value::Object(mut body) = body else {
            return Err(Refusal::new(Code::InvalidRequestContent, "The body must be a JSON object."));
        };
        let mut faults = Faults::new();
        let at = body.shift_remove("at").filter(|at| !at.is_null());
        let at = at.and_then(|at| {
            let read = serde_json::from_value(at).map(crate::domain::time::to_stored_precision);
            read.map_err(|problem| faults.add(Code::InvalidParameter, "at", format!("{problem}."))).ok()
        });
        let given: Vec<(String, Value)> = match body.shift_remove("items") {
            None => vec![(String::new(), Value::Object(body))],
            Some(Value::Array(items)) => {
                for member in body.keys() {
                    let message = format!("'{member}' has no place beside items; only at has.");
                    faults.add(Code::InvalidParameter, member, message);
                }
                items.into_iter().enumerate().map(|(i, item)| (format!("items[{i}]"), item)).collect()
            }
            Some(_) => {
                faults.add(Code::InvalidParameter, "items", "'items' must be an array.");
                Vec::new()
            }
        };
        let mut items = Vec::new();
        for (path, item) in given {
            if item.get("regions").and_then(Value::as_array).is_some_and(Vec::is_empty) {
                let at = if path.is_empty() { "regions".to_owned() } else { format!("{path}.regions") };
                let message = "No region is named; leave regions away to reach all of them.";
                faults.add(Code::InvalidParameter, at, message);
            }
            match serde_json::from_value(item) {
                Ok(item) => items.push(item),
                Err(problem) => faults.add(Code::InvalidParameter, path, format!("{problem}.")),
            }
        }
        faults.finish()?;
        Ok(ReleaseRequest { at, items })
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::time::from_micros;

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
        assert_eq!(Release::read(body.clone()).unwrap_err().target.as_deref(), Some("regions"));
        let several = json!({ "items": [body] });
        assert_eq!(Release::read(several).unwrap_err().target.as_deref(), Some("items[0].regions"));
    }

    #[test]
    fn one_item_or_several_are_published_at_one_instant() {
        let item = json!({"kind": "KubernetesVersion", "version": "1.36.5"});
        let mut one = item.clone();
        one["at"] = json!("2026-12-24T00:00:00Z");
        let several = json!({"items": [item], "at": "2026-12-24T00:00:00Z"});
        assert_eq!(Release::read(one).unwrap(), Release::read(several).unwrap());
    }

    #[test]
    fn an_item_that_is_none_is_refused_at_its_place() {
        let target = |body| Release::read(body).unwrap_err().target;
        assert_eq!(target(json!({"items": [{"kind": "Pod"}]})).as_deref(), Some("items[0]"));
        assert_eq!(target(json!({"items": 1})).as_deref(), Some("items"));
        assert_eq!(target(json!({"items": [], "version": "1.36.5"})).as_deref(), Some("version"));
        let late = json!({"kind": "KubernetesVersion", "version": "1.36.5", "at": "soon"});
        assert_eq!(target(late).as_deref(), Some("at"));
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
