//! `/simulator/clock`: the one clock that all simulated behaviour runs on.

pub mod advance;
pub mod get;
pub mod put;

use serde_json::{Value, json};

use crate::domain::clock::Mode;
use crate::domain::time::{Timestamp, to_rfc3339};

/// What the clock shows, and how it goes.
fn shown(now: Timestamp, mode: Mode) -> Value {
    json!({ "now": to_rfc3339(now), "mode": mode.name(), "scale": mode.scale() })
}
