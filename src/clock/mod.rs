//! The running clock: real time and the setting in force, in one place the whole process shares.
//!
//! The only home of `Utc::now` and of random ids. What the clock shows is decided by [`crate::domain::clock`];
//! here is only the state. Whoever changes the setting writes the store first, then [`ServiceClock::set`].

use chrono::{TimeDelta, Utc};
use tokio::sync::watch;
use uuid::Uuid;

use crate::domain::clock::ClockSetting;
use crate::domain::ids::IdSource;
use crate::domain::time::Timestamp;

/// Real time, as a port so that tests may stand still.
pub trait RealTime: Send + Sync {
    /// The real instant.
    fn now(&self) -> Timestamp;
}

/// The machine's own clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemTime;

impl RealTime for SystemTime {
    #[expect(clippy::disallowed_methods, reason = "the one home of real time")]
    fn now(&self) -> Timestamp {
        Utc::now()
    }
}

/// Random ids (UUID version 4).
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomIds;

impl IdSource for RandomIds {
    #[expect(clippy::disallowed_methods, reason = "the one home of random ids")]
    fn next(&self) -> Uuid {
        Uuid::new_v4()
    }
}

/// The clock that all simulated behaviour runs on.
pub struct ServiceClock {
    real: Box<dyn RealTime>,
    setting: watch::Sender<ClockSetting>,
}

impl ServiceClock {
    /// A clock with the setting found in, or first written to, the store.
    pub fn new(real: Box<dyn RealTime>, setting: ClockSetting) -> Self {
        Self { real, setting: watch::Sender::new(setting) }
    }

    /// Simulated now.
    pub fn now(&self) -> Timestamp {
        self.setting().now(self.real.now())
    }

    /// Real now: only for what the product runs on real time (retention, throttling).
    pub fn real_now(&self) -> Timestamp {
        self.real.now()
    }

    /// The setting in force.
    pub fn setting(&self) -> ClockSetting {
        *self.setting.borrow()
    }

    /// Puts a setting in force that is already stored.
    pub fn set(&self, setting: ClockSetting) {
        self.setting.send_replace(setting);
    }

    /// A receiver that is told of every change of the setting.
    pub fn changes(&self) -> watch::Receiver<ClockSetting> {
        self.setting.subscribe()
    }

    /// Real time until the clock shows `at`; `None` where it does not get there by itself.
    pub fn real_time_until(&self, at: Timestamp) -> Option<TimeDelta> {
        self.setting().real_time_until(at, self.real.now())
    }
}

impl std::fmt::Debug for ServiceClock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServiceClock").field("setting", &self.setting()).finish_non_exhaustive()
    }
}
