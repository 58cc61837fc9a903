//! What a user asks of a run, read and checked (the fleet resources: update run).
//!
//! Shapes are the contract's to check; here are the rules between members, and what the catalogue knows.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::target::{ImageSelection, Target, UpgradeType};
use crate::domain::catalogue::Catalogue;
use crate::domain::kubernetes_version::{KubernetesVersion, RequestedVersion};
use crate::domain::node_image::NodeImage;
use crate::domain::refusal::{Code, Faults, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::domain::strategy::Strategy;
use crate::domain::time::Timestamp;

/// Which images are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the contract's own names")]
pub enum SelectionType {
    Latest,
    Consistent,
    Custom,
}

/// `nodeImageSelection`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeImageSelection {
    /// Which.
    #[serde(rename = "type")]
    pub kind: SelectionType,
    /// The images, with Custom only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub custom_node_image_versions: Vec<NodeImage>,
}

/// What a user asks of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSpec {
    /// A strategy of the same fleet, of which the run keeps a snapshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub update_strategy_id: Option<ResourceId>,
    /// A strategy of the run's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Strategy>,
    /// How much is upgraded.
    pub upgrade: UpgradeType,
    /// The version as it was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kubernetes_version: Option<String>,
    /// The images; absent: Latest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_image_selection: Option<NodeImageSelection>,
}

/// Where a run comes from, as far as its members are judged by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Whether an auto-upgrade profile made it.
    pub by_auto_upgrade: bool,
    /// Whether that profile follows security patches.
    pub security_patch: bool,
}

/// Where the strategy of a request stands.
const STRATEGY: &str = "properties.strategy";
const UPDATE: &str = "properties.managedClusterUpdate";

impl RunSpec {
    /// Reads the `properties` of a request that has the contract's shape, noting every rule that is broken with its JSON
    /// path; what it returns is of use only where nothing was.
    pub fn read_into(properties: &Value, faults: &mut Faults) -> Self {
        let update = &properties["managedClusterUpdate"];
        let upgrade = match update["upgrade"]["type"].as_str() {
            Some("NodeImageOnly") => UpgradeType::NodeImageOnly,
            Some("ControlPlaneOnly") => UpgradeType::ControlPlaneOnly,
            _ => UpgradeType::Full,
        };
        let spec = Self {
            update_strategy_id: read_strategy_id(properties, faults),
            strategy: properties
                .get("strategy")
                .map(|strategy| Strategy::read_into(strategy, STRATEGY, faults)),
            upgrade,
            kubernetes_version: update["upgrade"]["kubernetesVersion"].as_str().map(str::to_owned),
            node_image_selection: read_selection(update, upgrade, faults),
        };
        // A type that is missing or wrong is a fault already; what it needs cannot be said.
        if update["upgrade"]["type"].is_string() {
            check_version(&spec, faults);
        }
        spec
    }

    /// What the run's members are to be upgraded to. Consistent images are chosen later, when the members are known.
    ///
    /// # Errors
    /// A version or image that no region has, now or later.
    pub fn target(&self, origin: Origin, catalogue: &Catalogue, now: Timestamp) -> Result<Target, Refusal> {
        let mut faults = Faults::new();
        let version = self.kubernetes_version.as_deref().and_then(|text| {
            let found = resolve(text, catalogue, now);
            if found.is_none() {
                let target = format!("{UPDATE}.upgrade.kubernetesVersion");
                faults.add(Code::InvalidParameter, target, unknown_version(text, catalogue, now));
            }
            found
        });
        let images = self.images(catalogue, &mut faults);
        faults.finish()?;
        let Origin { by_auto_upgrade, security_patch } = origin;
        Ok(Target { upgrade: self.upgrade, version, images, by_auto_upgrade, security_patch })
    }

    fn images(&self, catalogue: &Catalogue, faults: &mut Faults) -> ImageSelection {
        let pools = self.upgrade != UpgradeType::ControlPlaneOnly;
        match &self.node_image_selection {
            Some(selection) if selection.kind == SelectionType::Consistent && pools => {
                ImageSelection::Consistent { selected: BTreeMap::new(), fixed: false }
            }
            Some(selection) if selection.kind == SelectionType::Custom => {
                let images = &selection.custom_node_image_versions;
                for (n, image) in images.iter().enumerate().filter(|(_, image)| !catalogue.knows_image(image))
                {
                    faults.add(
                        Code::InvalidParameter,
                        format!("{UPDATE}.nodeImageSelection.customNodeImageVersions[{n}].version"),
                        format!("No region has node image {image}, now or later."),
                    );
                }
                ImageSelection::Custom {
                    images: images.iter().map(|image| (image.family.clone(), image.clone())).collect(),
                }
            }
            _ => ImageSelection::Latest,
        }
    }
}

