//! Who runs where, and within which limits: made at creation and again at each PUT until the run has started.
//!
//! Members are resolved and frozen here (the engine: plan). A member matched in several places runs in the first
//! and is shown as Skipped in the others, which do not count it when they resolve percentages.

use std::collections::{BTreeMap, HashMap};

use uuid::Uuid;

use super::index::Indexed;
use super::state::{Gate, GateKind, Group, Member, Run, Stage, Status, UpdateState, Wait};
use super::target::Target;
use crate::domain::limit::{MaxConcurrency, group_concurrency, stage_concurrency};
use crate::domain::resource_id::ResourceId;
use crate::domain::selector::LabelSelector;
use crate::domain::strategy::{GateSpec, GroupSpec, MemberSelector, StageSpec, Strategy};

/// The name of the one stage and the one group of a run without a strategy.
pub const DEFAULT_NAME: &str = "default";

/// A member as the plan sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its name.
    pub name: String,
    /// Its cluster.
    pub cluster: ResourceId,
    /// Its update group.
    pub group: Option<String>,
    /// Its labels, the service's own included.
    pub labels: BTreeMap<String, String>,
}

/// The run over `candidates`, given in the order in which they joined, without those that are leaving.
pub fn plan(uid: Uuid, target: Target, strategy: Option<&Strategy>, candidates: &[Candidate]) -> Run {
    let mut planner = Planner { candidates, places: HashMap::new(), members: Vec::new() };
    let stages = match strategy {
        Some(strategy) => strategy.stages.iter().map(|stage| planner.stage(stage)).collect(),
        None => vec![planner.default_stage()],
    };
    let members = planner.members;
    let (status, index) = (Status::default(), Indexed::default());
    Run { uid, target, status, stop: None, stages, releases_seen: 0, members, index }
}

struct Planner<'a> {
    candidates: &'a [Candidate],
    /// Where each candidate (by index) runs: stage and group.
    places: HashMap<usize, (String, String)>,
    members: Vec<Member>,
}

impl Planner<'_> {
    fn default_stage(&mut self) -> Stage {
        let everybody = (0..self.candidates.len()).collect();
        let group = GroupSpec { name: DEFAULT_NAME.to_owned(), ..GroupSpec::default() };
        let group = self.group(DEFAULT_NAME, &group, everybody);
        let spec = StageSpec { name: DEFAULT_NAME.to_owned(), ..StageSpec::default() };
        limited(&spec, vec![(GroupSpec::default(), group)])
    }

    fn stage(&mut self, spec: &StageSpec) -> Stage {
        let in_stage = self.by_name(self.matching(spec.member_selector.as_ref(), |_| true));
        let implicit = GroupSpec {
            name: spec.name.clone(),
            max_concurrency: spec.max_concurrency.clone().or_else(|| MaxConcurrency::parse("50").ok()),
            max_allowed_failures: spec.max_allowed_failures.clone(),
            ..GroupSpec::default()
        };
        let groups = match spec.groups.as_slice() {
            [] => vec![(implicit.clone(), self.group(&spec.name, &implicit, in_stage))],
            groups => groups
                .iter()
                .map(|group| {
                    let named =
                        |candidate: &Candidate| candidate.group.as_deref() == Some(group.name.as_str());
                    let matched = self.matching(group.member_selector.as_ref(), named);
                    let in_group = in_stage.iter().copied().filter(|index| matched.contains(index)).collect();
                    (group.clone(), self.group(&spec.name, group, in_group))
                })
                .collect(),
        };
        limited(spec, groups)
    }

    /// The candidates that a selector chooses; without one, those that `otherwise` does.
    fn matching(
        &self,
        selector: Option<&MemberSelector>,
        otherwise: impl Fn(&Candidate) -> bool,
    ) -> std::collections::BTreeSet<usize> {
        let selector = selector.map(|selector| {
            LabelSelector::parse(&selector.by_label)
                .expect("selectors are checked when a strategy is written")
        });
        let chosen = |candidate: &Candidate| match &selector {
            Some(selector) => selector.matches(&candidate.labels),
            None => otherwise(candidate),
        };
        (0..self.candidates.len()).filter(|index| chosen(&self.candidates[*index])).collect()
    }

    fn by_name(&self, chosen: std::collections::BTreeSet<usize>) -> Vec<usize> {
        let mut chosen: Vec<usize> = chosen.into_iter().collect();
        chosen.sort_by(|a, b| self.candidates[*a].name.cmp(&self.candidates[*b].name));
        chosen
    }

    fn group(&mut self, stage: &str, spec: &GroupSpec, chosen: Vec<usize>) -> Group {
        let start = self.members.len() as u32;
        let mut planned = 0;
        for index in chosen {
            let candidate = &self.candidates[index];
            let mut member = Member {
                name: candidate.name.clone(),
                cluster: candidate.cluster.clone(),
                status: Status::default(),
                operation: None,
                message: None,
                pending: None,
                attempt: 0,
                runs_elsewhere: false,
            };
            match self.places.get(&index) {
                None => {
                    planned += 1;
                    self.places.insert(index, (stage.to_owned(), spec.name.clone()));
                }
                Some((stage, group)) => {
                    member.runs_elsewhere = true;
                    member.status.state = UpdateState::Skipped;
                    member.message = Some(format!(
                        "The member runs in an earlier place of this run: stage '{stage}', group '{group}'."
                    ));
                }
            }
            self.members.push(member);
        }
        Group {
            name: spec.name.clone(),
            status: Status::default(),
            max_concurrency: 1,
            max_allowed_failures: 0,
            before_gates: spec.before_gates.iter().map(gate).collect(),
            after_gates: spec.after_gates.iter().map(gate).collect(),
            members: start..self.members.len() as u32,
            planned,
        }
    }
}

/// The stage of `groups` with all limits resolved, which takes the sizes of all groups.
fn limited(spec: &StageSpec, mut groups: Vec<(GroupSpec, Group)>) -> Stage {
    let planned: u32 = groups.iter().map(|(_, group)| group.planned).sum();
    let max_concurrency = stage_concurrency(spec.max_concurrency.as_ref(), planned as usize);
    let asked = spec.max_allowed_failures.as_ref().and_then(|limit| limit.resolve(planned as usize));
    for (spec, group) in &mut groups {
        let size = group.planned as usize;
        group.max_concurrency = group_concurrency(spec.max_concurrency.as_ref(), size, max_concurrency);
        let own = spec.max_allowed_failures.as_ref().and_then(|limit| limit.resolve(size));
        group.max_allowed_failures = own.or(asked).unwrap_or(0);
    }
    let sum = groups.iter().fold(0_u32, |sum, (_, group)| sum.saturating_add(group.max_allowed_failures));
    Stage {
        name: spec.name.clone(),
        status: Status::default(),
        max_concurrency,
        max_allowed_failures: asked.unwrap_or(sum),
        before_gates: spec.before_gates.iter().map(gate).collect(),
        after_gates: spec.after_gates.iter().map(gate).collect(),
        wait: spec
            .after_stage_wait_seconds
            .filter(|seconds| *seconds > 0)
            .map(|seconds| Wait { seconds, status: Status::default() }),
        groups: groups.into_iter().map(|(_, group)| group).collect(),
        groups_ended: None,
    }
}

fn gate(spec: &GateSpec) -> Gate {
    let kind = match &spec.scheduled_start_configuration {
        Some(schedule) => GateKind::ScheduledStart { schedule: *schedule, absolute: None },
        None => GateKind::Approval,
    };
    Gate { display_name: spec.display_name.clone(), kind, id: None, status: Status::default() }
}
