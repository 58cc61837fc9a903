//! Progress where there is no terminal: a line for each thing that changed, in the order of the strategy.

use std::collections::BTreeMap;

use super::estimate::to_go;
use super::progress::{Group, MANY, Member, Progress, Stage};
use crate::domain::time::Timestamp;
use crate::domain::update_run::state::UpdateState;

/// What was shown last of each thing, by its path.
#[derive(Debug, Default)]
pub(super) struct Plain {
    shown: BTreeMap<String, UpdateState>,
}

impl Plain {
    /// Lines for what is otherwise than before: first what ended, from the inside out, then what began.
    pub(super) fn news(&mut self, progress: &Progress, now: Timestamp) -> String {
        let things = progress.stages().iter().flat_map(things);
        let mut news: Vec<Thing> = things.filter(|thing| self.is_new(thing)).collect();
        news.sort_by_key(|thing| if thing.state.is_over() { -thing.depth } else { 1 });
        let into = now - progress.status().start_time.unwrap_or(now);
        let clock = format!("+{:02}:{:02}", into.num_hours(), into.num_minutes() % 60);
        let to_go = format!("  {} to go", to_go(progress, now));
        let line = |Thing { path, depth, state }: &Thing| {
            let begins = *depth == 0 && *state == UpdateState::Running;
            let state = state.name();
            format!("{clock}  {path:<40} {state:<10}{}", if begins { to_go.as_str() } else { "" })
        };
        news.iter().map(|thing| line(thing).trim_end().to_owned() + "\n").collect()
    }

    fn is_new(&mut self, thing: &Thing) -> bool {
        self.shown.insert(thing.path.clone(), thing.state).unwrap_or_default() != thing.state
    }
}

/// Something in a run that has a state.
struct Thing {
    path: String,
    /// 0 for a stage, 1 for what is in it, 2 for members.
    depth: i32,
    state: UpdateState,
}

/// A stage and what is in it, with the wait after it.
fn things(stage: &Stage) -> Vec<Thing> {
    let mut things = vec![Thing { path: stage.name.clone(), depth: 0, state: stage.status.state }];
    for group in &stage.groups {
        let path = format!("{} › {}", stage.name, group.name);
        let members = told(group).map(|member| Thing {
            path: format!("{path} › {}", member.name),
            depth: 2,
            state: member.status.state,
        });
        things.push(Thing { path: path.clone(), depth: 1, state: group.status.state });
        things.extend(members);
    }
    if let Some(wait) = &stage.after_stage_wait_status {
        things.push(Thing { path: format!("{} › wait", stage.name), depth: 1, state: wait.status.state });
    }
    things
}

/// The members that are told one by one: all of a small group, of a large one those that failed.
fn told(group: &Group) -> impl Iterator<Item = &Member> {
    let few = group.members.len() <= MANY;
    group.members.iter().filter(move |member| few || member.status.state == UpdateState::Failed)
}

#[cfg(test)]
mod tests {
    use super::super::progress::tests::{in_prod, minute, waiting};
    use super::*;

    #[test]
    fn only_what_changed_is_told() {
        let mut plain = Plain::default();
        insta::assert_snapshot!(plain.news(&waiting(), minute(20)));
        assert_eq!(plain.news(&waiting(), minute(21)), "", "nothing has changed");
        insta::assert_snapshot!(plain.news(&in_prod(), minute(50)));
    }
}
