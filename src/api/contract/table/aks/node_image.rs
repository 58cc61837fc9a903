//! `locations/nodeImageVersions`: what a region offers.

use super::super::super::shape::{Member, Object, Shape};

/// One image.
pub static NODE_IMAGE: Object = Object::new(
    "OfferedNodeImage",
    &[
        Member::new("os", Shape::Text).required(),
        Member::new("sku", Shape::Text).required(),
        Member::new("version", Shape::Text).required(),
        Member::new("fullName", Shape::Text).required(),
    ],
);
