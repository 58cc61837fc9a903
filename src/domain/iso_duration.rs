//! ISO 8601 durations, such as `PT6H`: how the simulator's clock is told how far to go.
//!
//! Only units of a fixed length are read. Years and months have none, and guessing one would move a clock to
//! a surprising place. To read one more unit, add it to [`UNITS`], in its place.

use chrono::TimeDelta;

/// Why a text is no duration. The message says what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IsoDurationError {
    /// Not of the grammar at all.
    #[error(
        "'{0}' is not an ISO 8601 duration; expected P[nD][T[nH][nM][nS]] or PnW, such as PT6H or P1DT2H30M"
    )]
    Malformed(String),
    /// Names a unit whose length depends on the calendar.
    #[error("'{0}' counts years or months, whose length varies; use weeks, days, hours, minutes and seconds")]
    CalendarUnit(String),
    /// Further than the clock can count.
    #[error("'{0}' is too long a duration")]
    TooLong(String),
}

/// A unit that a number may be followed by: after the `T` or before, its letter, its seconds. Numbers must
/// come in this order.
const UNITS: [(bool, u8, i64); 5] =
    [(false, b'W', 604_800), (false, b'D', 86_400), (true, b'H', 3_600), (true, b'M', 60), (true, b'S', 1)];

/// Reads a duration of weeks, or of days, hours, minutes and seconds, in whole numbers.
///
/// # Errors
/// [`IsoDurationError`] for anything else: negative and fractional numbers, years and months included.
pub fn parse_iso_duration(text: &str) -> Result<TimeDelta, IsoDurationError> {
    let malformed = || IsoDurationError::Malformed(text.to_owned());
    let too_long = || IsoDurationError::TooLong(text.to_owned());
    let mut rest = text.strip_prefix('P').ok_or_else(malformed)?;
    let (mut in_time, mut parts, mut next_unit) = (false, 0, 0);
    let mut seconds: i64 = 0;
    while !rest.is_empty() {
        if let Some(time) = rest.strip_prefix('T') {
            if in_time || time.is_empty() {
                return Err(malformed());
            }
            (in_time, rest) = (true, time);
            continue;
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let letter = *rest.as_bytes().get(digits).ok_or_else(malformed)?;
        if digits > 0 && !in_time && matches!(letter, b'Y' | b'M') {
            return Err(IsoDurationError::CalendarUnit(text.to_owned()));
        }
        let unit = UNITS.iter().position(|(time, name, _)| (*time, *name) == (in_time, letter));
        let unit = unit.filter(|unit| digits > 0 && *unit >= next_unit).ok_or_else(malformed)?;
        // Digits only fail to parse when there are too many of them.
        let number: i64 = rest[..digits].parse().map_err(|_| too_long())?;
        let part = number.checked_mul(UNITS[unit].2).ok_or_else(too_long)?;
        seconds = seconds.checked_add(part).ok_or_else(too_long)?;
        (parts, next_unit, rest) = (parts + 1, unit + 1, &rest[digits + 1..]);
    }
    let weeks_among_others = text.contains('W') && parts > 1;
    if parts == 0 || weeks_among_others {
        return Err(malformed());
    }
    TimeDelta::try_seconds(seconds).ok_or_else(too_long)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("PT6H", 6 * 3600)]
    #[case("P1DT2H30M", 86_400 + 2 * 3600 + 30 * 60)]
    #[case("P2W", 14 * 86_400)]
    #[case("P1D", 86_400)]
    #[case("PT90M", 90 * 60)]
    #[case("PT1H1S", 3601)]
    #[case("PT0S", 0)]
    #[case("P007D", 7 * 86_400)]
    fn fixed_units_add_up(#[case] text: &str, #[case] seconds: i64) {
        assert_eq!(parse_iso_duration(text), Ok(TimeDelta::seconds(seconds)));
    }

    #[rstest]
    fn other_texts_are_malformed(
        #[values(
            "", "P", "PT", "6H", "PT6", "P6H", "P1DT", "PT1D", "PT1H2H", "PT1M2H", "P1W2D", "P1WT1H",
            "PTT1H", "P1DTT1H", "PTH", "-PT6H", "PT-6H", "PT1.5H", "PT1,5H", "pt6h", "PT6H ", " PT6H",
            "PT6é", "P٣D", "6 hours"
        )]
        text: &str,
    ) {
        assert_eq!(parse_iso_duration(text), Err(IsoDurationError::Malformed(text.to_owned())));
    }

    #[rstest]
    fn years_and_months_are_refused_by_name(#[values("P1Y", "P1M", "P1Y2M3D", "P3MT1H")] text: &str) {
        assert_eq!(parse_iso_duration(text), Err(IsoDurationError::CalendarUnit(text.to_owned())));
    }

    #[rstest]
    fn what_no_clock_counts_is_too_long(
        #[values("PT99999999999999999999S", "P99999999999999999W", "PT9223372036854775807S")] text: &str,
    ) {
        assert_eq!(parse_iso_duration(text), Err(IsoDurationError::TooLong(text.to_owned())));
    }
}
