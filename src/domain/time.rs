//! Instants as the service keeps them: UTC, to the microsecond, because that is what both stores keep.
//!
//! Nothing here reads a clock; `now` always arrives as an argument.

use chrono::{DateTime, SecondsFormat, SubsecRound, Utc};

/// An instant of simulated (or, where a comment says so, real) time, UTC.
pub type Timestamp = DateTime<Utc>;

/// The last whole second that RFC 3339 can write, and the last that the clock shows.
pub const LAST: Timestamp = match DateTime::from_timestamp(253_402_300_799, 0) {
    Some(last) => last,
    None => panic!("the end of the year 9999 is a representable time"),
};

/// Cuts an instant to the microsecond, the precision of both stores, so that what is answered before a write
/// equals what is read after it.
pub fn to_stored_precision(at: Timestamp) -> Timestamp {
    at.trunc_subsecs(6)
}

/// RFC 3339 in UTC with `Z`, fractions only where there are any: the form of every time in a body.
pub fn to_rfc3339(at: Timestamp) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// Microseconds since 1970: the form in which the stores index instants.
pub fn to_micros(at: Timestamp) -> i64 {
    at.timestamp_micros()
}

/// The instant at so many microseconds since 1970; values outside chrono's range become its nearest end.
pub fn from_micros(micros: i64) -> Timestamp {
    DateTime::from_timestamp_micros(micros).unwrap_or(if micros < 0 {
        DateTime::<Utc>::MIN_UTC
    } else {
        DateTime::<Utc>::MAX_UTC
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_survives_the_store() {
        let at = from_micros(1_796_083_200_123_456);
        assert_eq!(from_micros(to_micros(at)), at);
        assert_eq!(to_rfc3339(at), "2026-12-01T00:00:00.123456Z");
        assert_eq!(to_stored_precision(at + chrono::TimeDelta::nanoseconds(999)), at);
    }

    #[test]
    fn whole_seconds_are_written_without_a_fraction() {
        assert_eq!(to_rfc3339(from_micros(0)), "1970-01-01T00:00:00Z");
    }
}
