//! Resource groups: `Microsoft.Resources/resourceGroups`.

pub mod delete;
mod exists;
pub mod get;
pub mod head;
pub mod list;
pub mod patch;
pub mod put;
mod render;

pub use exists::group_exists;

use serde_json::Value;

use super::extract::{Call, RawBody, agrees_with_url};
use crate::domain::refusal::{Faults, Refusal};

/// The body of a write, which agrees with the URL.
///
/// # Errors
/// `InvalidRequestContent`, or what does not agree.
fn body(call: &Call, body: &RawBody) -> Result<Value, Refusal> {
    let body = body.json()?;
    let mut faults = Faults::new();
    agrees_with_url(&body, call, &mut faults);
    faults.finish().map(|()| body)
}
