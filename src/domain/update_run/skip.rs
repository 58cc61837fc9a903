//! Skipping members, groups, stages and waits (the engine: actions, skip). All targets or none.

use std::collections::BTreeSet;

use super::command::{Changes, allowed, retriable};
use super::rollup;
use super::state::{GatePlace, Group, Run, Stage, UpdateState};
use crate::domain::refusal::{Code, Faults, Refusal};
use crate::domain::time::Timestamp;

/// What a target names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the contract's own names")]
pub enum TargetType {
    Member,
    Group,
    Stage,
    AfterStageWait,
}

/// One target of a skip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkipTarget {
    /// What it names.
    pub kind: TargetType,
    /// The member's, group's or stage's name; for a wait the name of its stage.
    pub name: String,
}

/// The message of a member that was skipped on request.
const REQUESTED: &str = "skipped by request.";

/// Skips all of `targets`.
///
/// # Errors
/// `OperationNotAllowed` in a state that allows no skip, or where a target is in flight or over; `InvalidParameter`
/// where a name is unknown or a stage has no wait. Nothing is changed then.
pub fn skip(run: &mut Run, targets: &[SkipTarget], now: Timestamp) -> Result<Changes, Refusal> {
    use UpdateState::{Failed, NotStarted, Pending, Running, Stopped};
    allowed(run, "changed by skip", &[NotStarted, Running, Pending, Stopped, Failed])?;
    let plan = Plan::of(run, targets)?;
    Ok(plan.carry_out(run, now))
}

/// What is to be skipped, once all targets are known to be good.
#[derive(Default)]
struct Plan {
    members: BTreeSet<u32>,
    groups: Vec<(usize, usize)>,
    stages: Vec<usize>,
    waits: Vec<usize>,
}

impl Plan {
    fn of(run: &Run, targets: &[SkipTarget]) -> Result<Self, Refusal> {
        let mut plan = Self::default();
        let (mut unknown, mut forbidden) = (Faults::new(), Faults::new());
        for (n, target) in targets.iter().enumerate() {
            let added = match target.kind {
                TargetType::Member => plan.add_member(run, &target.name),
                TargetType::Group => plan.add_group(run, &target.name),
                TargetType::Stage => plan.add_stage(run, &target.name),
                TargetType::AfterStageWait => plan.add_wait(run, &target.name),
            };
            match added {
                Ok(()) => {}
                Err((Code::OperationNotAllowed, message)) => {
                    forbidden.add(Code::OperationNotAllowed, format!("targets[{n}]"), message);
                }
                Err((code, message)) => unknown.add(code, format!("targets[{n}].name"), message),
            }
        }
        unknown.finish()?;
        forbidden.finish()?;
        Ok(plan)
    }

    fn add_member(&mut self, run: &Run, name: &str) -> Result<(), (Code, String)> {
        let mut named = (0..).zip(&run.members).filter(|(_, member)| same(&member.name, name));
        let found = named.find(|(_, member)| !member.runs_elsewhere);
        let (ordinal, member) = found.ok_or_else(|| unknown("member", name))?;
        match member.state() {
            UpdateState::NotStarted | UpdateState::Pending => {}
            UpdateState::Failed if run.stop.is_some() && retriable(run).contains(&ordinal) => {}
            state if state.is_in_flight() => {
                return Err(over(format!(
                    "Member '{name}' is being upgraded and cannot be skipped any more."
                )));
            }
            state => return Err(over(format!("Member '{name}' has ended already: it is {state:?}."))),
        }
        self.members.insert(ordinal);
        Ok(())
    }

    fn add_group(&mut self, run: &Run, name: &str) -> Result<(), (Code, String)> {
        let named: Vec<(usize, usize)> = run
            .stages
            .iter()
            .enumerate()
            .flat_map(|(s, stage)| stage.groups.iter().enumerate().map(move |(g, group)| (s, g, group)))
            .filter(|(_, _, group)| same(&group.name, name))
            .map(|(s, g, _)| (s, g))
            .collect();
        if named.is_empty() {
            return Err(unknown("group", name));
        }
        let is_open = |(s, g): &(usize, usize)| !run.stages[*s].groups[*g].status.state.is_closed();
        let open: Vec<(usize, usize)> = named.into_iter().filter(is_open).collect();
        if open.is_empty() {
            return Err(over(format!("Group '{name}' has ended already.")));
        }
        self.groups.extend(open);
        Ok(())
    }

