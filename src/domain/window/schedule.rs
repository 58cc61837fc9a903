//! On which days maintenance windows start.
//!
//! Days only; the time of day, the duration and the exceptions are the window's.

use std::num::NonZeroU32;

use chrono::{Datelike, NaiveDate, TimeDelta, Weekday};
use serde::{Deserialize, Serialize};

use crate::domain::local_time::DayOfWeek;

/// A number that is no day of any month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("dayOfMonth is {0}; expected 1 to 31")]
pub struct DayOfMonthError(u8);

/// A day of the month, 1 to 31.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct DayOfMonth(u8);

impl TryFrom<u8> for DayOfMonth {
    type Error = DayOfMonthError;

    fn try_from(day: u8) -> Result<Self, DayOfMonthError> {
        if (1..=31).contains(&day) { Ok(Self(day)) } else { Err(DayOfMonthError(day)) }
    }
}

impl From<DayOfMonth> for u8 {
    fn from(day: DayOfMonth) -> Self {
        day.0
    }
}

/// Which of a weekday's occurrences in a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WeekIndex {
    /// From the 1st to the 7th.
    First,
    /// From the 8th to the 14th.
    Second,
    /// From the 15th to the 21st.
    Third,
    /// From the 22nd to the 28th.
    Fourth,
    /// The last seven days, be it the fourth occurrence or the fifth.
    Last,
}

/// A recurrence of days. In JSON an object with one member, as ARM has it: `{"weekly":{"intervalWeeks":1,…}}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Schedule {
    /// Every so many days.
    Daily {
        /// Days from one to the next.
        interval_days: NonZeroU32,
    },
    /// One day of the week, every so many weeks.
    Weekly {
        /// Weeks from one to the next.
        interval_weeks: NonZeroU32,
        /// The day.
        day_of_week: DayOfWeek,
    },
    /// One day of the month, every so many months. Months that don't have it are left out, but counted.
    AbsoluteMonthly {
        /// Months from one to the next.
        interval_months: NonZeroU32,
        /// The day.
        day_of_month: DayOfMonth,
    },
    /// One weekday of the month, every so many months.
    RelativeMonthly {
        /// Months from one to the next.
        interval_months: NonZeroU32,
        /// Which of the weekday's occurrences.
        week_index: WeekIndex,
        /// The weekday.
        day_of_week: DayOfWeek,
    },
}

impl Schedule {
    /// The first day of the recurrence on or after `earliest`, the recurrence beginning with the first fitting
    /// day on or after `start`. `None` when there is none up to the month of `horizon`.
    pub(super) fn first_day_on_or_after(
        &self,
        earliest: NaiveDate,
        start: NaiveDate,
        horizon: NaiveDate,
    ) -> Option<NaiveDate> {
        match *self {
            Self::Daily { interval_days } => day_of_cycle(start, i64::from(interval_days.get()), earliest),
            Self::Weekly { interval_weeks, day_of_week } => {
                let days_ahead = day_of_week.weekday().days_since(start.weekday());
                let anchor = start.checked_add_signed(TimeDelta::days(i64::from(days_ahead)))?;
                day_of_cycle(anchor, 7 * i64::from(interval_weeks.get()), earliest)
            }
            Self::AbsoluteMonthly { interval_months, day_of_month } => {
                let day = |month: Month| month.day(u32::from(day_of_month.0));
                day_of_monthly_cycle(day, interval_months, earliest, start, horizon)
            }
            Self::RelativeMonthly { interval_months, week_index, day_of_week } => {
                let day = |month: Month| month.weekday(week_index, day_of_week.weekday());
                day_of_monthly_cycle(day, interval_months, earliest, start, horizon)
            }
        }
    }
}

/// The first of `anchor`, `anchor + period`, … (in days) on or after `earliest`.
fn day_of_cycle(anchor: NaiveDate, period: i64, earliest: NaiveDate) -> Option<NaiveDate> {
    let behind = (earliest - anchor).num_days().max(0);
    let cycles = (behind + period - 1) / period;
    anchor.checked_add_signed(TimeDelta::try_days(cycles * period)?)
}

/// The first day on or after `earliest` that `day` finds in every `interval`th month, counted from the first
/// month that has one on or after `start`.
///
/// The months tried without success are few: a day of the month is missing from some months of each year, and
/// the 29th of February from most years.
fn day_of_monthly_cycle(
    day: impl Fn(Month) -> Option<NaiveDate>,
    interval: NonZeroU32,
    earliest: NaiveDate,
    start: NaiveDate,
    horizon: NaiveDate,
) -> Option<NaiveDate> {
    // The start's month may be past its day, and the next may not have it. Two months without it never follow
    // each other.
    let anchor = (0..3)
        .map(|months| Month(Month::of(start).0 + months))
        .find(|month| day(*month).is_some_and(|day| day >= start))?;
    let interval = i64::from(interval.get());
    let behind = (Month::of(earliest).0 - anchor.0).max(0);
    let first = anchor.0 + (behind + interval - 1) / interval * interval;
    let months = (0..).map(|cycle| Month(first + cycle * interval));
    months.take_while(|month| *month <= Month::of(horizon)).filter_map(day).find(|day| *day >= earliest)
}

/// A month of a year, counted from January of year 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Month(i64);

impl Month {
    fn of(date: NaiveDate) -> Self {
        Self(i64::from(date.year()) * 12 + i64::from(date.month0()))
    }

    /// Its year, and its number from 1 to 12. `None` beyond the years that dates can have.
    fn year_and_month(self) -> Option<(i32, u32)> {
        Some((i32::try_from(self.0.div_euclid(12)).ok()?, u32::try_from(self.0.rem_euclid(12)).ok()? + 1))
    }

    /// Its `day`th, if it has so many.
    fn day(self, day: u32) -> Option<NaiveDate> {
        let (year, month) = self.year_and_month()?;
        NaiveDate::from_ymd_opt(year, month, day)
    }

    /// The occurrence of `weekday` that `index` names.
    fn weekday(self, index: WeekIndex, weekday: Weekday) -> Option<NaiveDate> {
        let (year, month) = self.year_and_month()?;
        let nth = |n| NaiveDate::from_weekday_of_month_opt(year, month, weekday, n);
        match index {
            WeekIndex::First => nth(1),
            WeekIndex::Second => nth(2),
            WeekIndex::Third => nth(3),
            WeekIndex::Fourth => nth(4),
            WeekIndex::Last => nth(5).or_else(|| nth(4)),
        }
    }
}
