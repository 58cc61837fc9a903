//! `Microsoft.Resources/resourceGroups`.

use super::super::super::shape::{Member, Object, Shape, value};
use super::super::shared::{ID, NAME, TAGS, TYPE as KIND};

/// A group.
pub static RESOURCE_GROUP: Object = Object::new(
    "ResourceGroup",
    &[
        ID,
        NAME,
        KIND,
        Member::new("location", Shape::Text).says("Required of a new group; never changes."),
        MANAGED_BY,
        TAGS,
        Member::new("properties", Shape::Object(&PROPERTIES)).read_only(),
    ],
);

/// What PATCH takes.
pub static RESOURCE_GROUP_PATCH: Object = Object::new("ResourceGroupPatchable", &[MANAGED_BY, TAGS]);

const MANAGED_BY: Member = Member::new("managedBy", Shape::Text);

static PROPERTIES: Object = Object::new(
    "ResourceGroupProperties",
    &[Member::new("provisioningState", Shape::Choice(&[value("Succeeded"), value("Deleting")])).read_only()],
);
