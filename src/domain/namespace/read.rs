//! Reading a namespace from a request: the rules that need more than the contract's table.
//!
//! The contract has checked shapes and left out what is read-only; what of a PATCH lacks something is checked here,
//! where it is known what it comes to.

use serde_json::{Map, Value};

use super::placement::check_propagation;
use super::{ManagedNamespace, NamespacePatch, NamespaceSettings, NamespaceSpec, object};
use crate::domain::fleet::read_location;
use crate::domain::labels::{check_label_key, check_labels, is_fleet_label};
use crate::domain::merge_patch::merge;
use crate::domain::names::check_namespace_name;
use crate::domain::refusal::{Code, Faults};
use crate::domain::resource_id::ResourceId;
use crate::domain::resource_quantity::Quantity;
use crate::domain::tags::{read_tags, string_map};

const KUBERNETES: &str = "managedNamespaceProperties";

/// The most bytes that Kubernetes lets annotations have, keys and values together.
const MAX_ANNOTATIONS: usize = 256 * 1024;

impl NamespaceSpec {
    /// Reads the body of a PUT on `id`, noting what is wrong; what it returns is of use only where nothing was.
    pub fn read_into(
        id: &ResourceId,
        value: &Value,
        existing: Option<&ManagedNamespace>,
        faults: &mut Faults,
    ) -> Self {
        if existing.is_none()
            && let Err(problem) = check_namespace_name(id.name())
        {
            faults.add(Code::InvalidResourceName, "name", format!("{problem}."));
        }
        let tags = read_tags(value, faults);
        let settings = checked(object(value.get("properties")), faults);
        // Last, so that its code (a conflict) is answered only where the body is right otherwise.
        let existing = existing.map(|namespace| namespace.location.as_str());
        Self { location: read_location(value, existing, faults), tags, settings }
    }
}

impl NamespacePatch {
    /// Reads the body of a PATCH on `existing`, noting what is wrong.
    pub fn read_into(value: &Value, existing: &ManagedNamespace, faults: &mut Faults) -> Self {
        let mut settings = existing.settings.clone();
        merge(&mut settings, &object(value.get("properties")));
        for name in
            ["adoptionPolicy", "deletePolicy"].into_iter().filter(|name| !settings.contains_key(*name))
        {
            let message = format!("A namespace needs its '{name}'; a patch may change but not remove it.");
            faults.add(Code::RequiredPropertyMissing, format!("properties.{name}"), message);
        }
        let tags = value.get("tags").map(|_| read_tags(value, faults));
        Self { tags, settings: checked(settings, faults) }
    }
}

/// The settings without what is the service's own, and what is wrong with them noted.
fn checked(mut settings: NamespaceSettings, faults: &mut Faults) -> NamespaceSettings {
    if let Some(Value::Object(kubernetes)) = settings.get_mut(KUBERNETES) {
        drop_own_labels(kubernetes);
        check_labels_and_annotations(kubernetes, faults);
        check_quota(kubernetes.get("defaultResourceQuota"), faults);
    }
    check_propagation(settings.get("propagationPolicy"), faults);
    settings
}

/// The service's own labels come back with every GET-then-PUT; they are not the user's to set.
fn drop_own_labels(kubernetes: &mut Map<String, Value>) {
    if let Some(Value::Object(labels)) = kubernetes.get_mut("labels") {
        labels.retain(|key, _| !is_fleet_label(key));
        if labels.is_empty() {
            kubernetes.shift_remove("labels");
        }
    }
}

fn check_labels_and_annotations(kubernetes: &Map<String, Value>, faults: &mut Faults) {
    let at = |member: &str, key: &str| {
        let key: String = key.chars().take(80).collect();
        format!("properties.{KUBERNETES}.{member}.{key}")
    };
    for (key, problem) in check_labels(&string_map(kubernetes.get("labels"))) {
        faults.add(Code::InvalidParameter, at("labels", &key), format!("{problem}."));
    }
    let annotations = string_map(kubernetes.get("annotations"));
    for key in annotations.keys() {
        if let Err(problem) = check_label_key(key) {
            let problem = problem.replacen("label key", "annotation key", 1);
            faults.add(Code::InvalidParameter, at("annotations", key), format!("{problem}."));
        }
    }
    let bytes: usize = annotations.iter().map(|(key, value)| key.len() + value.len()).sum();
    if bytes > MAX_ANNOTATIONS {
        let message = format!("The annotations have {bytes} bytes; at most {MAX_ANNOTATIONS} are allowed.");
        faults.add(Code::InvalidParameter, format!("properties.{KUBERNETES}.annotations"), message);
    }
}

/// Quantities that are none below zero, and no request above its limit.
fn check_quota(quota: Option<&Value>, faults: &mut Faults) {
    let at = |name: &str| format!("properties.{KUBERNETES}.defaultResourceQuota.{name}");
    let mut read = |name: &str| -> Option<Quantity> {
        let problem = match quota?.get(name)?.as_str()?.parse::<Quantity>() {
            Ok(quantity) if quantity >= Quantity::ZERO => return Some(quantity),
            Ok(_) => "A quota is not below zero.".to_owned(),
            Err(problem) => format!("{problem}."),
        };
        faults.add(Code::InvalidParameter, at(name), problem);
        None
    };
    let mut above = Vec::new();
    for (request, limit) in [("cpuRequest", "cpuLimit"), ("memoryRequest", "memoryLimit")] {
        if let (Some(requested), Some(limited)) = (read(request), read(limit))
            && requested > limited
        {
            above.push((request, limit));
        }
    }
    for (request, limit) in above {
        let message = format!("The {request} is above the {limit}; it may be at most as large.");
        faults.add(Code::InvalidParameter, at(request), message);
    }
}

#[cfg(test)]
mod tests;
