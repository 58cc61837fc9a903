//! Polling of long-running operations, and the list of what the provider can do.

pub mod result;
pub mod status;
