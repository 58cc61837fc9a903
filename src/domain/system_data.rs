//! Who made and last changed a resource, and when (the ARM protocol: ids, names, bodies).
//!
//! Moves on users' writes only, never on the service's own.

use serde::{Deserialize, Serialize};

use super::time::Timestamp;

/// What kind of identity a [`Principal`] is, as ARM names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "ARM's own names")]
pub enum IdentityType {
    User,
    Application,
}

/// Who sends a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Principal {
    /// A user's principal name, or an application's or object's id.
    pub name: String,
    /// What `name` names.
    pub kind: IdentityType,
}

impl Principal {
    /// The service itself: of what comes about without a request.
    pub fn service() -> Self {
        Self { name: "fleetplane".to_owned(), kind: IdentityType::Application }
    }

    /// The principal of a request that carries no token.
    pub fn anonymous() -> Self {
        Self { name: "anonymous".to_owned(), kind: IdentityType::User }
    }
}

/// ARM's `systemData`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "ARM's own names")]
pub struct SystemData {
    pub created_by: String,
    pub created_by_type: IdentityType,
    pub created_at: Timestamp,
    pub last_modified_by: String,
    pub last_modified_by_type: IdentityType,
    pub last_modified_at: Timestamp,
}

impl SystemData {
    /// Of a resource that `by` makes now.
    pub fn created(by: &Principal, now: Timestamp) -> Self {
        Self {
            created_by: by.name.clone(),
            created_by_type: by.kind,
            created_at: now,
            last_modified_by: by.name.clone(),
            last_modified_by_type: by.kind,
            last_modified_at: now,
        }
    }

    /// After a change by `by` now.
    #[must_use]
    pub fn modified(self, by: &Principal, now: Timestamp) -> Self {
        Self {
            last_modified_by: by.name.clone(),
            last_modified_by_type: by.kind,
            last_modified_at: now,
            ..self
        }
    }
}
