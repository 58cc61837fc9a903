//! A resource of whatever type, as lists over all types show it.

use super::super::super::shape::{Member, Object, Shape};
use super::super::shared::{ID, NAME, TAGS, TYPE as KIND};

/// What tracked resources have in common.
pub static GENERIC_RESOURCE: Object =
    Object::new("GenericResource", &[ID, NAME, KIND, Member::new("location", Shape::Text).required(), TAGS]);