fn resolve(text: &str, catalogue: &Catalogue, now: Timestamp) -> Option<KubernetesVersion> {
    match text.parse().ok()? {
        RequestedVersion::Exact(version) => Some(version).filter(|version| catalogue.knows_version(*version)),
        RequestedVersion::Alias(minor) => catalogue.newest_patch(minor, now),
    }
}

fn unknown_version(text: &str, catalogue: &Catalogue, now: Timestamp) -> String {
    let minors: Vec<String> =
        catalogue.released_minors(now).iter().map(std::string::ToString::to_string).collect();
    format!(
        "No region has Kubernetes version '{text}', now or later. Minor versions there are: {}.",
        minors.join(", ")
    )
}

fn read_strategy_id(properties: &Value, faults: &mut Faults) -> Option<ResourceId> {
    let text = properties.get("updateStrategyId")?.as_str()?;
    match text.parse() {
        Ok(id) => Some(id),
        Err(problem) => {
            let problem: crate::domain::resource_id::InvalidResourceId = problem;
            faults.add(Code::InvalidParameter, "properties.updateStrategyId", problem.to_string());
            None
        }
    }
}

fn check_version(spec: &RunSpec, faults: &mut Faults) {
    let target = || format!("{UPDATE}.upgrade.kubernetesVersion");
    match (&spec.kubernetes_version, spec.upgrade) {
        (Some(_), UpgradeType::NodeImageOnly) => faults.add(
            Code::InvalidParameter,
            target(),
            "An upgrade of type NodeImageOnly takes no kubernetesVersion.",
        ),
        (None, UpgradeType::Full | UpgradeType::ControlPlaneOnly) => faults.add(
            Code::RequiredPropertyMissing,
            target(),
            format!("An upgrade of type {:?} needs a kubernetesVersion.", spec.upgrade),
        ),
        (Some(text), _) if text.parse::<RequestedVersion>().is_err() => faults.add(
            Code::InvalidParameter,
            target(),
            format!(
                "'{text}' is not a Kubernetes version: MAJOR.MINOR or MAJOR.MINOR.PATCH, such as 1.36.2."
            ),
        ),
        _ => {}
    }
}

fn read_selection(update: &Value, upgrade: UpgradeType, faults: &mut Faults) -> Option<NodeImageSelection> {
    let selection = update.get("nodeImageSelection")?;
    let at = format!("{UPDATE}.nodeImageSelection");
    let kind = match selection["type"].as_str() {
        Some("Consistent") => SelectionType::Consistent,
        Some("Custom") => SelectionType::Custom,
        _ => SelectionType::Latest,
    };
    let images = read_images(selection, &at, faults);
    let given = selection["customNodeImageVersions"].as_array().is_some_and(|list| !list.is_empty());
    match kind {
        SelectionType::Custom if upgrade == UpgradeType::ControlPlaneOnly => faults.add(
            Code::InvalidParameter,
            format!("{at}.type"),
            "An upgrade of type ControlPlaneOnly takes no Custom node images.",
        ),
        SelectionType::Custom if !given => faults.add(
            Code::RequiredPropertyMissing,
            format!("{at}.customNodeImageVersions"),
            "Node image selection Custom needs customNodeImageVersions.",
        ),
        SelectionType::Latest | SelectionType::Consistent if given => faults.add(
            Code::InvalidParameter,
            format!("{at}.customNodeImageVersions"),
            format!("customNodeImageVersions go with type Custom only; the type is {kind:?}."),
        ),
        _ => {}
    }
    Some(NodeImageSelection { kind, custom_node_image_versions: images })
}

fn read_images(selection: &Value, at: &str, faults: &mut Faults) -> Vec<NodeImage> {
    let mut images: Vec<NodeImage> = Vec::new();
    let list = selection["customNodeImageVersions"].as_array().map(Vec::as_slice).unwrap_or_default();
    for (n, item) in list.iter().enumerate() {
        let target = format!("{at}.customNodeImageVersions[{n}].version");
        let Some(text) = item["version"].as_str() else {
            faults.add(Code::RequiredPropertyMissing, target, "A node image needs its version.");
            continue;
        };
        match text.parse::<NodeImage>() {
            Err(problem) => faults.add(Code::InvalidParameter, target, problem.to_string()),
            Ok(image) if images.iter().any(|other| other.family == image.family) => faults.add(
                Code::InvalidParameter,
                target,
                format!("Family {} has two versions here; give one.", image.family),
            ),
            Ok(image) => images.push(image),
        }
    }
    images
}
