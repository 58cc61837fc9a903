//! A run's whole state: what is stored, what `status` shows, and nothing that can be derived cheaply.
//!
//! Members stand in one flat list in plan order; a group owns a range of it, so that a tick can say by number
//! which members it changed. To add a level or a kind of gate, begin here and follow the compiler.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::index::{Index, Indexed};
use super::target::Target;
use crate::domain::gate_schedule::ScheduledStart;
use crate::domain::kubernetes_version::KubernetesVersion;
use crate::domain::node_image::NodeImage;
use crate::domain::resource_id::ResourceId;
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

/// A group of a stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// State and times.
    pub status: Status,
    /// In-flight members at once, resolved.
    pub max_concurrency: u32,
    /// Failed members it tolerates, resolved.
    pub max_allowed_failures: u32,
    /// Before its members.
    pub before_gates: Vec<Gate>,
    /// After its members.
    pub after_gates: Vec<Gate>,
    /// Which of the run's members are shown in it.
    pub members: Range<u32>,
    /// How many of them run here (the others run in an earlier place).
    pub planned: u32,
}

/// A stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    /// Its name.
    pub name: String,
    /// State and times.
    pub status: Status,
    /// In-flight members at once over all groups, resolved.
    pub max_concurrency: u32,
    /// Failed members it tolerates over all groups, resolved.
    pub max_allowed_failures: u32,
    /// Before its groups.
    pub before_gates: Vec<Gate>,
    /// After its groups, beside the wait.
    pub after_gates: Vec<Gate>,
    /// After its groups, beside the after-gates.
    pub wait: Option<Wait>,
    /// Its groups.
    pub groups: Vec<Group>,
    /// When the last group ended: both clocks of the stage's end start then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups_ended: Option<Timestamp>,
}

impl Stage {
    /// How many members run in it.
    pub fn planned(&self) -> u32 {
        self.groups.iter().map(|group| group.planned).sum()
    }

    /// Which of the run's members are shown in it.
    pub fn members(&self) -> Range<u32> {
        let start = self.groups.first().map_or(0, |group| group.members.start);
        start..self.groups.last().map_or(start, |group| group.members.end)
    }
}

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

/// Why a run stops, or has stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason")]
pub enum StopReason {
    /// Somebody asked for it.
    Requested,
    /// More members failed than a group or stage tolerates.
    Breach(Breach),
}

/// A failure budget that was exceeded first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Breach {
    /// The stage.
    pub stage: String,
    /// The group, where its own budget was exceeded.
    pub group: Option<String>,
}

/// An update run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Made with the run, never used again: ids derived from it name this run and no later one of the same name.
    pub uid: Uuid,
    /// What members are upgraded to.
    pub target: Target,
    /// State and times.
    pub status: Status,
    /// Why it stops or stopped; gone with the next start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<StopReason>,
    /// The stages, in order.
    pub stages: Vec<Stage>,
    /// The releases counter at the last look: another value may end a wait for a release.
    #[serde(default)]
    pub releases_seen: i64,
    /// The members, in plan order. Stored apart, a row a member. Only the engine changes them, once they are there.
    #[serde(skip)]
    pub members: Vec<Member>,
    /// What is known of the members' states.
    #[serde(skip)]
    pub index: Indexed,
}

impl Run {
    /// Whether a tick may start members.
    pub fn is_active(&self) -> bool {
        matches!(self.status.state, UpdateState::Running | UpdateState::Pending | UpdateState::Stopping)
    }

    /// The first stage that is not closed.
    pub fn current_stage(&self) -> Option<usize> {
        self.stages.iter().position(|stage| !stage.status.state.is_closed())
    }

    /// The members of a range.
    pub fn members_of(&self, range: &Range<u32>) -> &[Member] {
        &self.members[range.start as usize..range.end as usize]
    }

    /// The member with this number.
    pub fn member(&self, ordinal: u32) -> &Member {
        &self.members[ordinal as usize]
    }

