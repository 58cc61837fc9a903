//! Whether a group exists: what its own GET and HEAD ask first, and lists of what is in it.

use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_group::ResourceGroup;
use crate::service::ServiceError;

/// That the group the call is about exists.
///
/// # Errors
/// `ResourceGroupNotFound`, or storage's.
pub async fn group_exists(call: &Call) -> Result<(), ApiError> {
    match call.service.read::<ResourceGroup>(&call.id).await {
        Err(ServiceError::Refused(refusal)) if refusal.code == Code::ResourceNotFound => Err(Refusal::new(
            Code::ResourceGroupNotFound,
            format!("The resource group '{}' was not found.", call.id.name()),
        )
        .into()),
        other => Ok(other.map(drop)?),
    }
}
