//! How a write tells this process's scheduler to look again.

use std::sync::Arc;

use tokio::sync::Notify;

/// A signal with one receiver; many sends before it looks count as one.
#[derive(Clone, Debug, Default)]
pub struct Signal(Arc<Notify>);

impl Signal {
    /// Something was written that may be due.
    pub fn send(&self) {
        self.0.notify_one();
    }

    /// Waits for the next [`Signal::send`]; returns at once where one came since the last wait.
    pub async fn received(&self) {
        self.0.notified().await;
    }
}