    /// How many members of a range are `Failed` now: `failureCount` at every level.
    pub fn failures(&self, range: &Range<u32>) -> u32 {
        match self.index.get() {
            Some(index) => index.failed.range(range.clone()).count() as u32,
            None => self.count(range, |state| state == UpdateState::Failed),
        }
    }

    /// How many members of a range are in flight.
    pub fn in_flight(&self, range: &Range<u32>) -> u32 {
        match self.index.get() {
            Some(index) => index.in_flight.range(range.clone()).count() as u32,
            None => self.count(range, UpdateState::is_in_flight),
        }
    }

    /// Whether any member of a range is Pending.
    pub fn any_pending(&self, range: &Range<u32>) -> bool {
        match self.index.get() {
            Some(index) => index.pending.range(range.clone()).next().is_some(),
            None => self.count(range, |state| state == UpdateState::Pending) > 0,
        }
    }

    fn count(&self, range: &Range<u32>, is_meant: impl Fn(UpdateState) -> bool) -> u32 {
        self.members_of(range).iter().filter(|member| is_meant(member.state())).count() as u32
    }

    /// The numbers of all members in flight.
    pub fn all_in_flight(&self) -> Vec<u32> {
        self.having(|index| &index.in_flight, |member| member.state().is_in_flight())
    }

    /// The numbers of all Pending members.
    pub fn all_pending(&self) -> Vec<u32> {
        self.having(|index| &index.pending, |member| member.state() == UpdateState::Pending)
    }

    fn having(&self, set: impl Fn(&Index) -> &BTreeSet<u32>, is_meant: impl Fn(&Member) -> bool) -> Vec<u32> {
        match self.index.get() {
            Some(index) => set(index).iter().copied().collect(),
            None => (0..).zip(&self.members).filter(|(_, member)| is_meant(member)).map(|(n, _)| n).collect(),
        }
    }

    /// Changes one member.
    pub(super) fn edit(&mut self, ordinal: u32, change: impl FnOnce(&mut Member)) {
        let index = self.index.build(&self.members);
        let member = &mut self.members[ordinal as usize];
        index.remove(ordinal, member);
        change(member);
        index.add(ordinal, member);
        index.unexplained.insert(ordinal);
    }

    /// Every gate, with its place.
    pub fn gates(&self) -> impl Iterator<Item = (GatePlace, &Gate)> {
        self.stages.iter().enumerate().flat_map(|(s, stage)| {
            let own = numbered(s, None, Timing::Before, &stage.before_gates).chain(numbered(
                s,
                None,
                Timing::After,
                &stage.after_gates,
            ));
            own.chain(stage.groups.iter().enumerate().flat_map(move |(g, group)| {
                numbered(s, Some(g), Timing::Before, &group.before_gates).chain(numbered(
                    s,
                    Some(g),
                    Timing::After,
                    &group.after_gates,
                ))
            }))
        })
    }

    /// The gates at one place: of a stage, or of a group of it, before or after.
    pub fn gate_list(&self, stage: usize, group: Option<usize>, timing: Timing) -> &[Gate] {
        let stage = &self.stages[stage];
        match (group.map(|group| &stage.groups[group]), timing) {
            (None, Timing::Before) => &stage.before_gates,
            (None, Timing::After) => &stage.after_gates,
            (Some(group), Timing::Before) => &group.before_gates,
            (Some(group), Timing::After) => &group.after_gates,
        }
    }

    /// The gate at a place.
    pub fn gate_mut(&mut self, place: GatePlace) -> &mut Gate {
        let stage = &mut self.stages[place.stage];
        let (before, after) = match place.group {
            None => (&mut stage.before_gates, &mut stage.after_gates),
            Some(group) => {
                let group = &mut stage.groups[group];
                (&mut group.before_gates, &mut group.after_gates)
            }
        };
        match place.timing {
            Timing::Before => &mut before[place.index],
            Timing::After => &mut after[place.index],
        }
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

fn numbered(
    stage: usize,
    group: Option<usize>,
    timing: Timing,
    gates: &[Gate],
) -> impl Iterator<Item = (GatePlace, &Gate)> {
    gates.iter().enumerate().map(move |(index, gate)| (GatePlace { stage, group, timing, index }, gate))
}
