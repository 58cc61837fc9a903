//! The clock section: which clock an empty store is given.

use std::str::FromStr;

use chrono::{DateTime, TimeZone as _, Utc};
use clap::Args;

use super::InvalidSetting;
use crate::domain::time::Timestamp;

/// When a manual clock starts unless told otherwise (2026-11-30T00:00:00Z), in seconds since the Unix epoch.
pub const DEFAULT_MANUAL_START: i64 = 1_795_996_800;

/// The clock all simulated behaviour runs on.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct ClockConfig {
    /// real, scaled:N (N simulated seconds a second), manual, or manual:TIMESTAMP (moves only when told). Set once, in
    /// an empty store: a restart goes on where the clock was
    #[arg(long, env = "FLEETPLANE_CLOCK", value_name = "CLOCK", default_value = "real")]
    pub clock: ClockSetting,
}

/// What `--clock` asks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ClockSetting {
    /// The machine's time.
    Real,
    /// Starts at the machine's time and runs this many simulated seconds a second; finite, above 0.
    Scaled(f64),
    /// Starts here and moves only when told.
    Manual(Timestamp),
}

impl ClockSetting {
    /// Whether time stands still until told.
    #[must_use]
    pub fn is_manual(self) -> bool {
        matches!(self, Self::Manual(_))
    }
}

impl FromStr for ClockSetting {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once(':') {
            None if text == "real" => Ok(Self::Real),
            None if text == "manual" => {
                let start = Utc.timestamp_opt(DEFAULT_MANUAL_START, 0).single();
                Ok(Self::Manual(start.expect("the default start is a representable time")))
            }
            None if text == "scaled" => {
                Err(InvalidSetting::new("scaled needs its factor, as in scaled:60 (a minute a second)"))
            }
            Some(("scaled", factor)) => match factor.parse::<f64>() {
                Ok(factor) if factor.is_finite() && factor > 0.0 => Ok(Self::Scaled(factor)),
                _ => Err(InvalidSetting::new(format!(
                    "the factor of a scaled clock is a number above 0, as in scaled:60; got {factor:?}"
                ))),
            },
            Some(("manual", start)) => match DateTime::parse_from_rfc3339(start) {
                Ok(start) => Ok(Self::Manual(start.with_timezone(&Utc))),
                Err(_) => Err(InvalidSetting::new(format!(
                    "the start of a manual clock is an RFC 3339 time, as in manual:2026-01-05T00:00:00Z; got {start:?}"
                ))),
            },
            _ => Err(InvalidSetting::new("expected real, scaled:N, manual or manual:TIMESTAMP")),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn manual(start: &str) -> ClockSetting {
        ClockSetting::Manual(start.parse().unwrap())
    }

    #[rstest]
    #[case("real", ClockSetting::Real)]
    #[case("scaled:60", ClockSetting::Scaled(60.0))]
    #[case("scaled:0.5", ClockSetting::Scaled(0.5))]
    #[case("manual", manual("2026-11-30T00:00:00Z"))]
    #[case("manual:2026-01-05T00:00:00Z", manual("2026-01-05T00:00:00Z"))]
    #[case("manual:2026-01-05T01:00:00+01:00", manual("2026-01-05T00:00:00Z"))]
    fn clocks_are_read(#[case] text: &str, #[case] expected: ClockSetting) {
        assert_eq!(text.parse::<ClockSetting>().unwrap(), expected);
    }

    #[rstest]
    #[case("", "expected real, scaled:N")]
    #[case("Real", "expected real, scaled:N")]
    #[case("real:1", "expected real, scaled:N")]
    #[case("scaled", "scaled:60")]
    #[case("scaled:", "number above 0")]
    #[case("scaled:0", "number above 0")]
    #[case("scaled:-1", "number above 0")]
    #[case("scaled:inf", "number above 0")]
    #[case("scaled:fast", "number above 0")]
    #[case("manual:yesterday", "RFC 3339")]
    #[case("manual:2026-01-05", "RFC 3339")]
    fn other_clocks_are_refused_with_what_would_be_right(#[case] text: &str, #[case] hint: &str) {
        let error = text.parse::<ClockSetting>().unwrap_err().to_string();
        assert!(error.contains(hint), "{error}");
    }
}