    fn add_stage(&mut self, run: &Run, name: &str) -> Result<(), (Code, String)> {
        let (index, stage) = stage_named(run, name)?;
        if stage.status.state.is_closed() {
            return Err(over(format!("Stage '{name}' has ended already: it is {:?}.", stage.status.state)));
        }
        self.stages.push(index);
        let open = |group: &&(usize, &Group)| !group.1.status.state.is_closed();
        let groups = stage.groups.iter().enumerate();
        self.groups.extend(groups.filter(|group| open(&group)).map(|(group, _)| (index, group)));
        Ok(())
    }

    fn add_wait(&mut self, run: &Run, name: &str) -> Result<(), (Code, String)> {
        let (index, stage) = stage_named(run, name)?;
        let Some(wait) = &stage.wait else {
            return Err((Code::InvalidParameter, format!("Stage '{name}' has no wait after it.")));
        };
        if wait.status.state.is_over() {
            return Err(over(format!(
                "The wait after stage '{name}' is over: it is {:?}.",
                wait.status.state
            )));
        }
        self.waits.push(index);
        Ok(())
    }

    fn carry_out(mut self, run: &mut Run, now: Timestamp) -> Changes {
        let may_fail_no_more = if run.stop.is_some() { retriable(run) } else { BTreeSet::new() };
        for &(s, g) in &self.groups {
            let skippable = |ordinal: &u32| match run.member(*ordinal).state() {
                UpdateState::NotStarted | UpdateState::Pending => true,
                UpdateState::Failed => may_fail_no_more.contains(ordinal),
                _ => false,
            };
            self.members.extend(run.stages[s].groups[g].members.clone().filter(skippable));
        }
        for &ordinal in &self.members {
            run.edit(ordinal, |member| {
                member.unjudge();
                member.status.end(UpdateState::Skipped, now);
                member.message = Some(REQUESTED.to_owned());
            });
        }
        let mut gates = Vec::new();
        for &(s, g) in &self.groups {
            gates.extend(rollup::drop_gates(run, s, Some(g), now));
        }
        for &stage in &self.stages {
            gates.extend(rollup::drop_stage_end(run, stage, now));
        }
        for &stage in &self.waits {
            if let Some(wait) = &mut run.stages[stage].wait {
                wait.status.end(UpdateState::Skipped, now);
            }
        }
        gates.extend(self.close(run, now));
        Changes { members: self.members, gates }
    }

    /// Closes what this has ended: what was named, as soon as nothing of it is in flight; and what holds nobody any
    /// more who was ever judged, because nobody wants to approve, or to wait, for nothing. Everything else stays open
    /// until the flow of the run comes to its end, so that gates and waits that were not named still count.
    fn close(&self, run: &mut Run, now: Timestamp) -> Vec<GatePlace> {
        let mut gates = Vec::new();
        for s in 0..run.stages.len() {
            let mut touched = self.stages.contains(&s);
            for g in 0..run.stages[s].groups.len() {
                if self.ends_group(run, s, g) {
                    gates.extend(rollup::drop_gates(run, s, Some(g), now));
                    rollup::close_group(run, s, g, now);
                    touched = true;
                }
            }
            if touched && self.ends_stage(run, s) {
                gates.extend(rollup::close_stage(run, s, now));
            }
        }
        gates
    }

    fn ends_group(&self, run: &Run, s: usize, g: usize) -> bool {
        let group = &run.stages[s].groups[g];
        if group.status.state.is_closed() {
            return false;
        }
        let members = run.members_of(&group.members);
        if self.groups.contains(&(s, g)) {
            return members.iter().all(|member| member.state().is_over());
        }
        let hit = self.members.range(group.members.clone()).next().is_some();
        hit && group.status.start_time.is_none()
            && members.iter().all(|member| member.state() == UpdateState::Skipped)
    }

    fn ends_stage(&self, run: &Run, s: usize) -> bool {
        let stage = &run.stages[s];
        let mut groups = stage.groups.iter();
        if stage.status.state.is_closed() {
            return false;
        }
        if self.stages.contains(&s) {
            return groups.all(|group| group.planned == 0 || group.status.state.is_closed());
        }
        stage.status.start_time.is_none()
            && groups.all(|group| group.planned == 0 || group.status.state == UpdateState::Skipped)
    }
}

fn stage_named<'a>(run: &'a Run, name: &str) -> Result<(usize, &'a Stage), (Code, String)> {
    let mut stages = run.stages.iter().enumerate();
    stages.find(|(_, stage)| same(&stage.name, name)).ok_or_else(|| unknown("stage", name))
}

fn same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

fn unknown(what: &str, name: &str) -> (Code, String) {
    (Code::InvalidParameter, format!("The run has no {what} '{name}'."))
}

fn over(message: String) -> (Code, String) {
    (Code::OperationNotAllowed, message)
}
