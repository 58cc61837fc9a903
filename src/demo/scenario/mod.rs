//! Ready fleets: for each scenario the calls that make it, the pace it is watched at, and how its run is meant to end.
//!
//! A scenario is data: requests of the public API, which the demonstration and the tests send alike. Nothing is sent
//! here, and nothing depends on the time of day: every scenario begins at the instant at which manual clocks do. To add
//! one, write its file with a `story`, and add its variant to [`Scenario`].

mod autoupgrade;
mod calls;
mod enterprise;
mod small;
mod worst_day;

use clap::ValueEnum;

pub(super) use self::autoupgrade::RELEASES;
pub use self::calls::{API_VERSION, Call, fleet_id, fleet_path, run_path};
use crate::config::DEFAULT_MANUAL_START;
use crate::domain::time::{Timestamp, from_micros};
use crate::domain::update_run::state::UpdateState;

/// A ready fleet with a run to watch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Scenario {
    /// 24 clusters in 4 regions, upgraded canary → early → prod in an hour and a half
    #[default]
    Small,
    /// 400 clusters in 8 regions, with maintenance windows, three OS families, some stopped, busy or under LTS; weeks
    Enterprise,
    /// 48 clusters on a bad day: a late image, closed windows, flaky clusters, and a run that ends Failed
    WorstDay,
    /// 16 clusters and a month of releases, each rolled out by an auto-upgrade profile
    Autoupgrade,
}

/// What a scenario is made of.
#[derive(Clone, Debug)]
pub struct Story {
    /// One line that says what there is to see.
    pub title: &'static str,
    /// Simulated seconds a second at which it takes well under a minute.
    pub scale: f64,
    /// The state its runs are meant to end in: failures may be part of the story.
    pub ends: UpdateState,
    /// Where to look while it goes on.
    pub watch: String,
    /// Everything up to the start of the run, in order; the clock stands still meanwhile.
    pub calls: Vec<Call>,
}

impl Scenario {
    /// What it is made of.
    pub fn story(self) -> Story {
        match self {
            Self::Small => small::story(),
            Self::Enterprise => enterprise::story(),
            Self::WorstDay => worst_day::story(),
            Self::Autoupgrade => autoupgrade::story(),
        }
    }
}

/// When every scenario begins.
fn begins() -> Timestamp {
    from_micros(DEFAULT_MANUAL_START * 1_000_000)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rstest::rstest;
    use serde_json::Value;

    use super::*;

    fn names<'a>(list: &'a Value, of: impl Fn(&'a Value) -> &'a Value) -> Vec<&'a str> {
        list.as_array().into_iter().flatten().filter_map(|one| of(one).as_str()).collect()
    }

    fn bodies(story: &Story) -> impl Iterator<Item = (&str, &Value)> {
        story.calls.iter().filter_map(|call| Some((call.path.as_str(), call.body.as_ref()?)))
    }

    #[rstest]
    #[case(Scenario::Small, 24, 4)]
    #[case(Scenario::Enterprise, 400, 8)]
    #[case(Scenario::WorstDay, 48, 4)]
    #[case(Scenario::Autoupgrade, 16, 4)]
    fn a_scenario_has_as_many_clusters_and_regions_as_it_says(
        #[case] scenario: Scenario,
        #[case] clusters: u64,
        #[case] regions: usize,
    ) {
        let story = scenario.story();
        let one_by_one =
            bodies(&story).filter(|(_, body)| body["properties"]["agentPoolProfiles"].is_array());
        let counts = bodies(&story).filter_map(|(_, body)| body["count"].as_u64());
        assert_eq!(counts.sum::<u64>() + one_by_one.count() as u64, clusters);
        let used: BTreeSet<&str> =
            bodies(&story).flat_map(|(_, body)| names(&body["regions"], |region| region)).collect();
        assert_eq!(used.len(), regions, "{used:?}");
    }

    #[rstest]
    fn every_group_of_the_strategy_has_members(
        #[values(Scenario::Small, Scenario::Enterprise, Scenario::WorstDay, Scenario::Autoupgrade)] scenario: Scenario,
    ) {
        let story = scenario.story();
        let stages = bodies(&story).flat_map(|(_, body)| {
            body["properties"]["strategy"]["stages"].as_array().map(Vec::as_slice).unwrap_or_default()
        });
        let planned: BTreeSet<&str> =
            stages.flat_map(|stage| names(&stage["groups"], |group| &group["name"])).collect();
        let dealt: BTreeSet<&str> =
            bodies(&story).flat_map(|(_, body)| names(&body["groups"], |group| group)).collect();
        assert!(!planned.is_empty() && planned.is_subset(&dealt), "{planned:?} {dealt:?}");
    }
}
