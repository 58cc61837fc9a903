//! `fleets/managedNamespaces`.

mod delete;
mod patch;
mod put;

use fleetplane::testing::app::FLEET;

/// A namespace in the fleet that most tests are in.
fn path() -> String {
    format!("{FLEET}/managedNamespaces/team-a")
}
