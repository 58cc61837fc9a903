//! What the process says of its health.

use super::super::super::shape::{Member, Object, Shape, value};

/// That all is well.
pub static HEALTH: Object =
    Object::new("Health", &[Member::new("status", Shape::Choice(&[value("ok")])).required()]);
