//! Where something is available and since when, and marks that are set or cleared over time.

use std::collections::BTreeMap;

use crate::domain::time::Timestamp;

/// Whether a version or an image can be had in a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Availability {
    /// It is there.
    Available,
    /// It is not there yet.
    NotYet {
        /// The regions that have it, by name.
        in_regions: Vec<String>,
        /// When it comes, if that is known.
        comes_at: Option<Timestamp>,
    },
    /// No region has it or is known to get it.
    Unknown,
}

/// The regions that something reaches, each with the instant from which on it is there (`None`: always).
#[derive(Clone, Debug, Default)]
pub(super) struct Reach(BTreeMap<String, Option<Timestamp>>);

impl Reach {
    /// Adds a region; the earlier of two instants counts.
    pub(super) fn add(&mut self, region: &str, from: Option<Timestamp>) {
        let known = self.0.entry(region.to_owned()).or_insert(from);
        // `None` (always) is the least, so the lesser is the earlier.
        *known = (*known).min(from);
    }

    pub(super) fn is_in(&self, region: &str, now: Timestamp) -> bool {
        self.0.get(region).is_some_and(|from| from.is_none_or(|from| from <= now))
    }

    pub(super) fn is_anywhere(&self, now: Timestamp) -> bool {
        self.0.values().any(|from| from.is_none_or(|from| from <= now))
    }

    pub(super) fn availability(&self, region: &str, now: Timestamp) -> Availability {
        if self.is_in(region, now) {
            return Availability::Available;
        }
        let in_regions = self.0.keys().filter(|region| self.is_in(region, now)).cloned().collect();
        Availability::NotYet { in_regions, comes_at: self.0.get(region).copied().flatten() }
    }

    /// The instants of all regions, for whoever shows the catalogue.
    pub(super) fn regions(&self) -> impl Iterator<Item = (&String, Option<Timestamp>)> {
        self.0.iter().map(|(region, from)| (region, *from))
    }

    /// The first instant after `now` at which it reaches another region.
    pub(super) fn next_change(&self, now: Timestamp) -> Option<Timestamp> {
        self.0.values().flatten().copied().filter(|from| *from > now).min()
    }
}

/// A mark that releases set and clear: what it is at an instant is what was said last before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Mark {
    initially: bool,
    changes: Vec<(Timestamp, bool)>,
}

impl Mark {
    pub(super) fn initially(set: bool) -> Self {
        Self { initially: set, changes: Vec::new() }
    }

    /// Later calls count more where instants are equal.
    pub(super) fn change(&mut self, at: Timestamp, set: bool) {
        let place = self.changes.partition_point(|(other, _)| *other <= at);
        self.changes.insert(place, (at, set));
    }

    pub(super) fn at(&self, now: Timestamp) -> bool {
        self.changes.iter().rfind(|(at, _)| *at <= now).map_or(self.initially, |(_, set)| *set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::time::from_micros;

    #[test]
    fn the_earlier_of_two_instants_counts_and_always_is_the_earliest() {
        let mut reach = Reach::default();
        reach.add("eastus", Some(from_micros(9)));
        reach.add("eastus", Some(from_micros(5)));
        assert!(!reach.is_in("eastus", from_micros(4)) && reach.is_in("eastus", from_micros(5)));
        reach.add("eastus", None);
        assert!(reach.is_in("eastus", from_micros(i64::MIN)));
    }

    #[test]
    fn what_is_not_there_yet_says_where_it_is_and_when_it_comes() {
        let mut reach = Reach::default();
        reach.add("eastus", None);
        reach.add("westus", Some(from_micros(5)));
        let not_yet = |region, at| reach.availability(region, from_micros(at));
        let here = vec!["eastus".to_owned()];
        assert_eq!(
            not_yet("westus", 4),
            Availability::NotYet { in_regions: here.clone(), comes_at: Some(from_micros(5)) }
        );
        assert_eq!(not_yet("westus", 5), Availability::Available);
        assert_eq!(not_yet("nowhere", 4), Availability::NotYet { in_regions: here, comes_at: None });
        assert_eq!(reach.next_change(from_micros(4)), Some(from_micros(5)));
        assert_eq!(reach.next_change(from_micros(5)), None);
    }

    #[test]
    fn a_mark_is_what_was_said_last() {
        let mut mark = Mark::initially(true);
        mark.change(from_micros(9), true);
        mark.change(from_micros(5), false);
        let seen: Vec<bool> = [4, 5, 8, 9].map(|at| mark.at(from_micros(at))).into();
        assert_eq!(seen, [true, false, false, true]);
    }
}
