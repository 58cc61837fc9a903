//! `/simulator/clock`: the one clock that all simulated behaviour runs on.

pub mod advance;
pub mod get;
pub mod put;

use serde_json::{Value, json};

use crate::domain::clock::Mode;
use crate::domain::refusal::{Code, Refusal};
use crate::domain::time::{Timestamp, to_rfc3339};

/// What the clock shows, and how it goes.
fn shown(now: Timestamp, mode: Mode) -> Value {
    json!({ "now": to_rfc3339(now), "mode": mode.name(), "scale": mode.scale() })
}

/// That `body` has no members but these: one that is not understood must not be ignored.
fn only_members(body: &Value, known: &[&str]) -> Result<(), Refusal> {
    let members = body.as_object().into_iter().flat_map(|body| body.keys());
    match members.into_iter().find(|member| !known.contains(&member.as_str())) {
        None => Ok(()),
        Some(other) => {
            let message = format!("There is no member '{other}' here; those are {}.", known.join(", "));
            Err(Refusal::at(Code::InvalidParameter, other, message))
        }
    }
}
