//! The simulated clock: how the one time of all simulated behaviour follows from real time (the product: names).
//!
//! The setting is a row in the store; this module computes `now` from it and decides which changes are allowed. It
//! never goes back.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use super::refusal::{Code, Refusal};
use super::time::{LAST, Timestamp, to_rfc3339, to_stored_precision};

/// How simulated time passes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "camelCase")]
pub enum Mode {
    /// As real time does, and shows the same.
    Real,
    /// So many simulated seconds a real second.
    Scaled {
        /// Simulated seconds a real second, > 0.
        scale: f64,
    },
    /// Only when told.
    Manual,
}

impl Mode {
    /// The mode's name on the wire: `real`, `scaled` or `manual`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Scaled { .. } => "scaled",
            Self::Manual => "manual",
        }
    }

    /// Simulated seconds a real second: 0 on a manual clock.
    pub fn scale(self) -> f64 {
        match self {
            Self::Real => 1.0,
            Self::Scaled { scale } => scale,
            Self::Manual => 0.0,
        }
    }
}

/// The clock's row: at real instant `anchor_real` it was `anchor_simulated`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockSetting {
    /// How time passes since the anchor.
    pub mode: Mode,
    /// The real instant at which the setting was made.
    pub anchor_real: Timestamp,
    /// What the clock showed then.
    pub anchor_simulated: Timestamp,
}

impl ClockSetting {
    /// What the clock shows at real instant `real`; a scaled one stands still at the end of the year 9999.
    pub fn now(&self, real: Timestamp) -> Timestamp {
        match self.mode {
            Mode::Real => to_stored_precision(real),
            Mode::Manual => self.anchor_simulated,
            Mode::Scaled { scale } => {
                let elapsed = (real - self.anchor_real).max(TimeDelta::zero());
                let micros = elapsed.num_microseconds().unwrap_or(i64::MAX) as f64 * scale;
                let now = self.anchor_simulated.checked_add_signed(TimeDelta::microseconds(micros as i64));
                to_stored_precision(now.map_or(LAST, |now| now.min(LAST)))
            }
        }
    }

    /// How long in real time until the clock shows `at`: `None` on a manual clock, which does not get there by itself.
    pub fn real_time_until(&self, at: Timestamp, real: Timestamp) -> Option<TimeDelta> {
        let simulated = (at - self.now(real)).max(TimeDelta::zero());
        match self.mode {
            Mode::Manual => None,
            Mode::Real => Some(simulated),
            Mode::Scaled { scale } => {
                let micros = simulated.num_microseconds().unwrap_or(i64::MAX) as f64 / scale;
                Some(TimeDelta::microseconds(micros.ceil() as i64))
            }
        }
    }

    /// The setting after moving a manual clock to `to`.
    ///
    /// # Errors
    /// `OperationNotAllowed` where the clock is not manual or `to` is in its past.
    pub fn moved_to(&self, to: Timestamp, real: Timestamp) -> Result<Self, Refusal> {
        if self.mode != Mode::Manual {
            return Err(Refusal::new(
                Code::OperationNotAllowed,
                format!("Only a manual clock can be advanced; this one is {}.", self.mode.name()),
            ));
        }
        self.switched(Mode::Manual, to, real)
    }

    /// The setting after changing to `mode` at real instant `real`, showing `simulated` from there on.
    ///
    /// # Errors
    /// `OperationNotAllowed` where that would move the clock back.
    pub fn switched(&self, mode: Mode, simulated: Timestamp, real: Timestamp) -> Result<Self, Refusal> {
        let now = self.now(real);
        if simulated < now {
            let (shows, simulated) = (to_rfc3339(now), to_rfc3339(to_stored_precision(simulated)));
            let message = match mode {
                Mode::Real => format!(
                    "The clock never goes back: it shows {shows}, which is ahead of real time, {simulated}. It can \
                     be made real once real time is there."
                ),
                _ => {
                    format!("The clock never goes back: it shows {shows}, the request asks for {simulated}.")
                }
            };
            return Err(Refusal::new(Code::OperationNotAllowed, message));
        }
        Ok(Self { mode, anchor_real: real, anchor_simulated: to_stored_precision(simulated) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::time::from_micros;

    fn setting(mode: Mode) -> ClockSetting {
        ClockSetting { mode, anchor_real: from_micros(0), anchor_simulated: from_micros(1_000_000_000) }
    }

    #[test]
    fn a_scaled_clock_runs_so_many_times_as_fast() {
        let clock = setting(Mode::Scaled { scale: 60.0 });
        assert_eq!(clock.now(from_micros(1_000_000)), from_micros(1_060_000_000));
        assert_eq!(
            clock.real_time_until(from_micros(1_120_000_000), from_micros(1_000_000)),
            Some(TimeDelta::seconds(1))
        );
    }

    #[test]
    fn a_clock_that_runs_too_fast_stands_at_the_last_instant() {
        for scale in [1e15, 1e300, f64::MAX] {
            let clock = setting(Mode::Scaled { scale });
            assert_eq!(clock.now(from_micros(1_000_000_000)), LAST);
            assert_eq!(clock.real_time_until(LAST, from_micros(1_000_000_000)), Some(TimeDelta::zero()));
        }
    }

    #[test]
    fn a_manual_clock_stands_until_told() {
        let clock = setting(Mode::Manual);
        assert_eq!(clock.now(from_micros(77_000_000)), from_micros(1_000_000_000));
        assert_eq!(clock.real_time_until(from_micros(2_000_000_000), from_micros(0)), None);
        let moved = clock.moved_to(from_micros(2_000_000_000), from_micros(5)).unwrap();
        assert_eq!(moved.now(from_micros(99)), from_micros(2_000_000_000));
    }

    #[test]
    fn no_clock_goes_back() {
        let clock = setting(Mode::Manual);
        assert_eq!(
            clock.moved_to(from_micros(5), from_micros(5)).unwrap_err().code,
            Code::OperationNotAllowed
        );
        assert!(clock.switched(Mode::Real, from_micros(999_999_999), from_micros(5)).is_err());
    }

    #[test]
    fn a_clock_ahead_of_real_time_is_told_both_times() {
        let real = from_micros(5) + TimeDelta::nanoseconds(7);
        let refusal = setting(Mode::Manual).switched(Mode::Real, real, real).unwrap_err();
        let both = "it shows 1970-01-01T00:16:40Z, which is ahead of real time, 1970-01-01T00:00:00.000005Z.";
        assert!(refusal.message.contains(both), "{}", refusal.message);
    }

    #[test]
    fn only_a_manual_clock_is_advanced() {
        assert!(setting(Mode::Real).moved_to(from_micros(i64::MAX / 4), from_micros(0)).is_err());
    }
}
