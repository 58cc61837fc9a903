//! A naive model of the roll-up, written from the table of states alone, against the engine in every state that small
//! runs can reach.
//!
//! The model sees members, gates and waits and says what groups, stages and the run must read. The walk does
//! whatever can be done in a state: end an upgrade well or badly, approve, let time pass, stop, start, skip, make a
//! cluster busy or free. States that differ in times only count as one.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::domain::ids;
use crate::domain::observed_cluster::{Busy, ObservedCluster};
use crate::domain::time::Timestamp;
use crate::domain::update_run::observe::{Outcome, Seen, View, WindowBook};
use crate::domain::update_run::skip::{self, SkipTarget, TargetType};
use crate::domain::update_run::state::UpdateState::{self, *};
use crate::domain::update_run::state::{Explanation, Gate, Group, Run, Stage, Status, StopReason};
use crate::domain::update_run::testing::build::*;
use crate::domain::update_run::testing::cluster::Cluster;
use crate::domain::update_run::{advance, command, plan};

/// The state of a level, and whether it has begun.
type Shown = (UpdateState, bool);

/// A run and what its members' clusters are like.
#[derive(Clone)]
struct Situation {
    run: Run,
    now: Timestamp,
    /// The members whose clusters are busy.
    busy: BTreeSet<u32>,
    /// How many more unusual things may happen, so that the walk ends.
    surprises: u32,
}

#[derive(Clone, Debug)]
enum Move {
    Start,
    Stop,
    Skip(SkipTarget),
    Approve(uuid::Uuid),
    TimePasses,
    Ends(u32, bool),
    Busy(u32),
    Free(u32),
}

impl Situation {
    fn new(stages: Value, names: &[&str], surprises: u32) -> Self {
        let clusters = names.iter().map(|name| Cluster::new(name).group(&name[..1]).candidate());
        let candidates: Vec<plan::Candidate> = clusters.collect();
        let run = plan::plan(ids::derived("a run"), full("1.36.4"), Some(&strategy(stages)), &candidates);
        Self { run, now: at("2026-12-07T00:00:00Z"), busy: BTreeSet::new(), surprises }
    }

    /// Everything but times, operations and words.
    fn key(&self) -> String {
        let states: Vec<UpdateState> = self.run.members.iter().map(|member| member.state()).collect();
        let gates: Vec<UpdateState> = self.run.gates().map(|(_, gate)| gate.status.state).collect();
        let levels: Vec<(Shown, Vec<Shown>)> = self
            .run
            .stages
            .iter()
            .map(|stage| {
                let begun = |status: &Status| status.start_time.is_some();
                let groups = stage.groups.iter().map(|group| (group.status.state, begun(&group.status)));
                ((stage.status.state, begun(&stage.status)), groups.collect())
            })
            .collect();
        let waits: Vec<Option<UpdateState>> =
            self.run.stages.iter().map(|stage| stage.wait.as_ref().map(|wait| wait.status.state)).collect();
        let run = (self.run.status.state, &self.run.stop);
        format!("{states:?}{gates:?}{levels:?}{waits:?}{run:?}{:?}{}", self.busy, self.surprises)
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        let gates = self.run.gates().filter(|(_, gate)| gate.status.state == Pending);
        moves.extend(gates.filter_map(|(_, gate)| gate.id.map(Move::Approve)));
        if advance::wake_at(&self.run).is_some() {
            moves.push(Move::TimePasses);
        }
        for ordinal in self.run.all_in_flight() {
            moves.extend([Move::Ends(ordinal, true), Move::Ends(ordinal, false)]);
        }
        moves.extend(self.busy.iter().map(|ordinal| Move::Free(*ordinal)));
        moves.push(Move::Start);
        if self.surprises > 0 {
            moves.push(Move::Stop);
            for stage in &self.run.stages {
                moves.extend([skip_of(TargetType::Stage, &stage.name)]);
                moves.extend([skip_of(TargetType::AfterStageWait, &stage.name)]);
                let groups = stage.groups.iter();
                moves.extend(groups.map(|group| skip_of(TargetType::Group, &group.name)));
            }
            for (ordinal, member) in (0..).zip(&self.run.members) {
                moves.push(skip_of(TargetType::Member, &member.name));
                if member.state() == NotStarted && !self.busy.contains(&ordinal) {
                    moves.push(Move::Busy(ordinal));
                }
            }
        }
        moves
    }

