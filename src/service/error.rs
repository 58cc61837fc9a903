//! Why a use case failed: the user's fault (a [`Refusal`], shown) or ours (a [`StoreError`], never shown).

use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::store::StoreError;

/// A failed use case.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The request is refused; nothing was changed.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Storage failed; nothing was changed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ServiceError {
    /// A resource that a GET, PATCH or POST names does not exist.
    pub fn not_found(id: &ResourceId) -> Self {
        Refusal::new(Code::ResourceNotFound, format!("The resource {id} was not found.")).into()
    }

    /// The resource around the one that a PUT or list names does not exist.
    pub fn parent_not_found(parent: &ResourceId) -> Self {
        Refusal::new(
            Code::ParentResourceNotFound,
            format!("The parent resource {parent} was not found. Create it first."),
        )
        .into()
    }
}
