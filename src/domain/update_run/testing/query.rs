//! Looking at a [`World`]'s run by name, and the commonest events in a word.

use chrono::TimeDelta;

use super::{Event, World};
use crate::domain::update_run::skip::SkipTarget;
use crate::domain::update_run::state::{Group, Member, Stage, UpdateState};

impl World {
    /// The member of this name, where it runs.
    pub fn member(&self, name: &str) -> &Member {
        let mut named = self.run.members.iter().filter(|member| member.name == name);
        named.find(|member| !member.runs_elsewhere).expect("a member that runs")
    }

    /// Its state.
    pub fn state(&self, member: &str) -> UpdateState {
        self.member(member).state()
    }

    /// Its message; empty where there is none.
    pub fn message(&self, member: &str) -> &str {
        self.member(member).message.as_deref().unwrap_or_default()
    }

    /// The code of its error; empty where there is none.
    pub fn code(&self, member: &str) -> &str {
        self.member(member).status.error.as_ref().map_or("", |error| &error.code)
    }

    /// The first group of this name.
    pub fn group(&self, name: &str) -> &Group {
        let mut groups = self.run.stages.iter().flat_map(|stage| &stage.groups);
        groups.find(|group| group.name == name).expect("a group of the run")
    }

    /// The stage of this name.
    pub fn stage(&self, name: &str) -> &Stage {
        self.run.stages.iter().find(|stage| stage.name == name).expect("a stage of the run")
    }

    /// The states of the run, of a stage and of a group.
    pub fn states(&self, stage: &str, group: &str) -> [UpdateState; 3] {
        [self.run.status.state, self.stage(stage).status.state, self.group(group).status.state]
    }

    /// The members in flight.
    pub fn in_flight(&self) -> Vec<&str> {
        self.run.all_in_flight().into_iter().map(|ordinal| self.run.member(ordinal).name.as_str()).collect()
    }

    /// Lets an event happen that the run must not refuse.
    pub fn must(&mut self, event: Event) {
        self.happen(event).expect("the run allows this");
    }

    /// Starts the run.
    pub fn start(&mut self) {
        self.must(Event::Start);
    }

    /// Stops the run.
    pub fn stop(&mut self) {
        self.must(Event::Stop);
    }

    /// Completes all Pending gates.
    pub fn approve(&mut self) {
        self.must(Event::Approve(usize::MAX));
    }

    /// Skips all of these.
    pub fn skip(&mut self, targets: &[SkipTarget]) {
        self.must(Event::Skip(targets.to_vec()));
    }

    /// Goes on for so many minutes.
    pub fn minutes(&mut self, minutes: i64) {
        self.run_for(TimeDelta::minutes(minutes));
    }
}