    /// What a move leads to; none where it is refused.
    fn after(&self, step: &Move) -> Option<Self> {
        let mut next = self.clone();
        let mut outcomes = BTreeMap::new();
        let mut touched = Vec::new();
        match step {
            Move::Start => drop(command::start(&mut next.run, &BTreeMap::new(), next.now).ok()?),
            Move::Stop => drop(command::stop(&mut next.run).ok()?),
            Move::Skip(target) => {
                drop(skip::skip(&mut next.run, std::slice::from_ref(target), next.now).ok()?);
            }
            Move::Approve(gate) => drop(command::complete_gate(&mut next.run, *gate, next.now).ok()?),
            Move::TimePasses => next.now += TimeDelta::weeks(1),
            Move::Ends(ordinal, true) => drop(outcomes.insert(*ordinal, Outcome::Succeeded { at: next.now })),
            Move::Ends(ordinal, false) => {
                let error = Explanation::new("UpgradeFailed", "It failed.");
                outcomes.insert(*ordinal, Outcome::Failed { at: next.now, error });
            }
            Move::Busy(ordinal) => drop(next.busy.insert(*ordinal)),
            Move::Free(ordinal) => {
                next.busy.remove(ordinal);
                touched.push(*ordinal);
            }
        }
        if matches!(step, Move::Stop | Move::Skip(_) | Move::Busy(_)) {
            next.surprises -= 1;
        }
        let seen = (0..next.run.members.len() as u32).map(|ordinal| (ordinal, next.seen(ordinal))).collect();
        let windows = WindowBook::default();
        let (catalogue, releases) = (&catalogue(), 0);
        let view = View {
            catalogue,
            releases,
            windows: &windows,
            seen: &seen,
            outcomes: &outcomes,
            touched: &touched,
        };
        next.run = advance(next.run, view, next.now).next;
        Some(next)
    }

    fn seen(&self, ordinal: u32) -> Seen {
        let busy = Busy { operation: "something".to_owned(), until: None };
        let busy = self.busy.contains(&ordinal).then_some(busy);
        Seen::Cluster(ObservedCluster { busy, ..Cluster::new("c").observed })
    }
}

fn skip_of(kind: TargetType, name: &str) -> Move {
    Move::Skip(SkipTarget { kind, name: name.to_owned() })
}

/// What the table says about one level: its rows for a run that goes on, and the paragraph on breach and stop.
struct Table<'a> {
    run: &'a Run,
}

impl Table<'_> {
    fn members(&self, group: &Group) -> Vec<UpdateState> {
        self.run.members_of(&group.members).iter().map(|member| member.state()).collect()
    }

    fn group(&self, stage: usize, group: &Group) -> UpdateState {
        let members = self.members(group);
        let any = |state: UpdateState| members.contains(&state);
        let gates: Vec<&Gate> = group.before_gates.iter().chain(&group.after_gates).collect();
        let ended = members.iter().all(|state| matches!(state, Completed | Skipped | Failed));
        let gates_over = gates.iter().all(|gate| matches!(gate.status.state, Completed | Skipped));
        let failures = members.iter().filter(|state| **state == Failed).count();
        let exceeded = failures > group.max_allowed_failures as usize;
        let reached = group.status.start_time.is_some() || gates.iter().any(|gate| gate.id.is_some());
        let stopped = self.run.stop.is_some();
        // What ends while the run stops is closed by the next start; what was closed before stays so.
        let closes = ended && gates_over && (!stopped || matches!(group.status.state, Completed | Skipped));
        let in_turn =
            self.run.stages[..stage].iter().all(|stage| matches!(stage.status.state, Completed | Skipped));
        let judged_or_skipped = in_turn || members.iter().all(|state| *state == Skipped);
        if closes && judged_or_skipped && !exceeded {
            return if members.iter().all(|state| *state == Skipped) { Skipped } else { Completed };
        }
        if stopped {
            return match () {
                () if any(Stopping) => Stopping,
                () if exceeded => Failed,
                () if reached => Stopped,
                () => NotStarted,
            };
        }
        if gates.iter().any(|gate| gate.status.state == Pending) {
            return Pending;
        }
        if any(Running) {
            return Running;
        }
        let unfinished = || members.iter().filter(|state| !matches!(state, Completed | Skipped | Failed));
        let waits = unfinished().all(|state| matches!(state, Pending | NotStarted)) && any(Pending);
        match (waits, reached) {
            (true, _) => Pending,
            (_, true) => Running,
            _ => NotStarted,
        }
    }

    fn stage(&self, index: usize, stage: &Stage) -> UpdateState {
        let groups: Vec<UpdateState> = stage.groups.iter().map(|group| self.group(index, group)).collect();
        let gates: Vec<&Gate> = stage.before_gates.iter().chain(&stage.after_gates).collect();
        let gates_over = gates.iter().all(|gate| matches!(gate.status.state, Completed | Skipped));
        let wait = stage.wait.as_ref().map_or(Completed, |wait| wait.status.state);
        let wait_over = matches!(wait, Completed | Skipped);
        let ended =
            groups.iter().all(|state| matches!(state, Completed | Skipped)) && gates_over && wait_over;
        let stopped = self.run.stop.is_some();
        let reached = stage.status.start_time.is_some()
            || gates.iter().any(|gate| gate.id.is_some())
            || groups.iter().any(|state| !matches!(state, NotStarted | Skipped));
        if ended && (!stopped || matches!(stage.status.state, Completed | Skipped)) {
            return if groups.iter().all(|state| *state == Skipped) { Skipped } else { Completed };
        }
        if stopped {
            let in_turn = self.run.stages[..index]
                .iter()
                .all(|stage| matches!(stage.status.state, Completed | Skipped));
            let breached = matches!(self.run.stop, Some(StopReason::Breach(_)));
            return match self.run.members.iter().any(|member| member.state() == Stopping) {
                _ if !reached || !in_turn => NotStarted,
                true => Stopping,
                false if breached => Failed,
                false => Stopped,
            };
        }
        if gates.iter().any(|gate| gate.status.state == Pending) {
            return Pending;
        }
        if wait == Running || groups.contains(&Running) {
            return Running;
        }
        let unfinished = || groups.iter().filter(|state| !matches!(state, Completed | Skipped));
        let waits =
            unfinished().all(|state| matches!(state, Pending | NotStarted)) && groups.contains(&Pending);
        match (waits, reached) {
            (true, _) => Pending,
            (_, true) => Running,
            _ => NotStarted,
        }
    }

    /// What the run may read: before its start and after its end commands decide, in between the current stage.
    fn run(&self) -> UpdateState {
        let stages: Vec<UpdateState> =
            self.run.stages.iter().enumerate().map(|(index, stage)| self.stage(index, stage)).collect();
        let current = stages.iter().find(|state| !matches!(state, Completed | Skipped));
        match (&self.run.stop, current) {
            _ if self.run.status.start_time.is_none() => NotStarted,
            (Some(_), _) if self.run.members.iter().any(|member| member.state() == Stopping) => Stopping,
            (Some(StopReason::Breach(_)), _) => Failed,
            (Some(StopReason::Requested), _) => Stopped,
            (None, None) if stages.iter().all(|state| *state == Skipped) => Skipped,
            (None, None) => Completed,
            (None, Some(Pending)) => Pending,
            (None, Some(_)) => Running,
        }
    }

    fn disagreements(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (index, stage) in self.run.stages.iter().enumerate() {
            let expected = self.stage(index, stage);
            if stage.status.state != expected {
                found.push(format!(
                    "stage {}: {:?}, the table says {expected:?}",
                    stage.name, stage.status.state
                ));
            }
            for group in &stage.groups {
                let expected = self.group(index, group);
                if group.status.state != expected {
                    found.push(format!(
                        "group {}: {:?}, the table says {expected:?}",
                        group.name, group.status.state
                    ));
                }
            }
        }
        if self.run.status.state != self.run() {
            found.push(format!("run: {:?}, the table says {:?}", self.run.status.state, self.run()));
        }
        found
    }
}

