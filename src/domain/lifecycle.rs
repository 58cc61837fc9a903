//! A resource's provisioning: what ARM shows as `provisioningState`, and which writes it allows meanwhile.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::refusal::{Code, Refusal};
use super::resource_id::ResourceId;

/// Where a resource stands. Members show `Creating` as `Joining` and `Deleting` as `Leaving`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "ARM's own names")]
pub enum ProvisioningState {
    Creating,
    Updating,
    Deleting,
    Succeeded,
    Failed,
    Canceled,
}

impl ProvisioningState {
    /// Whether an operation is under way.
    pub fn is_in_flight(self) -> bool {
        matches!(self, Self::Creating | Self::Updating | Self::Deleting)
    }

    /// The word for it in the body of `id`: clusters join and leave a fleet where others are created and deleted.
    pub fn shown_by(self, id: &ResourceId) -> &'static str {
        match self {
            Self::Creating if is_member(id) => "Joining",
            Self::Deleting if is_member(id) => "Leaving",
            Self::Creating => "Creating",
            Self::Updating => "Updating",
            Self::Deleting => "Deleting",
            Self::Succeeded => "Succeeded",
            Self::Failed => "Failed",
            Self::Canceled => "Canceled",
        }
    }
}

fn is_member(id: &ResourceId) -> bool {
    id.is_container_service("fleets/members")
}

/// An error that an operation ended with, as bodies carry it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperationError {
    /// An ARM or AKS error code.
    pub code: String,
    /// For the user.
    pub message: String,
}

/// The provisioning of one resource and the last operation on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lifecycle {
    /// Where it stands.
    pub state: ProvisioningState,
    /// The last (or current) operation's id: `status.lastOperationId`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<Uuid>,
    /// What the last operation failed with: `status.lastOperationError`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<OperationError>,
}

impl Lifecycle {
    /// Of a resource whose writes are done at once.
    pub fn succeeded() -> Self {
        Self { state: ProvisioningState::Succeeded, operation: None, error: None }
    }

    /// While `operation` is under way.
    pub fn during(state: ProvisioningState, operation: Uuid) -> Self {
        Self { state, operation: Some(operation), error: None }
    }

    /// After the operation under way has succeeded.
    #[must_use]
    pub fn finished(self) -> Self {
        Self { state: ProvisioningState::Succeeded, error: None, ..self }
    }

    /// Whether a write (other than DELETE) may begin.
    ///
    /// # Errors
    /// `OperationNotAllowed` while an operation is under way (the ARM protocol: long-running operations).
    pub fn check_writable(&self, id: &ResourceId) -> Result<(), Refusal> {
        if self.state.is_in_flight() {
            return Err(Refusal::new(
                Code::OperationNotAllowed,
                format!(
                    "Another operation{} is in progress on {id} (provisioningState {}). Wait until it has ended.",
                    self.operation.map(|guid| format!(" ({guid})")).unwrap_or_default(),
                    self.state.shown_by(id)
                ),
            ));
        }
        Ok(())
    }

    /// Whether children of the resource may be written: not while it is being deleted.
    ///
    /// # Errors
    /// `OperationNotAllowed`.
    pub fn check_children_writable(&self, id: &ResourceId) -> Result<(), Refusal> {
        if self.state == ProvisioningState::Deleting {
            return Err(Refusal::new(Code::OperationNotAllowed, format!("{id} is being deleted.")));
        }
        Ok(())
    }
}
