//! What tests and benchmarks share. Built with the feature `test-util` only.

pub mod app;
mod conformance;
pub mod databases;
pub mod estate;
pub mod faults;
pub mod service;
