//! Local wall-clock notions that schedules are written in: a time of day, a fixed UTC offset, a day of the week.
//!
//! No time-zone names and no daylight saving: ARM schedules carry a fixed offset. Everything is a value with
//! its ARM spelling; moments in time live in the modules that use these. To add a notion, give it a newtype
//! here that parses and writes ARM's spelling.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, FixedOffset, NaiveDateTime, NaiveTime, TimeDelta, TimeZone, Utc, Weekday};
use serde::{Deserialize, Serialize};

/// Why a text is no time of day or offset. The message says what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LocalTimeError {
    /// Not `HH:mm`.
    #[error("'{0}' is not a time of day; expected HH:mm from 00:00 to 23:59, such as 09:30")]
    TimeOfDay(String),
    /// Not `±HH:mm`, or further from UTC than any place on Earth.
    #[error("'{0}' is not a UTC offset; expected +HH:mm or -HH:mm, at most 14:00 either way, such as +05:30")]
    UtcOffset(String),
}

/// The two numbers of `HH:mm`, minutes below 60.
fn hours_and_minutes(text: &str) -> Option<(u32, u32)> {
    let [h1, h2, b':', m1, m2] = *text.as_bytes() else { return None };
    let digit = |b: u8| b.is_ascii_digit().then(|| u32::from(b - b'0'));
    let (hours, minutes) = (digit(h1)? * 10 + digit(h2)?, digit(m1)? * 10 + digit(m2)?);
    (minutes < 60).then_some((hours, minutes))
}

/// A time of day to the minute, written `HH:mm` from `00:00` to `23:59`; `24:00` is not one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeOfDay(NaiveTime);

impl TimeOfDay {
    /// The same as chrono's type, for arithmetic.
    pub const fn time(self) -> NaiveTime {
        self.0
    }
}

impl FromStr for TimeOfDay {
    type Err = LocalTimeError;

    fn from_str(text: &str) -> Result<Self, LocalTimeError> {
        hours_and_minutes(text)
            .and_then(|(hours, minutes)| NaiveTime::from_hms_opt(hours, minutes, 0))
            .map(Self)
            .ok_or_else(|| LocalTimeError::TimeOfDay(text.to_owned()))
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.format("%H:%M"))
    }
}

/// A fixed distance of local time from UTC, written `±HH:mm` from `-14:00` to `+14:00`.
///
/// `-00:00` is read as `+00:00` and written so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct UtcOffset(FixedOffset);

impl UtcOffset {
    /// UTC itself, the default of a maintenance window without `utcOffset`.
    pub const UTC: Self = match FixedOffset::east_opt(0) {
        Some(offset) => Self(offset),
        None => unreachable!(),
    };

    /// The wall clock's reading at `at`.
    pub fn local(self, at: DateTime<Utc>) -> NaiveDateTime {
        at.with_timezone(&self.0).naive_local()
    }

    /// The moment at which the wall clock reads `local`. A fixed offset reads every time exactly once.
    pub fn utc(self, local: NaiveDateTime) -> DateTime<Utc> {
        Utc.from_utc_datetime(&(local - TimeDelta::seconds(i64::from(self.0.local_minus_utc()))))
    }
}

impl Default for UtcOffset {
    fn default() -> Self {
        Self::UTC
    }
}

impl FromStr for UtcOffset {
    type Err = LocalTimeError;

    fn from_str(text: &str) -> Result<Self, LocalTimeError> {
        let parse = || {
            let (sign, distance) = match text.as_bytes().first()? {
                b'+' => (1, &text[1..]),
                b'-' => (-1, &text[1..]),
                _ => return None,
            };
            let (hours, minutes) = hours_and_minutes(distance)?;
            let minutes_away = i32::try_from(hours * 60 + minutes).ok().filter(|m| *m <= 14 * 60)?;
            FixedOffset::east_opt(sign * minutes_away * 60)
        };
        parse().map(Self).ok_or_else(|| LocalTimeError::UtcOffset(text.to_owned()))
    }
}

impl fmt::Display for UtcOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A day of the week under its ARM name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "a day's name is its documentation")]
pub enum DayOfWeek {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

impl DayOfWeek {
    /// The same as chrono's type, for arithmetic.
    pub const fn weekday(self) -> Weekday {
        match self {
            Self::Monday => Weekday::Mon,
            Self::Tuesday => Weekday::Tue,
            Self::Wednesday => Weekday::Wed,
            Self::Thursday => Weekday::Thu,
            Self::Friday => Weekday::Fri,
            Self::Saturday => Weekday::Sat,
            Self::Sunday => Weekday::Sun,
        }
    }
}

impl TryFrom<String> for TimeOfDay {
    type Error = LocalTimeError;

    fn try_from(text: String) -> Result<Self, LocalTimeError> {
        text.parse()
    }
}

impl From<TimeOfDay> for String {
    fn from(time: TimeOfDay) -> Self {
        time.to_string()
    }
}

impl TryFrom<String> for UtcOffset {
    type Error = LocalTimeError;

    fn try_from(text: String) -> Result<Self, LocalTimeError> {
        text.parse()
    }
}

impl From<UtcOffset> for String {
    fn from(offset: UtcOffset) -> Self {
        offset.to_string()
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    fn times_of_day_are_written_as_they_were_read(#[values("00:00", "09:30", "23:59")] text: &str) {
        assert_eq!(text.parse::<TimeOfDay>().unwrap().to_string(), text);
    }

    #[rstest]
    fn what_no_clock_shows_is_no_time_of_day(
        #[values(
            "", "24:00", "23:60", "9:30", "09:3", "0930", "09:30:00", "+9:30", "09.30", " 09:30", "0٣:0"
        )]
        text: &str,
    ) {
        assert_eq!(text.parse::<TimeOfDay>(), Err(LocalTimeError::TimeOfDay(text.to_owned())));
    }

    #[rstest]
    fn offsets_are_written_as_they_were_read(
        #[values("+00:00", "+05:30", "-07:00", "+14:00", "-14:00", "+12:45", "-09:30")] text: &str,
    ) {
        assert_eq!(text.parse::<UtcOffset>().unwrap().to_string(), text);
    }

    #[rstest]
    fn offsets_without_sign_or_beyond_fourteen_hours_are_refused(
        #[values(
            "", "05:30", "+14:30", "-14:01", "+15:00", "+5:30", "+0530", "Z", "+", "+05:60", "−05:00",
            "é05:00"
        )]
        text: &str,
    ) {
        assert_eq!(text.parse::<UtcOffset>(), Err(LocalTimeError::UtcOffset(text.to_owned())));
    }

    #[test]
    fn minus_zero_is_utc() {
        assert_eq!("-00:00".parse(), Ok(UtcOffset::UTC));
        assert_eq!(UtcOffset::default().to_string(), "+00:00");
    }

    #[test]
    fn local_and_utc_undo_each_other_and_may_differ_in_the_date() {
        let at: DateTime<Utc> = "2026-12-31T18:45:00Z".parse().unwrap();
        let offset: UtcOffset = "+05:30".parse().unwrap();
        assert_eq!(offset.local(at).to_string(), "2027-01-01 00:15:00");
        assert_eq!(offset.utc(offset.local(at)), at);
    }

    #[test]
    fn json_has_arm_spellings() {
        let json = r#"["09:30","-07:00","Wednesday"]"#;
        let read: (TimeOfDay, UtcOffset, DayOfWeek) = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), json);
        assert!(serde_json::from_str::<DayOfWeek>(r#""Wed""#).is_err());
    }
}
