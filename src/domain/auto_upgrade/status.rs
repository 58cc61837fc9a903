//! What became of a profile's last trigger, as `autoUpgradeProfileStatus` shows it.

use serde::{Deserialize, Serialize};

use crate::domain::time::Timestamp;

/// Whether a trigger led to what it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the contract's own names")]
pub enum TriggerOutcome {
    Succeeded,
    Failed,
}

/// Why a trigger failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TriggerError {
    /// For programs.
    pub code: String,
    /// For people.
    pub message: String,
}

/// `autoUpgradeProfileStatus`; empty until the first trigger.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TriggerStatus {
    /// When the channel moved last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_triggered_at: Option<Timestamp>,
    /// What became of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_trigger_status: Option<TriggerOutcome>,
    /// Why it failed, where it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_trigger_error: Option<TriggerError>,
    /// Where the channel moved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub last_trigger_upgrade_versions: Vec<String>,
    /// Which run came of it, or why none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_trigger_message: Option<String>,
}
