//! The `fleetplane` binary.

fn main() {}
