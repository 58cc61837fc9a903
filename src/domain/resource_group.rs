//! Resource groups: what everything else is in; made implicitly unless the service is strict about them.
//!
//! They are no type of the fleet contract, so their bodies are read here, shapes included.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::catalogue::normal_region;
use super::fleet::read_location;
use super::lifecycle::Lifecycle;
use super::names::check_resource_group_name;
use super::refusal::{Code, Faults, Refusal};
use super::resource_id::ResourceId;
use super::system_data::SystemData;
use super::tags::{Tags, read_tags};

/// Members of a body that are the service's to say.
const READ_ONLY: [&str; 5] = ["id", "name", "type", "properties", "systemData"];

/// How long deleting a group takes where operations take simulated time.
pub const DELETE_DURATION: TimeDelta = TimeDelta::seconds(5);

/// A resource group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceGroup {
    /// Which.
    pub id: ResourceId,
    /// Its region: lower case, no blanks. Never changes.
    pub location: String,
    /// The user's tags.
    #[serde(default, skip_serializing_if = "Tags::is_empty")]
    pub tags: Tags,
    /// The id of what manages it, as sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub managed_by: Option<String>,
    /// How it stands.
    pub lifecycle: Lifecycle,
    /// Who made and changed it.
    pub system_data: SystemData,
}

/// A resource group as a PUT asks for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceGroupSpec {
    /// The region, as it is compared.
    pub location: String,
    /// All tags.
    pub tags: Tags,
    /// The id of what manages it.
    pub managed_by: Option<String>,
}

impl ResourceGroup {
    /// A new group.
    pub fn create(id: ResourceId, spec: ResourceGroupSpec, system_data: SystemData) -> Self {
        let ResourceGroupSpec { location, tags, managed_by } = spec;
        Self { id, location, tags, managed_by, lifecycle: Lifecycle::succeeded(), system_data }
    }

    /// The group after a PUT or PATCH.
    #[must_use]
    pub fn replaced(self, spec: ResourceGroupSpec) -> Self {
        Self { tags: spec.tags, managed_by: spec.managed_by, ..self }
    }
}

impl ResourceGroupSpec {
    /// Reads the body of a PUT on `id`, as it was sent.
    ///
    /// # Errors
    /// Every rule that is broken, each with its JSON path.
    pub fn read(id: &ResourceId, value: &Value, existing: Option<&ResourceGroup>) -> Result<Self, Refusal> {
        let mut faults = Faults::new();
        check_shape(value, &mut faults);
        if existing.is_none() {
            check_name(id, &mut faults);
            if value.get("location").is_none_or(Value::is_null) {
                faults.add(Code::LocationRequired, "location", "A resource group needs a location.");
            }
        }
        let spec = Self {
            tags: read_tags(value, &mut faults),
            managed_by: value.get("managedBy").and_then(Value::as_str).map(str::to_owned),
            // Last, so that its code (a conflict) is answered only where the body is right otherwise.
            location: read_location(value, existing.map(|group| group.location.as_str()), &mut faults),
        };
        faults.finish().map(|()| spec)
    }

    /// Reads the body of a PATCH: what it leaves out stays, tags are replaced whole.
    ///
    /// # Errors
    /// Every rule that is broken, each with its JSON path.
    pub fn read_patch(value: &Value, existing: &ResourceGroup) -> Result<Self, Refusal> {
        let mut faults = Faults::new();
        check_shape(value, &mut faults);
        let spec = Self {
            tags: match value.get("tags") {
                Some(_) => read_tags(value, &mut faults),
                None => existing.tags.clone(),
            },
            managed_by: match value.get("managedBy") {
                Some(managed_by) => managed_by.as_str().map(str::to_owned),
                None => existing.managed_by.clone(),
            },
            location: read_location(value, Some(&existing.location), &mut faults),
        };
        faults.finish().map(|()| spec)
    }

    /// What a group that a write into it makes is like: in `location`, without anything else.
    ///
    /// # Errors
    /// `InvalidResourceName`.
    pub fn implicit(id: &ResourceId, location: &str) -> Result<Self, Refusal> {
        let mut faults = Faults::new();
        check_name(id, &mut faults);
        faults.finish().map(|()| Self { location: normal_region(location), ..Self::default() })
    }
}

