//! `locations`: what a region offers.

pub mod kubernetes_versions;
pub mod node_image_versions;

use super::error::ApiError;
use super::extract::Call;

/// The region that the path names, as regions compare.
async fn region(call: &Call) -> Result<String, ApiError> {
    Ok(call.service.check_region(call.id.name()).await?)
}
