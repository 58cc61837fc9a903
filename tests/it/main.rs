//! The one integration-test binary.

mod api;
mod store;
