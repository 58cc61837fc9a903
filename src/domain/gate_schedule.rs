//! When a gate of type `ScheduledStart` opens by itself: weekly, at a time of day under a fixed UTC offset.
//!
//! Gates and their states live elsewhere; this is the calendar only. A richer recurrence (say, monthly) would
//! be another struct with the same `next_occurrence`.

use chrono::{DateTime, Datelike, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::local_time::{DayOfWeek, TimeOfDay, UtcOffset};

/// A gate's `scheduledStartConfiguration`. All three members are required.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScheduledStart {
    /// The local day of the week.
    pub start_day: DayOfWeek,
    /// The local time of that day.
    pub start_time: TimeOfDay,
    /// How far local time is from UTC.
    pub utc_offset: UtcOffset,
}

impl ScheduledStart {
    /// The first occurrence strictly after `after`, at most a week away: a gate that is reached exactly on its
    /// schedule waits for the next one, so that "reached" always comes before "opened".
    pub fn next_occurrence(&self, after: DateTime<Utc>) -> DateTime<Utc> {
        let now = self.utc_offset.local(after);
        let days_ahead = self.start_day.weekday().days_since(now.weekday());
        let this_week = now.date().and_time(self.start_time.time()) + TimeDelta::days(i64::from(days_ahead));
        let next = if this_week > now { this_week } else { this_week + TimeDelta::weeks(1) };
        self.utc_offset.utc(next)
    }
}

#[cfg(test)]
mod tests {
    use chrono::Timelike;
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    fn schedule(day: &str, time: &str, offset: &str) -> ScheduledStart {
        let body = serde_json::json!({ "startDay": day, "startTime": time, "utcOffset": offset });
        serde_json::from_value(body).unwrap()
    }

    // 2026-11-30 is a Monday.
    #[rstest]
    #[case::later_today("Monday", "18:00", "+00:00", "2026-11-30T10:00:00Z", "2026-11-30T18:00:00Z")]
    #[case::earlier_today("Monday", "09:00", "+00:00", "2026-11-30T10:00:00Z", "2026-12-07T09:00:00Z")]
    #[case::exactly_now("Monday", "10:00", "+00:00", "2026-11-30T10:00:00Z", "2026-12-07T10:00:00Z")]
    #[case::a_second_before("Monday", "10:00", "+00:00", "2026-11-30T09:59:59Z", "2026-11-30T10:00:00Z")]
    #[case::within_the_minute("Monday", "10:00", "+00:00", "2026-11-30T10:00:30Z", "2026-12-07T10:00:00Z")]
    #[case::tomorrow("Tuesday", "00:00", "+00:00", "2026-11-30T23:59:59Z", "2026-12-01T00:00:00Z")]
    #[case::yesterday("Sunday", "23:59", "+00:00", "2026-11-30T00:00:00Z", "2026-12-06T23:59:00Z")]
    #[case::ahead_of_utc("Tuesday", "02:00", "+05:30", "2026-11-30T10:00:00Z", "2026-11-30T20:30:00Z")]
    #[case::behind_utc("Sunday", "22:00", "-07:00", "2026-11-30T04:00:00Z", "2026-11-30T05:00:00Z")]
    #[case::furthest_ahead("Monday", "00:30", "+14:00", "2026-11-29T10:00:00Z", "2026-11-29T10:30:00Z")]
    #[case::furthest_behind("Monday", "23:30", "-14:00", "2026-12-01T13:00:00Z", "2026-12-01T13:30:00Z")]
    #[case::over_the_year("Friday", "08:00", "+00:00", "2026-12-28T00:00:00Z", "2027-01-01T08:00:00Z")]
    #[case::local_new_year("Friday", "00:00", "+09:00", "2026-12-31T14:00:00Z", "2026-12-31T15:00:00Z")]
    #[case::leap_day("Tuesday", "12:00", "+00:00", "2028-02-28T00:00:00Z", "2028-02-29T12:00:00Z")]
    fn the_next_occurrence_is_strictly_after(
        #[case] day: &str,
        #[case] time: &str,
        #[case] offset: &str,
        #[case] after: DateTime<Utc>,
        #[case] expected: DateTime<Utc>,
    ) {
        assert_eq!(schedule(day, time, offset).next_occurrence(after), expected);
    }

    #[test]
    fn unknown_and_missing_members_are_refused() {
        let missing = serde_json::json!({ "startDay": "Monday", "startTime": "09:00" });
        assert!(serde_json::from_value::<ScheduledStart>(missing).is_err());
        let misspelt = serde_json::json!({
            "startDay": "Monday", "startTime": "09:00", "utcOffset": "+00:00", "startDate": "2026-11-30"
        });
        assert!(serde_json::from_value::<ScheduledStart>(misspelt).is_err());
    }

    proptest! {
        #[test]
        fn occurrences_fit_the_schedule_and_are_a_week_apart(
            day in prop::sample::select(vec!["Monday", "Wednesday", "Saturday", "Sunday"]),
            (hour, minute) in (0u32..24, 0u32..60),
            (sign, away) in (prop::sample::select(vec!['+', '-']), 0u32..=14 * 60),
            seconds in 0i64..4_000_000_000,
        ) {
            let offset = format!("{sign}{:02}:{:02}", away / 60, away % 60);
            let schedule = schedule(day, &format!("{hour:02}:{minute:02}"), &offset);
            let after = DateTime::from_timestamp(seconds, 0).unwrap();
            let next = schedule.next_occurrence(after);
            prop_assert!(next > after && next - after <= TimeDelta::weeks(1));
            let local = schedule.utc_offset.local(next);
            prop_assert_eq!((local.hour(), local.minute(), local.second()), (hour, minute, 0));
            prop_assert_eq!(local.weekday(), schedule.start_day.weekday());
            prop_assert_eq!(schedule.next_occurrence(next), next + TimeDelta::weeks(1));
        }
    }
}
