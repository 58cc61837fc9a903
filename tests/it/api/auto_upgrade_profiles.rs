//! `fleets/autoUpgradeProfiles`: its wire form, its rules, and the runs it makes when asked; what it does by itself is in the
//! scenarios.

mod delete;
mod generate;
mod list;
mod put;

use fleetplane::testing::app::FLEET;
use serde_json::{Value, json};

fn path() -> String {
    format!("{FLEET}/autoUpgradeProfiles/p1")
}

#[expect(clippy::needless_pass_by_value, reason = "tests write the properties where they call")]
fn body(properties: Value) -> Value {
    json!({ "properties": properties })
}
