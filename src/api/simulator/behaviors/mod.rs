//! `/simulator/behaviors{cluster resource id}`: how one cluster behaves.

pub mod delete;
pub mod get;
pub mod put;

use axum::http::Uri;

use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_id::ResourceId;

/// The cluster that the path ends with.
fn cluster(uri: &Uri) -> Result<ResourceId, Refusal> {
    let path = uri.path();
    let id = path.strip_prefix("/simulator/behaviors").unwrap_or(path).parse();
    id.map_err(|problem| Refusal::new(Code::BadRequest, format!("The URL names no cluster: {problem}.")))
}
