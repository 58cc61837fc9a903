//! Providers and their resource types, and the regions of a subscription.

use super::super::super::shape::{Member, Object, Shape};
use super::super::shared::TEXT_LIST;

/// A provider as a subscription sees it.
pub static PROVIDER: Object = Object::new(
    "Provider",
    &[
        Member::new("id", Shape::Text).required(),
        Member::new("namespace", Shape::Text).required(),
        Member::new("registrationPolicy", Shape::Text).required(),
        Member::new("registrationState", Shape::Text).required(),
        Member::new("resourceTypes", Shape::List(&Shape::Object(&RESOURCE_TYPE))).required(),
    ],
);

static RESOURCE_TYPE: Object = Object::new(
    "ProviderResourceType",
    &[
        Member::new("resourceType", Shape::Text).required(),
        Member::new("locations", TEXT_LIST).required(),
        Member::new("apiVersions", TEXT_LIST).required(),
    ],
);

/// A region.
pub static LOCATION: Object = Object::new(
    "Location",
    &[
        Member::new("id", Shape::Text).required(),
        Member::new("name", Shape::Text).required(),
        Member::new("type", Shape::Text).required(),
        Member::new("displayName", Shape::Text).required(),
        Member::new("regionalDisplayName", Shape::Text).required(),
        Member::new("metadata", Shape::Object(&LOCATION_METADATA)).required(),
    ],
);

static LOCATION_METADATA: Object = Object::new(
    "LocationMetadata",
    &[
        Member::new("regionType", Shape::Text).required(),
        Member::new("regionCategory", Shape::Text).required(),
    ],
);
