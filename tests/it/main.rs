//! The one integration-test binary.
fn main() {}
