//! The levels of a run: groups, stages, the run itself, and the questions asked of them.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Gate, GatePlace, Member, Status, Timing, UpdateState, Wait};
use crate::domain::time::Timestamp;
use crate::domain::update_run::index::{Index, Indexed};
use crate::domain::update_run::target::Target;

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
    pub(in crate::domain::update_run) fn edit(&mut self, ordinal: u32, change: impl FnOnce(&mut Member)) {
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

fn numbered(
    stage: usize,
    group: Option<usize>,
    timing: Timing,
    gates: &[Gate],
) -> impl Iterator<Item = (GatePlace, &Gate)> {
    gates.iter().enumerate().map(move |(index, gate)| (GatePlace { stage, group, timing, index }, gate))
}
