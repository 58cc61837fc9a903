//! The `$filter` of lists of resources: conditions on what every resource has.

use super::listing::Tracked;
use crate::api::filter::{Filterable, parse};
use crate::domain::refusal::Refusal;
use crate::store::JsonEquals;

const fn by(path: &'static str, stored: &'static [&'static str]) -> Filterable {
    Filterable { path, stored, ignore_case: true, values: &[] }
}

const CONDITIONS: &[Filterable] = &[
    by("resourceType", &["resourceType"]),
    by("resourceGroup", &["resourceGroup"]),
    by("name", &["name"]),
    by("location", &["location"]),
    by("tagName", &["tagName"]),
    by("tagValue", &["tagValue"]),
];

/// The conditions, which must all hold.
pub(super) struct Wanted(Vec<JsonEquals>);

impl Wanted {
    /// Reads a `$filter`; absent, it holds for everything.
    ///
    /// # Errors
    /// `InvalidFilter`.
    pub(super) fn read(filter: Option<&str>) -> Result<Self, Refusal> {
        parse(filter, CONDITIONS).map(Self)
    }

    pub(super) fn takes(&self, resource: &Tracked) -> bool {
        let id = &resource.id;
        self.0.iter().all(|condition| {
            let is = |value: &str| value.eq_ignore_ascii_case(&condition.value);
            match condition.path {
                ["resourceType"] => is(&id.type_name()),
                ["resourceGroup"] => id.resource_group_name().is_some_and(is),
                ["name"] => is(id.name()),
                ["location"] => is(&resource.location),
                ["tagName"] => resource.tags.keys().any(|name| is(name)),
                _ => self.tags_with_value(resource, &condition.value),
            }
        })
    }

    /// Whether a tag has the value: one of the name that is asked for, where one is.
    fn tags_with_value(&self, resource: &Tracked, value: &str) -> bool {
        let name = self.0.iter().find(|condition| condition.path == ["tagName"]);
        let named = |tag: &str| name.is_none_or(|name| name.value.eq_ignore_ascii_case(tag));
        resource.tags.iter().any(|(tag, found)| named(tag) && found == value)
    }
}
