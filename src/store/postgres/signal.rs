//! Hearing of other processes' writes: LISTEN, in a task with a connection of its own.
//!
//! The task starts with the first wait. It signals once whenever it begins to listen, because what was written
//! while nobody listened was not heard; so a signal may be spurious and is never missing.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// The channel of all processes that share a database.
pub(super) const CHANNEL: &str = "fleetplane";

/// The pauses between attempts to connect: doubled from the first up to the last.
const BACK_OFF: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

/// Where signals arrive.
#[derive(Debug)]
pub(super) struct Signal {
    options: PgConnectOptions,
    /// This process, whose own writes are no news.
    process: String,
    arrived: Arc<Notify>,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl Signal {
    /// Not listening yet.
    pub(super) fn new(options: PgConnectOptions, process: String) -> Self {
        Self { options, process, arrived: Arc::default(), task: Mutex::default() }
    }

    /// Waits for the next signal. One that came since the last wait ended counts.
    pub(super) async fn received(&self) {
        self.start();
        self.arrived.notified().await;
    }

    /// Stops listening.
    pub(super) fn stop(&self) {
        if let Some(task) = self.task.lock().unwrap_or_else(PoisonError::into_inner).take() {
            task.abort();
        }
    }

    fn start(&self) {
        let mut task = self.task.lock().unwrap_or_else(PoisonError::into_inner);
        if task.is_none() {
            let (options, process) = (self.options.clone(), self.process.clone());
            *task = Some(tokio::spawn(listen(options, process, Arc::clone(&self.arrived))));
        }
    }
}

impl Drop for Signal {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Listens for ever; where the connection breaks, again after a pause.
async fn listen(options: PgConnectOptions, process: String, arrived: Arc<Notify>) {
    let mut pause = BACK_OFF.0;
    loop {
        if let Ok(mut listener) = connect(&options).await {
            pause = BACK_OFF.0;
            arrived.notify_one();
            while let Ok(Some(notification)) = listener.try_recv().await {
                if notification.payload() != process {
                    arrived.notify_one();
                }
            }
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(BACK_OFF.1);
    }
}

async fn connect(options: &PgConnectOptions) -> Result<PgListener, sqlx::Error> {
    let pool = PgPoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
    let mut listener = PgListener::connect_with(&pool.connect_with(options.clone()).await?).await?;
    listener.eager_reconnect(false);
    listener.listen(CHANNEL).await?;
    Ok(listener)
}