/// Walks through all situations that can be reached, breadth first, `most` at most; says how many there were.
fn walk(first: Situation, most: usize) -> usize {
    let mut known = BTreeSet::from([first.key()]);
    let mut queue = VecDeque::from([(first, Vec::<Move>::new())]);
    while let Some((situation, path)) = queue.pop_front() {
        let found = Table { run: &situation.run }.disagreements();
        assert!(found.is_empty(), "{}\nafter {path:#?}\n{:#?}", found.join("\n"), situation.run);
        if known.len() >= most {
            continue;
        }
        for step in situation.moves() {
            let Some(next) = situation.after(&step) else { continue };
            if known.insert(next.key()) {
                let mut path = path.clone();
                path.push(step);
                queue.push_back((next, path));
            }
        }
    }
    known.len()
}

fn gate() -> Value {
    json!([{"type": "Approval"}])
}

#[test]
fn the_engine_agrees_with_the_table_on_two_groups_with_budgets() {
    let groups = json!([{"name": "a", "maxConcurrency": "2", "maxAllowedFailures": "1"}, {"name": "b"}]);
    let stages = json!([{"name": "s", "maxAllowedFailures": "1", "groups": groups}]);
    assert!(walk(Situation::new(stages, &["a1", "a2", "b1", "b2"], 2), 4_000) > 1_000);
}

#[test]
fn the_engine_agrees_with_the_table_on_gates_everywhere_and_a_wait() {
    let groups = json!([{"name": "a", "beforeGates": gate(), "afterGates": gate()}, {"name": "b", "afterGates": gate()}]);
    let stages = json!([{"name": "s", "beforeGates": gate(), "afterGates": gate(), "afterStageWaitInSeconds": 60, "groups": groups}]);
    assert!(walk(Situation::new(stages, &["a1", "b1"], 2), 4_000) > 1_000);
}

#[test]
fn the_engine_agrees_with_the_table_on_two_stages() {
    let stages = json!([
        {"name": "s", "groups": [{"name": "a", "maxConcurrency": "2"}, {"name": "b"}], "afterStageWaitInSeconds": 60},
        {"name": "t", "beforeGates": gate(), "groups": [{"name": "c"}, {"name": "d", "beforeGates": gate()}]},
    ]);
    let names = ["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2"];
    assert!(walk(Situation::new(stages, &names, 2), 4_000) >= 4_000);
}
