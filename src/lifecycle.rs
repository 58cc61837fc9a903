//! How the process ends: a signal asks for it, everybody finishes, a second signal or the time limit cuts short.
//!
//! What may not live here: what finishing means for a part of the service; each part holds a [`Shutdown`] and knows.
//!
//! Flow: SIGTERM or SIGINT → [`Shutdown::requested`] resolves everywhere → the listener closes, requests in flight are
//! answered, leases are released → exit code 0. A second signal ends the process at once with 128 + its number.

use std::{io, time::Duration};

use tokio::{
    signal::unix::{SignalKind, signal},
    sync::{mpsc, watch},
};

/// How long parts of the service may take to finish: the process must be gone ten seconds after the signal, and the
/// rest of them is for closing the store.
pub const DRAIN_LIMIT: Duration = Duration::from_secs(8);

/// How long giving back leases and closing the store may take after that.
pub const CLOSE_LIMIT: Duration = Duration::from_millis(1500);

/// The request to end, as those see it who must finish. Clones share it.
#[derive(Debug, Clone)]
pub struct Shutdown(watch::Receiver<bool>);

/// The right to ask everybody to end. Dropping it asks too, so that nobody waits for ever.
#[derive(Debug)]
pub struct ShutdownTrigger(watch::Sender<bool>);

/// A trigger and what it triggers.
#[must_use]
pub fn shutdown() -> (ShutdownTrigger, Shutdown) {
    let (sender, receiver) = watch::channel(false);
    (ShutdownTrigger(sender), Shutdown(receiver))
}

impl ShutdownTrigger {
    /// Asks everybody to finish; asking again does nothing.
    pub fn request(&self) {
        self.0.send_replace(true);
    }
}

impl Shutdown {
    /// Resolves when the end was asked for, at once if it was before.
    pub async fn requested(&mut self) {
        // An error means that the trigger is gone, which asks for the end as well.
        let _ = self.0.wait_for(|requested| *requested).await;
    }

    /// Whether the end was asked for.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        *self.0.borrow() || self.0.has_changed().is_err()
    }
}

/// How work ended that was told to finish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drained {
    /// By itself.
    Finished,
    /// It was dropped at the limit.
    CutShort,
}

/// Lets `work` run until `shutdown`, then gives it `limit` (normally [`DRAIN_LIMIT`]) to finish.
pub async fn drain(work: impl Future<Output = ()>, mut shutdown: Shutdown, limit: Duration) -> Drained {
    let cut = async {
        shutdown.requested().await;
        tokio::time::sleep(limit).await;
    };
    tokio::select! {
        biased;
        () = work => Drained::Finished,
        () = cut => {
            tracing::warn!(limit_seconds = limit.as_secs(), "requests still running are cut short");
            Drained::CutShort
        }
    }
}

/// Triggers on SIGTERM and SIGINT from now on; a second signal ends the process at once. Needs a Tokio runtime.
///
/// # Errors
/// When the operating system refuses a signal handler.
pub fn end_on_signals(trigger: ShutdownTrigger) -> io::Result<()> {
    let (sender, signals) = mpsc::channel(2);
    for kind in [SignalKind::terminate(), SignalKind::interrupt()] {
        let mut stream = signal(kind)?;
        let sender = sender.clone();
        tokio::spawn(async move {
            while stream.recv().await.is_some() && sender.send(kind.as_raw_value()).await.is_ok() {}
        });
    }
    tokio::spawn(async move {
        supervise(signals, trigger, |code| std::process::exit(code)).await;
    });
    Ok(())
}

/// The first signal triggers, the second one aborts with 128 + its number.
async fn supervise(mut signals: mpsc::Receiver<i32>, trigger: ShutdownTrigger, abort: impl FnOnce(i32)) {
    let Some(first) = signals.recv().await else { return };
    tracing::info!(signal = first, "ending: requests in flight are finished; signal again to abort");
    trigger.request();
    let Some(second) = signals.recv().await else { return };
    tracing::warn!(signal = second, "aborted by a second signal");
    abort(128 + second);
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI32, Ordering};

    use super::*;

    const SIGINT: i32 = 2;
    const SIGTERM: i32 = 15;

    /// Runs `supervise` over these signals and returns whether the end was asked for and the abort's exit code.
    async fn after(signals: &[i32]) -> (bool, Option<i32>) {
        let (sender, receiver) = mpsc::channel(2);
        for signal in signals {
            sender.send(*signal).await.unwrap();
        }
        drop(sender);
        let (trigger, shutdown) = shutdown();
        let observer = ShutdownTrigger(trigger.0.clone());
        let code = AtomicI32::new(0);
        supervise(receiver, trigger, |with| code.store(with, Ordering::Relaxed)).await;
        let requested = *observer.0.borrow();
        drop(shutdown);
        (requested, Some(code.into_inner()).filter(|code| *code != 0))
    }

    #[tokio::test]
    async fn no_signal_asks_for_nothing() {
        assert_eq!(after(&[]).await, (false, None));
    }

    #[tokio::test]
    async fn the_first_signal_asks_everybody_to_finish() {
        assert_eq!(after(&[SIGTERM]).await, (true, None));
    }

    #[tokio::test]
    async fn a_second_signal_aborts_with_its_number() {
        assert_eq!(after(&[SIGTERM, SIGINT]).await, (true, Some(130)));
        assert_eq!(after(&[SIGINT, SIGTERM]).await, (true, Some(143)));
    }

    #[tokio::test]
    async fn every_clone_sees_the_request_however_late_it_looks() {
        let (trigger, mut early) = shutdown();
        let mut late = early.clone();
        assert!(!early.is_requested());
        trigger.request();
        trigger.request();
        early.requested().await;
        late.requested().await;
        assert!(late.is_requested());
    }

    #[tokio::test]
    async fn a_lost_trigger_asks_for_the_end() {
        let (trigger, mut shutdown) = shutdown();
        drop(trigger);
        shutdown.requested().await;
        assert!(shutdown.is_requested());
    }

    #[tokio::test]
    async fn work_that_never_finishes_is_cut_short_at_the_limit() {
        let (trigger, shutdown) = shutdown();
        trigger.request();
        assert_eq!(drain(std::future::pending(), shutdown, Duration::ZERO).await, Drained::CutShort);
    }

    #[tokio::test]
    async fn work_that_finishes_after_the_request_is_waited_for() {
        let (trigger, shutdown) = shutdown();
        let mut own = shutdown.clone();
        let work = async move { own.requested().await };
        trigger.request();
        assert_eq!(drain(work, shutdown, DRAIN_LIMIT).await, Drained::Finished);
    }
}
