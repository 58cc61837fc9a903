//! The maintenance calendar: at which moments a cluster's maintenance window is open, and when next.
//!
//! Pure date arithmetic: no question steps through minutes or days, and the work for each is bounded by the
//! number of not-allowed date spans. What a closed window means for a member belongs to the update run. To
//! add a kind of schedule, add a variant to [`Schedule`] and an arm to its `first_day_on_or_after`.
//!
//! # Rules
//! - Intervals count from the first fitting day on or after `startDate`.
//! - A window belongs to the local day on which it starts, and may reach into the next.
//! - It is open from its start (inclusive) to its end (exclusive), minus the local dates in
//!   `notAllowedDates`. These can cut it at midnight, at either side.
//! - A month without the asked-for day has no window.
//! - Windows that touch (every day for 24 hours) make one stretch, which never ends by itself.
//! - What lies more than [`HORIZON_YEARS`] after the moment asked about is never.

mod not_allowed;
mod schedule;

use std::fmt;

use chrono::{DateTime, Months, NaiveDate, NaiveDateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use self::not_allowed::NotAllowed;
pub use self::not_allowed::{DateSpan, DateSpanError};
pub use self::schedule::{DayOfMonth, DayOfMonthError, Schedule, WeekIndex};
use super::local_time::{TimeOfDay, UtcOffset};

/// How far ahead an opening is looked for, in years.
pub const HORIZON_YEARS: u32 = 100;

/// A number of hours that no window may last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("durationHours is {0}; expected 4 to 24")]
pub struct DurationHoursError(u8);

/// How long a window lasts: 4 to 24 hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct DurationHours(u8);

impl TryFrom<u8> for DurationHours {
    type Error = DurationHoursError;

    fn try_from(hours: u8) -> Result<Self, DurationHoursError> {
        if (4..=24).contains(&hours) { Ok(Self(hours)) } else { Err(DurationHoursError(hours)) }
    }
}

impl From<DurationHours> for u8 {
    fn from(hours: DurationHours) -> Self {
        hours.0
    }
}

impl fmt::Display for DurationHours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A maintenance configuration's `maintenanceWindow`, under ARM's names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MaintenanceWindow {
    /// On which days windows start.
    pub schedule: Schedule,
    /// How long each lasts.
    pub duration_hours: DurationHours,
    /// How far the local time of all other members is from UTC; UTC itself when absent.
    #[serde(default)]
    pub utc_offset: UtcOffset,
    /// The first local date that may have a window. Where a request has none, whoever stores it fills in the
    /// date of that moment: the calendar itself knows no "today".
    pub start_date: NaiveDate,
    /// The local time at which windows start.
    pub start_time: TimeOfDay,
    /// Local dates on which nothing is open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_allowed_dates: Vec<DateSpan>,
}

/// What a window is at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowState {
    /// Maintenance may start.
    Open {
        /// The first moment at which it may not any more; `None` when that never comes.
        until: Option<DateTime<Utc>>,
    },
    /// Maintenance may not start.
    Closed {
        /// The first moment at which it may; `None` when that never comes.
        opens: Option<DateTime<Utc>>,
    },
}

/// A stretch of local time during which the window is open without a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    /// The first open moment.
    from: NaiveDateTime,
    /// The first moment no longer open; `None` when that never comes.
    to: Option<NaiveDateTime>,
}

impl Stretch {
    fn ends_after(&self, at: NaiveDateTime) -> bool {
        self.to.is_none_or(|to| to > at)
    }
}

impl MaintenanceWindow {
    /// Whether maintenance may start at `at`.
    pub fn is_open(&self, at: DateTime<Utc>) -> bool {
        matches!(self.state(at), WindowState::Open { .. })
    }

    /// Whether the window is open at `at`, and when that changes.
    pub fn state(&self, at: DateTime<Utc>) -> WindowState {
        let local = self.utc_offset.local(at);
        match self.stretch_ending_after(local) {
            Some(Stretch { from, to }) if from <= local => {
                WindowState::Open { until: to.map(|to| self.utc_offset.utc(to)) }
            }
            later => WindowState::Closed { opens: later.map(|stretch| self.utc_offset.utc(stretch.from)) },
        }
    }

    /// When the open stretch that `at` lies in ends. `None` when it never does, and when `at` is in none.
    pub fn closes_at(&self, at: DateTime<Utc>) -> Option<DateTime<Utc>> {
        match self.state(at) {
            WindowState::Open { until } => until,
            WindowState::Closed { .. } => None,
        }
    }

    /// The first moment strictly after `after` at which the window goes from closed to open: the start of a
    /// window, or a midnight at which not-allowed dates end within one. `None` when that never comes, be it
    /// because the window stays closed or because it stays open.
    pub fn next_opening(&self, after: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let local = self.utc_offset.local(after);
        let mut stretch = self.stretch_ending_after(local)?;
        if stretch.from <= local {
            stretch = self.stretch_ending_after(stretch.to?)?;
        }
        Some(self.utc_offset.utc(stretch.from))
    }

    /// The open stretch that `at` lies in, else the first one after it, unless that is beyond the horizon.
    fn stretch_ending_after(&self, at: NaiveDateTime) -> Option<Stretch> {
        let not_allowed = NotAllowed::new(&self.not_allowed_dates);
        let horizon = at.date().checked_add_months(Months::new(HORIZON_YEARS * 12))?;
        let stretch = if self.windows_touch() {
            let from = self.start_date.and_time(self.start_time.time());
            not_allowed.first_stretch(Stretch { from, to: None }, at)
        } else {
            self.first_window_ending_after(at, horizon, &not_allowed)
        };
        stretch.filter(|stretch| stretch.from.date() <= horizon)
    }

    /// Whether each window begins where the one before it ends. Only daily ones are that close.
    fn windows_touch(&self) -> bool {
        self.duration_hours.0 == 24
            && matches!(self.schedule, Schedule::Daily { interval_days } if interval_days.get() == 1)
    }

    /// The same for windows that don't touch: day by day as the schedule has them, each not-allowed span that
    /// swallows a window skipped whole.
    fn first_window_ending_after(
        &self,
        at: NaiveDateTime,
        horizon: NaiveDate,
        not_allowed: &NotAllowed,
    ) -> Option<Stretch> {
        // Yesterday's window may reach into today; no window reaches further.
        let mut earliest = at.date().pred_opt()?;
        loop {
            let day = self.schedule.first_day_on_or_after(earliest, self.start_date, horizon)?;
            let from = day.and_time(self.start_time.time());
            let to = from.checked_add_signed(TimeDelta::hours(i64::from(self.duration_hours.0)))?;
            if let Some(stretch) = not_allowed.first_stretch(Stretch { from, to: Some(to) }, at) {
                return Some(stretch);
            }
            // A window that starts on a span's last day may outlast it, so that day is looked at.
            let next = day.succ_opt()?;
            earliest = not_allowed.last_date_of_span_with(day).map_or(next, |last| last.max(next));
        }
    }
}

#[cfg(test)]
mod tests;
