//! The HTTP API.

pub mod contract;
