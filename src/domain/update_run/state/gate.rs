//! Gates and waits: what holds a stage or group back, or a stage's end.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Status, UpdateState};
use crate::domain::gate_schedule::ScheduledStart;
use crate::domain::time::Timestamp;

/// Where a gate stands relative to its stage's groups or its group's members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the contract's own names")]
pub enum Timing {
    Before,
    After,
}

/// What opens a gate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum GateKind {
    /// Somebody's approval.
    Approval,
    /// The next occurrence of a weekly time, or somebody who does not want to wait for it.
    ScheduledStart {
        /// The weekly time.
        schedule: ScheduledStart,
        /// The occurrence it waits for, from the moment it is reached.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        absolute: Option<Timestamp>,
    },
}

/// A gate of a stage or group in a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gate {
    /// For people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// What opens it.
    pub kind: GateKind,
    /// Its resource's name, once it is reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// NotStarted until reached, then Pending, Completed or Skipped.
    pub status: Status,
}

impl Gate {
    /// The instant at which the gate opens by itself, while it is Pending.
    pub fn opens_at(&self) -> Option<Timestamp> {
        match self.kind {
            GateKind::ScheduledStart { absolute, .. } if self.status.state == UpdateState::Pending => {
                absolute
            }
            _ => None,
        }
    }
}

/// The pause after a stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// How long.
    pub seconds: u32,
    /// NotStarted, Running, Completed or Skipped.
    pub status: Status,
}

impl Wait {
    /// When it is over, while it runs.
    pub fn ends_at(&self) -> Option<Timestamp> {
        let started = self.status.start_time.filter(|_| self.status.state == UpdateState::Running)?;
        Some(started + chrono::TimeDelta::seconds(i64::from(self.seconds)))
    }
}

/// Where a gate stands in its run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GatePlace {
    /// The stage's index.
    pub stage: usize,
    /// The group's index in the stage; none for the stage's own gates.
    pub group: Option<usize>,
    /// Before or after.
    pub timing: Timing,
    /// The index in its list.
    pub index: usize,
}
