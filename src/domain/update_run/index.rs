//! Which members of a run are in which sort of state, so that a step costs what changes and not what there is.
//!
//! Never stored and never compared: it follows from the members. The engine builds it when it first looks at a run and
//! keeps it up to date. To make another question cheap, add a set here.

use std::collections::BTreeSet;
use std::ops::Range;

use super::state::{Member, PendingReason, UpdateState};
use crate::domain::time::Timestamp;

/// Members by what they may do next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Index {
    /// Running or Stopping.
    pub in_flight: BTreeSet<u32>,
    /// Failed.
    pub failed: BTreeSet<u32>,
    /// Pending.
    pub pending: BTreeSet<u32>,
    /// Those of them that only want a slot.
    pub waiting: BTreeSet<u32>,
    /// NotStarted.
    pub not_started: BTreeSet<u32>,
    /// Pending members whose reason changes by itself, by when it does.
    pub timed: BTreeSet<(Timestamp, u32)>,
    /// Those that have changed since groups were explained last.
    pub unexplained: BTreeSet<u32>,
}

impl Index {
    /// Of these members.
    pub fn of(members: &[Member]) -> Self {
        let mut index = Self::default();
        (0..).zip(members).for_each(|(ordinal, member)| index.add(ordinal, member));
        index
    }

    /// Takes a member in, as it is now.
    pub fn add(&mut self, ordinal: u32, member: &Member) {
        self.sets(member, |set| _ = set.insert(ordinal));
        self.timed.extend(timed(ordinal, member));
    }

    /// Takes a member out, which must still be as it was taken in.
    pub fn remove(&mut self, ordinal: u32, member: &Member) {
        self.sets(member, |set| _ = set.remove(&ordinal));
        if let Some(entry) = timed(ordinal, member) {
            self.timed.remove(&entry);
        }
    }

    /// Whether every member of a range is over.
    pub fn all_over(&self, range: &Range<u32>) -> bool {
        let none = |set: &BTreeSet<u32>| set.range(range.clone()).next().is_none();
        none(&self.in_flight) && none(&self.pending) && none(&self.not_started)
    }

    fn sets(&mut self, member: &Member, mut apply: impl FnMut(&mut BTreeSet<u32>)) {
        match member.state() {
            UpdateState::NotStarted => apply(&mut self.not_started),
            UpdateState::Running | UpdateState::Stopping => apply(&mut self.in_flight),
            UpdateState::Failed => apply(&mut self.failed),
            UpdateState::Pending => {
                apply(&mut self.pending);
                if member.pending.as_ref().is_some_and(PendingReason::is_no_slot) {
                    apply(&mut self.waiting);
                }
            }
            UpdateState::Completed | UpdateState::Skipped | UpdateState::Stopped => {}
        }
    }
}

fn timed(ordinal: u32, member: &Member) -> Option<(Timestamp, u32)> {
    Some((member.pending.as_ref()?.until()?, ordinal))
}

/// The [`Index`] that a run carries, once it has one. All are equal, because it says nothing that the members don't.
#[derive(Clone, Default)]
pub struct Indexed(Option<Box<Index>>);

impl PartialEq for Indexed {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Indexed {}

impl std::fmt::Debug for Indexed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "built" } else { "not built" })
    }
}

impl Indexed {
    /// Builds it where it is not there.
    pub fn build(&mut self, members: &[Member]) -> &mut Index {
        self.0.get_or_insert_with(|| Box::new(Index::of(members)))
    }

    /// Forgets it.
    pub fn forget(&mut self) {
        self.0 = None;
    }

    /// Which members have changed since this was asked last; none where that is not known.
    pub fn take_unexplained(&mut self) -> Option<BTreeSet<u32>> {
        self.0.as_mut().map(|index| std::mem::take(&mut index.unexplained))
    }

    /// It, where it is there.
    pub fn get(&self) -> Option<&Index> {
        self.0.as_deref()
    }
}
