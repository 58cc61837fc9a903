//! Managed namespaces: Kubernetes namespaces that a fleet's hub places on members.
//!
//! No namespace is made anywhere: what is asked for is checked and kept as it was sent, as JSON, for nothing here acts
//! on it. Reading is in `read`, where it is placed in `placement`. To add a member of the body, give it a row in the
//! contract, and its rules a line there.

mod placement;
mod read;

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::labels::fleet_label;
use super::lifecycle::Lifecycle;
use super::resource_id::ResourceId;
use super::system_data::SystemData;
use super::tags::Tags;

pub use placement::{CLUSTER_NAMES, cluster_names};

/// How long making, changing and deleting take where operations take simulated time.
pub const OPERATION_DURATION: TimeDelta = TimeDelta::seconds(2);

/// What users say about a namespace: the writable members of `properties`, in their JSON form.
pub type NamespaceSettings = Map<String, Value>;

/// A managed namespace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ManagedNamespace {
    /// Where it is: a child of its fleet.
    pub id: ResourceId,
    /// Its region: lower case, no blanks. Never changes.
    pub location: String,
    /// The user's tags.
    #[serde(default, skip_serializing_if = "Tags::is_empty")]
    pub tags: Tags,
    /// What the user says about it, without the service's own label.
    pub settings: NamespaceSettings,
    /// The host name by which the portal reaches the hub.
    pub portal_fqdn: String,
    /// How it stands.
    pub lifecycle: Lifecycle,
    /// Who made and changed it.
    pub system_data: SystemData,
}

/// A namespace as a PUT asks for it.
#[derive(Clone, Debug, PartialEq)]
pub struct NamespaceSpec {
    /// The region, as it is compared.
    pub location: String,
    /// All tags.
    pub tags: Tags,
    /// All settings.
    pub settings: NamespaceSettings,
}

/// What a PATCH comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct NamespacePatch {
    /// All tags from now on, where they change.
    pub tags: Option<Tags>,
    /// All settings from now on.
    pub settings: NamespaceSettings,
}

impl ManagedNamespace {
    /// The settings as bodies show them: with the label by which the namespace is known to be managed.
    pub fn shown_settings(&self) -> NamespaceSettings {
        let mut settings = Map::new();
        let mut kubernetes = object(self.settings.get("managedNamespaceProperties"));
        let mut labels = object(kubernetes.get("labels"));
        labels.insert(fleet_label("managed-by"), Value::from("arm"));
        kubernetes.insert("labels".to_owned(), Value::Object(labels));
        settings.insert("managedNamespaceProperties".to_owned(), Value::Object(kubernetes));
        let others = self.settings.iter().filter(|(name, _)| *name != "managedNamespaceProperties");
        settings.extend(others.map(|(name, value)| (name.clone(), value.clone())));
        settings
    }

    /// The namespace after a PATCH.
    #[must_use]
    pub fn patched(self, patch: NamespacePatch) -> Self {
        Self { tags: patch.tags.unwrap_or(self.tags), settings: patch.settings, ..self }
    }
}

/// The members of `value`, none where it is no object.
fn object(value: Option<&Value>) -> Map<String, Value> {
    value.and_then(Value::as_object).cloned().unwrap_or_default()
}
