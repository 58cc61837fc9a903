//! Whether the scheduler is alive.

use std::sync::atomic::{AtomicBool, Ordering};

/// Set by the driver, read by `GET /readyz`.
#[derive(Debug, Default)]
pub struct SchedulerStatus(AtomicBool);

impl SchedulerStatus {
    /// Whether the driver runs and its last round reached the store.
    pub fn is_alive(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn set(&self, alive: bool) {
        self.0.store(alive, Ordering::Relaxed);
    }
}
