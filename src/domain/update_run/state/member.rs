//! A member in a run, and why it may have to wait.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Status, UpdateState};
use crate::domain::kubernetes_version::KubernetesVersion;
use crate::domain::node_image::NodeImage;
use crate::domain::resource_id::ResourceId;
use crate::domain::time::Timestamp;

/// Why a member that could be upgraded is not upgraded now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason")]
pub enum PendingReason {
    /// The version has not reached the cluster's region.
    VersionNotAvailable {
        /// Which version.
        version: KubernetesVersion,
        /// The cluster's region.
        region: String,
        /// Where it is.
        in_regions: Vec<String>,
        /// When it comes, where that is known.
        comes_at: Option<Timestamp>,
    },
    /// A node image has not reached the cluster's region.
    ImageNotAvailable {
        /// Which image, or the family where no image of it is there.
        image: String,
        /// The image as such, where one is asked for.
        wanted: Option<NodeImage>,
        /// The cluster's region.
        region: String,
        /// Where it is.
        in_regions: Vec<String>,
        /// When it comes, where that is known.
        comes_at: Option<Timestamp>,
    },
    /// The cluster's maintenance window is closed.
    WindowClosed {
        /// When it opens next; none where it never does.
        opens: Option<Timestamp>,
    },
    /// Another operation is in progress on the cluster.
    OperationInProgress {
        /// What it is, in words.
        operation: String,
        /// When it ends, where that is known.
        until: Option<Timestamp>,
    },
    /// The reason has gone; all slots are taken.
    NoFreeSlot {
        /// When its maintenance window closes, which makes it wait for the next one.
        window_closes: Option<Timestamp>,
    },
}

impl PendingReason {
    /// The instant at which the reason changes by itself, where that is known.
    pub fn until(&self) -> Option<Timestamp> {
        match self {
            Self::VersionNotAvailable { comes_at, .. } | Self::ImageNotAvailable { comes_at, .. } => {
                *comes_at
            }
            Self::WindowClosed { opens } => *opens,
            Self::OperationInProgress { until, .. } => *until,
            Self::NoFreeSlot { window_closes } => *window_closes,
        }
    }

    /// Whether the member only waits for a slot.
    pub fn is_no_slot(&self) -> bool {
        matches!(self, Self::NoFreeSlot { .. })
    }

    /// Whether a release may end it.
    pub fn waits_for_release(&self) -> bool {
        matches!(self, Self::VersionNotAvailable { .. } | Self::ImageNotAvailable { .. })
    }
}

/// A fleet member in a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// The member's name.
    pub name: String,
    /// Its cluster.
    pub cluster: ResourceId,
    /// State and times of the last attempt.
    pub status: Status,
    /// The cluster operation of the last attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<Uuid>,
    /// Why it waits, was skipped, or what it left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Why it is Pending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<PendingReason>,
    /// How often a start has tried it again.
    #[serde(default)]
    pub attempt: u32,
    /// Whether it is only shown here, because it runs in an earlier place.
    #[serde(default)]
    pub runs_elsewhere: bool,
}

impl Member {
    /// Its state.
    pub fn state(&self) -> UpdateState {
        self.status.state
    }

    /// Undoes a judgement: the member is as it was before it was first looked at in this attempt.
    pub fn unjudge(&mut self) {
        self.status = Status::default();
        self.operation = None;
        self.message = None;
        self.pending = None;
    }
}
