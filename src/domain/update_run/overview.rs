//! A run's plan at a glance: who runs where and in what order, who is matched more than once, who by nobody.

use std::collections::BTreeMap;

use serde::Serialize;

use super::state::{Member, Run};

/// The overview, in the form in which it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    /// The stages, in their order.
    pub stages: Vec<StageOverview>,
    /// Members that several places match: they run in the first.
    pub matched_twice: Vec<MatchedTwice>,
    /// Members of the fleet that no place matches.
    pub unmatched: Vec<String>,
}

/// One stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StageOverview {
    /// Its name.
    pub name: String,
    /// Upgrades at once over all its groups.
    pub max_concurrency: u32,
    /// Failures it tolerates over all its groups.
    pub max_allowed_failures: u32,
    /// Its groups, which run side by side.
    pub groups: Vec<GroupOverview>,
}

/// One group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GroupOverview {
    /// Its name.
    pub name: String,
    /// Upgrades at once.
    pub max_concurrency: u32,
    /// Failures it tolerates.
    pub max_allowed_failures: u32,
    /// The members that run here, in the order in which they start where nothing else decides.
    pub members: Vec<String>,
}

/// Where a member runs, and where else it is matched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchedTwice {
    /// Its name.
    pub member: String,
    /// The first place.
    pub runs_in: Place,
    /// The others.
    pub also_in: Vec<Place>,
}

/// A group of a stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// The stage.
    pub stage: String,
    /// The group.
    pub group: String,
}

impl Overview {
    /// Of `run`, in a fleet whose members are `fleet`, by name.
    pub fn of<'a>(run: &Run, fleet: impl IntoIterator<Item = &'a str>) -> Self {
        let mut places: BTreeMap<&str, Vec<Place>> = BTreeMap::new();
        for stage in &run.stages {
            for group in &stage.groups {
                for member in run.members_of(&group.members) {
                    let place = Place { stage: stage.name.clone(), group: group.name.clone() };
                    places.entry(&member.name).or_default().push(place);
                }
            }
        }
        let unmatched = fleet.into_iter().filter(|member| !places.contains_key(member));
        Self {
            stages: stages(run),
            unmatched: unmatched.map(str::to_owned).collect(),
            matched_twice: twice(places),
        }
    }
}

fn stages(run: &Run) -> Vec<StageOverview> {
    let runs_here = |members: &[Member]| -> Vec<String> {
        members.iter().filter(|member| !member.runs_elsewhere).map(|member| member.name.clone()).collect()
    };
    run.stages
        .iter()
        .map(|stage| StageOverview {
            name: stage.name.clone(),
            max_concurrency: stage.max_concurrency,
            max_allowed_failures: stage.max_allowed_failures,
            groups: stage
                .groups
                .iter()
                .map(|group| GroupOverview {
                    name: group.name.clone(),
                    max_concurrency: group.max_concurrency,
                    max_allowed_failures: group.max_allowed_failures,
                    members: runs_here(run.members_of(&group.members)),
                })
                .collect(),
        })
        .collect()
}

fn twice(places: BTreeMap<&str, Vec<Place>>) -> Vec<MatchedTwice> {
    let several = places.into_iter().filter(|(_, places)| places.len() > 1);
    several
        .map(|(member, mut places)| {
            let also_in = places.split_off(1);
            MatchedTwice { member: member.to_owned(), runs_in: places.remove(0), also_in }
        })
        .collect()
}
