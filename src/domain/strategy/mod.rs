//! Update strategies: stages in sequence, groups in parallel, the gates, waits and limits around them.
//!
//! These are the types that a run is planned from; their JSON form is the contract's, so a strategy is stored and
//! echoed as it was sent. How members are found for a group is the engine's business. Reading and checking is in
//! `read`; to add a member of a stage or group, add it here, read it there, and give it a row in the contract.

mod read;

use serde::{Deserialize, Serialize};

use super::gate_schedule::ScheduledStart;
use super::limit::{MaxAllowedFailures, MaxConcurrency};
use super::resource_id::ResourceId;
use super::system_data::SystemData;

/// The most stages of one strategy.
pub const MAX_STAGES: usize = 50;
/// The most groups of one stage.
pub const MAX_GROUPS: usize = 50;
/// The longest wait after a stage, in seconds (some 68 years).
pub const MAX_STAGE_WAIT_SECONDS: i64 = 2_147_483_647;

/// An update strategy as a resource, to be used by runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UpdateStrategy {
    /// Where it is.
    pub id: ResourceId,
    /// Who wrote it.
    pub system_data: SystemData,
    /// What it says.
    pub strategy: Strategy,
}

/// What an update run does in which order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strategy {
    /// The stages, in the order in which they run; 1 to [`MAX_STAGES`].
    pub stages: Vec<StageSpec>,
}

/// One stage: what runs together before the next begins.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StageSpec {
    /// Unique in the strategy, without case.
    pub name: String,
    /// The groups, up to [`MAX_GROUPS`]; may be empty where there is a selector.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<GroupSpec>,
    /// Which members the stage is about; absent: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member_selector: Option<MemberSelector>,
    /// How long to wait after the last group ended, in seconds.
    #[serde(rename = "afterStageWaitInSeconds", default, skip_serializing_if = "Option::is_none")]
    pub after_stage_wait_seconds: Option<u32>,
    /// How many members of the stage are upgraded at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_concurrency: Option<MaxConcurrency>,
    /// How many members of the stage may fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_allowed_failures: Option<MaxAllowedFailures>,
    /// What must be completed before the stage's groups begin.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before_gates: Vec<GateSpec>,
    /// What must be completed before the next stage begins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after_gates: Vec<GateSpec>,
}

/// One group of a stage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GroupSpec {
    /// Unique in the stage; the members whose `group` is this name, unless there is a selector.
    pub name: String,
    /// Which members of the stage belong to the group, in place of the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member_selector: Option<MemberSelector>,
    /// How many members of the group are upgraded at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_concurrency: Option<MaxConcurrency>,
    /// How many members of the group may fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_allowed_failures: Option<MaxAllowedFailures>,
    /// What must be completed before the group's members begin.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before_gates: Vec<GateSpec>,
    /// What must be completed before the group counts as ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after_gates: Vec<GateSpec>,
}

/// A choice of members by their labels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MemberSelector {
    /// A Kubernetes label selector, checked when it was written; kept as it was sent.
    pub by_label: String,
}

/// What kind of gate holds the run back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GateType {
    /// Somebody completes it.
    Approval,
    /// It completes itself at the next occurrence of its schedule.
    ScheduledStart,
}

/// One gate of a stage or group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GateSpec {
    /// For people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// What kind it is.
    #[serde(rename = "type")]
    pub kind: GateType,
    /// When it opens: exactly for [`GateType::ScheduledStart`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheduled_start_configuration: Option<ScheduledStart>,
}
