//! What keeps a second process away where time is simulated: an advisory lock, on a connection of its own.
//!
//! The server frees the lock when the connection ends, so a killed process frees it at once. If the connection
//! breaks while the process lives, the lock is gone without notice; holding the guard again takes it anew.

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions, Connection};
use tokio::sync::Mutex;

use crate::store::StoreError;
use crate::store::sql::failed;

/// The advisory lock's number: "fleetpln" in ASCII. Locks are per database.
const LOCK: i64 = i64::from_be_bytes(*b"fleetpln");

/// The guard, once held.
#[derive(Debug)]
pub(super) struct ClockGuard {
    options: PgConnectOptions,
    connection: Mutex<Option<PgConnection>>,
}

impl ClockGuard {
    /// A guard that is not held yet.
    pub(super) fn new(options: PgConnectOptions) -> Self {
        Self { options, connection: Mutex::new(None) }
    }

    /// Takes it, or makes sure that this process still has it.
    pub(super) async fn hold(&self) -> Result<(), StoreError> {
        let mut held = self.connection.lock().await;
        if let Some(connection) = held.as_mut()
            && connection.ping().await.is_ok()
        {
            return Ok(());
        }
        *held = None;
        let mut connection = self.options.connect().await.map_err(failed)?;
        let query = sqlx::query_scalar("SELECT pg_try_advisory_lock($1)").bind(LOCK);
        if query.fetch_one(&mut connection).await.map_err(failed)? {
            *held = Some(connection);
            Ok(())
        } else {
            Err(StoreError::Held("a scaled or manual clock serves one process at a time".to_owned()))
        }
    }

    /// Gives it back.
    pub(super) async fn release(&self) {
        if let Some(connection) = self.connection.lock().await.take() {
            // A connection that can't be closed in order is closed by the server all the same.
            let _ = connection.close().await;
        }
    }
}
