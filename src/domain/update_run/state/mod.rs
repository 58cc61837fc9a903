//! A run's whole state: what is stored, what `status` shows, and nothing that can be derived cheaply.
//!
//! [`run`] has the levels, [`member`] the members, [`gate`] what holds levels back; here is what all of them share. Members
//! stand in one flat list in plan order; a group owns a range of it, so that a tick can say by number which members it
//! changed. To add a level or a kind of gate, begin here and follow the compiler.

mod gate;
mod member;
mod run;

pub use gate::{Gate, GateKind, GatePlace, Timing, Wait};
pub use member::{Member, PendingReason};
pub use run::{Breach, Group, Run, Stage, StopReason};

use serde::{Deserialize, Serialize};

use crate::domain::time::Timestamp;

/// The contract's `UpdateState`, used at every level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the contract's own names, defined by the table of states")]
pub enum UpdateState {
    #[default]
    NotStarted,
    Running,
    Pending,
    Stopping,
    Stopped,
    Skipped,
    Failed,
    Completed,
}

impl UpdateState {
    /// All states.
    pub const ALL: [Self; 8] = [
        Self::NotStarted,
        Self::Running,
        Self::Pending,
        Self::Stopping,
        Self::Stopped,
        Self::Skipped,
        Self::Failed,
        Self::Completed,
    ];

    /// The state's name, as the contract spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotStarted => "NotStarted",
            Self::Running => "Running",
            Self::Pending => "Pending",
            Self::Stopping => "Stopping",
            Self::Stopped => "Stopped",
            Self::Skipped => "Skipped",
            Self::Failed => "Failed",
            Self::Completed => "Completed",
        }
    }

    /// Whether a member in this state holds a slot.
    pub fn is_in_flight(self) -> bool {
        matches!(self, Self::Running | Self::Stopping)
    }

    /// Whether a member, gate or wait in this state is over (a start may still try a `Failed` member again).
    pub fn is_over(self) -> bool {
        matches!(self, Self::Completed | Self::Skipped | Self::Failed)
    }

    /// Whether a group or stage in this state is closed for good.
    pub fn is_closed(self) -> bool {
        matches!(self, Self::Completed | Self::Skipped)
    }
}

/// Why something failed, waits or stops, as `status.error` shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// A code for programs.
    pub code: String,
    /// For people: what is the case, what unblocks it, and when, where that is known.
    pub message: String,
    /// The single causes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<Explanation>,
}

impl Explanation {
    /// An explanation without details.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into(), details: Vec::new() }
    }
}

/// The contract's `UpdateStatus`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The state.
    pub state: UpdateState,
    /// When it began; what that means at each level is in the module doc of [`crate::domain::update_run`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_time: Option<Timestamp>,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed_time: Option<Timestamp>,
    /// Why it failed or waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Explanation>,
}

impl Status {
    /// Ends in `state` at `now`; what explained the state before goes.
    pub fn end(&mut self, state: UpdateState, now: Timestamp) {
        *self = Self { state, start_time: self.start_time, completed_time: Some(now), error: None };
    }

    /// Notes the beginning, once.
    pub fn begin(&mut self, now: Timestamp) {
        self.start_time.get_or_insert(now);
    }
}
