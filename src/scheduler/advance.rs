//! Moving a manual clock, event by event (the simulator API: clock/advance).

use super::{PASSED_OVER, Scheduler};
use crate::domain::clock::{ClockSetting, Mode};
use crate::domain::refusal::{Code, Refusal};
use crate::domain::time::{Timestamp, to_rfc3339};
use crate::service::ServiceError;
use crate::store::{Access, StoreError};

impl Scheduler {
    /// Moves a manual clock to `to` (given the time it shows now), stopping at every instant at which something falls due
    /// until all that does is done; returns what it shows then.
    ///
    /// # Errors
    /// `OperationNotAllowed` where the clock is not manual, `to` is in its past, or it is being advanced already;
    /// `ServiceUnavailable` where the process ends meanwhile, or storage's: then the clock stands at the last instant that
    /// was done.
    pub async fn advance_clock(
        &self,
        to: impl FnOnce(Timestamp) -> Result<Timestamp, Refusal> + Send,
    ) -> Result<Timestamp, ServiceError> {
        let Ok(_turn) = self.advancing.try_lock() else {
            return Err(
                Refusal::new(Code::OperationNotAllowed, "The clock is being advanced already.").into()
            );
        };
        let mut runs = self.runs.lock().await;
        let setting = self.service.clock.setting();
        let to = to(self.service.clock.now())?;
        setting.moved_to(to, self.service.clock.real_now())?;
        loop {
            self.tick_holding(&mut runs).await?;
            if self.is_ending() {
                return Err(left_off(self.service.clock.now()).into());
            }
            let mut tx = self.service.store.begin(Access::Read).await?;
            let next = tx.next_due(&self.lease.owner).await?;
            drop(tx);
            let now = self.service.clock.now();
            match next.filter(|next| *next < to) {
                // Due, but passed over: somebody's transaction holds it for a moment.
                Some(next) if next <= now => tokio::time::sleep(PASSED_OVER).await,
                Some(next) => self.move_clock(next).await?,
                None if now < to => self.move_clock(to).await?,
                None if next == Some(to) && self.tick_holding(&mut runs).await? > 0 => {}
                None => return Ok(now),
            }
        }
    }

    async fn move_clock(&self, to: Timestamp) -> Result<(), ServiceError> {
        let setting = self.service.clock.setting().moved_to(to, self.service.clock.real_now())?;
        self.put_setting(setting).await
    }

    /// Changes how the clock goes; it goes on from what it shows.
    ///
    /// # Errors
    /// `OperationNotAllowed` where the clock would go back (from a clock ahead of real time to the real one), is being
    /// advanced, or would not be real while other processes share the store; storage's.
    pub async fn switch_clock(&self, mode: Mode) -> Result<ClockSetting, ServiceError> {
        let Ok(_turn) = self.advancing.try_lock() else {
            return Err(Refusal::new(Code::OperationNotAllowed, "The clock is being advanced.").into());
        };
        let real = self.service.clock.real_now();
        let now = self.service.clock.now();
        if mode != Mode::Real {
            self.service.store.hold_single_process_guard().await.map_err(not_alone)?;
        }
        let shows = if mode == Mode::Real { real } else { now };
        let setting = self.service.clock.setting().switched(mode, shows, real)?;
        self.put_setting(setting).await?;
        if mode == Mode::Real {
            self.service.store.share_with_other_processes().await?;
        }
        self.service.signal.send();
        Ok(setting)
    }

    async fn put_setting(&self, setting: ClockSetting) -> Result<(), ServiceError> {
        let mut tx = self.service.store.begin(Access::Write).await?;
        tx.set_clock(setting).await?;
        tx.commit(false).await?;
        self.service.clock.set(setting);
        Ok(())
    }
}

fn not_alone(error: StoreError) -> ServiceError {
    match error {
        StoreError::Held(_) => Refusal::new(
            Code::OperationNotAllowed,
            "Other processes share the database, and they need one clock: only the real one can be it.",
        )
        .into(),
        other => other.into(),
    }
}

fn left_off(at: Timestamp) -> Refusal {
    let message = format!(
        "The service is ending; its clock stands at {}. Advance it further when the service is back.",
        to_rfc3339(at)
    );
    Refusal::new(Code::ServiceUnavailable, message)
}