fn check_name(id: &ResourceId, faults: &mut Faults) {
    if let Err(problem) = check_resource_group_name(id.name()) {
        faults.add(Code::InvalidResourceName, "resourceGroupName", format!("{problem}."));
    }
}

fn check_shape(value: &Value, faults: &mut Faults) {
    let Some(body) = value.as_object() else {
        faults.add(Code::InvalidParameter, "", "A resource group is written as an object.");
        return;
    };
    for (name, value) in
        body.iter().filter(|(name, value)| !READ_ONLY.contains(&name.as_str()) && !value.is_null())
    {
        let shown: String = name.chars().take(80).collect();
        let problem = match name.as_str() {
            "location" | "managedBy" if !value.is_string() => "Expected a string here.".to_owned(),
            "tags" if !value.as_object().is_some_and(|tags| tags.values().all(Value::is_string)) => {
                "Expected an object whose values are strings.".to_owned()
            }
            "location" | "managedBy" | "tags" => continue,
            _ => format!(
                "There is no member '{shown}' in a resource group; it has location, tags and managedBy."
            ),
        };
        faults.add(Code::InvalidParameter, shown, problem);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::system_data::Principal;
    use rstest::rstest;
    use serde_json::json;

    fn id() -> ResourceId {
        ResourceId::resource_group("s", "My.Group")
    }

    #[test]
    fn what_the_service_says_itself_is_ignored() {
        let body = json!({ "id": "x", "name": "y", "type": "z", "properties": { "provisioningState": "Succeeded" },
            "location": "West US", "tags": { "a": "1" }, "managedBy": "me" });
        let spec = ResourceGroupSpec::read(&id(), &body, None).unwrap();
        assert_eq!((spec.location.as_str(), spec.managed_by.as_deref()), ("westus", Some("me")));
    }

    #[rstest]
    #[case(json!({}), Code::LocationRequired, "location")]
    #[case(json!({ "location": 5 }), Code::InvalidParameter, "location")]
    #[case(json!({ "location": "eastus", "tags": [] }), Code::InvalidParameter, "tags")]
    #[case(json!({ "location": "eastus", "tags": { "a": 1 } }), Code::InvalidParameter, "tags")]
    #[case(json!({ "location": "eastus", "tgas": {} }), Code::InvalidParameter, "tgas")]
    #[case(json!([]), Code::InvalidParameter, "")]
    fn what_is_wrong_is_refused_where_it_stands(
        #[case] body: Value,
        #[case] code: Code,
        #[case] target: &str,
    ) {
        let refusal = ResourceGroupSpec::read(&id(), &body, None).unwrap_err();
        assert_eq!((refusal.code, refusal.target.as_deref()), (code, Some(target)));
    }

    #[rstest]
    #[case(json!({}), &["a"], Some("me"))]
    #[case(json!({ "tags": { "b": "2" } }), &["b"], Some("me"))]
    #[case(json!({ "tags": null, "location": "West US" }), &[], Some("me"))]
    #[case(json!({ "managedBy": null, "properties": {} }), &["a"], None)]
    fn a_patch_leaves_what_it_does_not_say(
        #[case] patch: Value,
        #[case] tags: &[&str],
        #[case] managed_by: Option<&str>,
    ) {
        let body = json!({ "location": "westus", "tags": { "a": "1" }, "managedBy": "me" });
        let spec = ResourceGroupSpec::read(&id(), &body, None).unwrap();
        let system_data = SystemData::created(&Principal::anonymous(), crate::domain::time::from_micros(0));
        let group = ResourceGroup::create(id(), spec, system_data);
        let patched = group.clone().replaced(ResourceGroupSpec::read_patch(&patch, &group).unwrap());
        assert_eq!(patched.tags.keys().collect::<Vec<_>>(), tags);
        assert_eq!(patched.managed_by.as_deref(), managed_by);
        let moved = ResourceGroupSpec::read_patch(&json!({ "location": "eastus" }), &group).unwrap_err();
        assert_eq!(moved.code, Code::InvalidResourceLocation);
    }

    #[test]
    fn an_implicit_group_needs_a_name_of_the_grammar() {
        assert!(ResourceGroupSpec::implicit(&id(), "eastus").is_ok());
        let bad = ResourceId::resource_group("s", "ends.");
        assert_eq!(ResourceGroupSpec::implicit(&bad, "eastus").unwrap_err().code, Code::InvalidResourceName);
    }
}
