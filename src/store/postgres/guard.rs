//! What keeps a second process away where time is simulated: an advisory lock, on a connection of its own.
//!
//! Processes on a real clock share the lock, one on a clock of its own has it alone. The server frees it when the
//! connection ends, so a killed process frees it at once. If the connection breaks while the process lives, the lock is
//! gone without notice; taking it again takes it anew.

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions, Connection};
use tokio::sync::Mutex;

use crate::store::StoreError;
use crate::store::sql::failed;

/// The advisory lock's number: "fleetpln" in ASCII. Locks are per database.
const LOCK: i64 = i64::from_be_bytes(*b"fleetpln");

/// How the guard is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// By any number of processes.
    Shared,
    /// By one, and nobody shares it.
    Alone,
}

/// The guard, once held.
#[derive(Debug)]
pub(super) struct ClockGuard {
    options: PgConnectOptions,
    held: Mutex<Option<(Manner, PgConnection)>>,
}

impl ClockGuard {
    /// A guard that is not held yet.
    pub(super) fn new(options: PgConnectOptions) -> Self {
        Self { options, held: Mutex::new(None) }
    }

    /// Takes it in this manner, or makes sure that this process still has it so. Where others are in the way, it is
    /// shared with them if it can be.
    pub(super) async fn take(&self, manner: Manner) -> Result<(), StoreError> {
        let mut held = self.held.lock().await;
        // On the same connection where it lives: another one's locks go a moment after it does.
        if let Some((before, connection)) = held.as_mut() {
            if *before == manner && connection.ping().await.is_ok() {
                return Ok(());
            }
            if unlock(connection).await.is_err() {
                *held = None;
            }
        }
        let mut connection = match held.take() {
            Some((_, connection)) => connection,
            None => self.options.connect().await.map_err(failed)?,
        };
        for attempt in [manner, Manner::Shared] {
            if lock(&mut connection, attempt).await? {
                *held = Some((attempt, connection));
                break;
            }
        }
        match held.as_ref() {
            Some((got, _)) if *got == manner => Ok(()),
            _ => Err(StoreError::Held("a scaled or manual clock serves one process at a time".to_owned())),
        }
    }

    /// Gives it back.
    pub(super) async fn release(&self) {
        if let Some((_, mut connection)) = self.held.lock().await.take() {
            // A connection that can't be closed in order is closed by the server all the same, if a moment later.
            let _ = unlock(&mut connection).await;
            let _ = connection.close().await;
        }
    }
}

async fn unlock(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query("SELECT pg_advisory_unlock_all()").execute(connection).await.map(|_| ())
}

async fn lock(connection: &mut PgConnection, manner: Manner) -> Result<bool, StoreError> {
    let statement = match manner {
        Manner::Shared => "SELECT pg_try_advisory_lock_shared($1)",
        Manner::Alone => "SELECT pg_try_advisory_lock($1)",
    };
    sqlx::query_scalar(statement).bind(LOCK).fetch_one(connection).await.map_err(failed)
}
