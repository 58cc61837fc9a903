//! Who starts when a slot is free (the engine: slots).
//!
//! The best class of window first, a member that was waiting for a slot before others of its class, then the group with
//! fewest in flight, then the order of the strategy, then the order of members. Nothing is reserved: who cannot
//! start becomes Pending and the next is tried.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Tick;
use crate::domain::update_run::observe::WindowClass;
use crate::domain::update_run::state::{Timing, UpdateState};

/// A group that may start members.
struct Lane {
    free: u32,
    /// How many more of its members may fail.
    budget: u32,
    in_flight: u32,
    queue: BinaryHeap<Reverse<(Rank, u32)>>,
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
            let Some(Reverse((_, ordinal))) = lanes[best].queue.pop() else { break };
            let Some(verdict) = self.judge(ordinal) else {
                self.look_ahead(lanes, free);
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
        let index = self.run.index.get()?;
        let rank = |ordinal: u32, is_new| {
            Reverse((Rank { class: self.view.windows.class(ordinal, self.now), is_new }, ordinal))
        };
        let waited = index.waiting.range(range.clone()).map(|ordinal| rank(*ordinal, false));
        let queue =
            waited.chain(index.not_started.range(range).map(|ordinal| rank(*ordinal, true))).collect();
        let this = &self.run.stages[stage].groups[group];
        let budget = this.max_allowed_failures.saturating_sub(self.run.failures(&this.members));
        Some(Lane { free, budget, in_flight, queue })
    }

    /// Asks not only for the member that is missing: for those who start if everybody can, and, as more and more turn
    /// out not to, for as many again as were seen, so that few rounds suffice.
    fn look_ahead(&mut self, mut lanes: Vec<Lane>, free: u32) {
        let mut wanted = (free as usize).saturating_sub(1).max(self.view.seen.len());
        while wanted > 0 {
            let next = best(&lanes).or_else(|| lanes.iter().position(|lane| !lane.queue.is_empty()));
            let Some(lane) = next.map(|index| &mut lanes[index]) else { return };
            let Some(Reverse((_, ordinal))) = lane.queue.pop() else { return };
            lane.free = lane.free.saturating_sub(1);
            lane.in_flight += 1;
            if !self.view.seen.contains_key(&ordinal) {
                self.observe.insert(ordinal);
                wanted -= 1;
            }
        }
    }

    /// A group and a stage begin when their first member is judged.
    fn begin_place(&mut self, stage: usize, ordinal: u32) {
        let mut groups = self.run.stages[stage].groups.iter();
        let Some(group) = groups.position(|group| group.members.contains(&ordinal)) else { return };
        if self.run.stages[stage].groups[group].status.start_time.is_none() {
            self.undo.keep(&self.run, stage, None);
            self.undo.keep(&self.run, stage, Some(group));
            self.run.stages[stage].status.begin(self.now);
            self.run.stages[stage].groups[group].status.begin(self.now);
        }
    }
}

fn best(lanes: &[Lane]) -> Option<usize> {
    let heads = lanes.iter().enumerate().filter(|(_, lane)| lane.free > 0);
    heads
        .filter_map(|(index, lane)| {
            lane.queue.peek().map(|Reverse((rank, _))| (*rank, lane.in_flight, index))
        })
        .min()
        .map(|(_, _, index)| index)
}
