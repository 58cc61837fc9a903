//! What whoever watches over the process asks: whether it lives, whether it can serve, how it is doing.
//!
//! No ARM here: no api-version, no caller. A check that needs more than a moment does not belong here.

pub mod livez;
pub mod metrics;
pub mod readyz;
