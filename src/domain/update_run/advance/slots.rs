//! Who starts when a slot is free (the engine: slots).
//!
//! The best class of window first, a member that was waiting for a slot before others of its class, then the group with
//! fewest in flight, then the order of the strategy, then the order of members. Nothing is reserved: who cannot
//! start becomes Pending and the next is tried.

use std::collections::VecDeque;

use super::Tick;
use crate::domain::update_run::observe::WindowClass;
use crate::domain::update_run::state::{Timing, UpdateState};

/// How many members more are asked for at once where one has not been seen yet.
const LOOK_AHEAD: usize = 32;

/// A group that may start members.
struct Lane {
    free: u32,
    /// How many more of its members may fail.
    budget: u32,
    in_flight: u32,
    queue: VecDeque<(Rank, u32)>,
}

/// A member's place in its group's queue: smaller starts first; the number breaks ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    class: WindowClass,
    is_new: bool,
}

impl Tick<'_> {
    /// Fills the free slots of a stage; `true` where a member was over as soon as it was judged.
    pub(super) fn fill_slots(&mut self, stage: usize) -> bool {
        let mut free = self.free_in_stage(stage);
        if free == 0 {
            return false;
        }
        let mut lanes: Vec<Lane> =
            (0..self.run.stages[stage].groups.len()).filter_map(|group| self.lane(stage, group)).collect();
        let this = &self.run.stages[stage];
        let mut budget = this.max_allowed_failures.saturating_sub(self.run.failures(&this.members()));
        let mut any_over = false;
        while free > 0
            && let Some(best) = best(&lanes)
        {
            let Some((_, ordinal)) = lanes[best].queue.pop_front() else { break };
            let Some(verdict) = self.judge(ordinal) else {
                self.look_ahead(&lanes);
                return any_over;
            };
            self.begin_place(stage, ordinal);
            any_over |= self.apply(ordinal, verdict);
            match self.run.member(ordinal).state() {
                UpdateState::Running => {
                    free -= 1;
                    lanes[best].free -= 1;
                    lanes[best].in_flight += 1;
                }
                UpdateState::Failed if budget == 0 || lanes[best].budget == 0 => return true,
                UpdateState::Failed => {
                    budget -= 1;
                    lanes[best].budget -= 1;
                }
                _ => {}
            }
        }
        any_over
    }

    fn free_in_stage(&self, stage: usize) -> u32 {
        let stage = &self.run.stages[stage];
        stage.max_concurrency.saturating_sub(self.run.in_flight(&stage.members()))
    }

    fn lane(&mut self, stage: usize, group: usize) -> Option<Lane> {
        let this = &self.run.stages[stage].groups[group];
        let range = this.members.clone();
        let in_flight = self.run.in_flight(&range);
        let free = this.max_concurrency.saturating_sub(in_flight);
        let closed = this.status.state.is_closed();
        if closed || free == 0 || !self.pass_gates(stage, Some(group), Timing::Before) {
            return None;
        }
        let startable = self.run.index.get()?.startable.range(range);
        let mut queue: Vec<(Rank, u32)> = startable
            .map(|&ordinal| {
                let is_new = self.run.member(ordinal).pending.is_none();
                (Rank { class: self.view.windows.class(ordinal, self.now), is_new }, ordinal)
            })
            .collect();
        queue.sort_unstable();
        let this = &self.run.stages[stage].groups[group];
        let budget = this.max_allowed_failures.saturating_sub(self.run.failures(&this.members));
        Some(Lane { free, budget, in_flight, queue: queue.into() })
    }

    /// Asks for the next members in line too, doubling each time, so that few rounds suffice.
    fn look_ahead(&mut self, lanes: &[Lane]) {
        let most = LOOK_AHEAD.max(self.view.seen.len());
        for lane in lanes.iter().filter(|lane| lane.free > 0) {
            let unseen = lane.queue.iter().map(|(_, ordinal)| *ordinal);
            self.observe.extend(unseen.filter(|ordinal| !self.view.seen.contains_key(ordinal)).take(most));
        }
    }

    /// A group and a stage begin when their first member is judged.
    fn begin_place(&mut self, stage: usize, ordinal: u32) {
        let stage = &mut self.run.stages[stage];
        stage.status.begin(self.now);
        if let Some(group) = stage.groups.iter_mut().find(|group| group.members.contains(&ordinal)) {
            group.status.begin(self.now);
        }
    }
}

fn best(lanes: &[Lane]) -> Option<usize> {
    let heads = lanes.iter().enumerate().filter(|(_, lane)| lane.free > 0);
    heads
        .filter_map(|(index, lane)| lane.queue.front().map(|(rank, _)| (*rank, lane.in_flight, index)))
        .min()
        .map(|(_, _, index)| index)
}
