//! The one integration-test binary.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod api;
mod scenarios;
mod start;
mod store;
