//! The store in Postgres (15 or later), shared by any number of processes.
//!
//! A reading transaction sees one snapshot; a writing one locks the rows it gets. Other processes are told of
//! writes by NOTIFY. Files have the ports' names; statements that SQLite shares are in `super::sql`.

mod counters;
mod guard;
mod records;
mod run_members;
mod signal;
mod work;

use std::str::FromStr;
use std::time::Duration;

use async_trait::async_trait;
use sqlx::ConnectOptions as _;
use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};

use self::guard::{ClockGuard, Manner};
use self::signal::Signal;
use super::migrations::{MigrationMode, migration_failed, missing, pending, refuse};
use super::sql::{self, failed};
use super::{Access, PoolStatus, Store, StoreError, Transaction};
use crate::domain::clock::ClockSetting;

/// The schema's history.
pub(super) static MIGRATOR: Migrator = sqlx::migrate!("migrations/postgres");

/// Connections in the pool. The guard and the signal have one more each.
const CONNECTIONS: u32 = 16;

/// How long a request waits for a connection before it is told that storage is unavailable.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a transaction may do nothing before the server undoes it, so that a process cut off from the network
/// does not keep its rows locked.
const IDLE_IN_TRANSACTION: &str = "10s";

/// The store in Postgres.
#[derive(Debug)]
pub struct PgStore {
    pool: PgPool,
    /// Names this process in signals.
    process: String,
    signal: Signal,
    guard: ClockGuard,
}

impl PgStore {
    /// Connects to the database at `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] where it does not answer, [`StoreError::Schema`] where the schema does not fit.
    pub async fn connect(url: &str, mode: MigrationMode) -> Result<Self, StoreError> {
        Self::connect_reporting(url, mode).await.map(|(store, _)| store)
    }

    /// Applies the pending migrations and says which they were (`0001 initial`).
    ///
    /// # Errors
    /// Those of [`PgStore::connect`].
    pub async fn migrate(url: &str) -> Result<Vec<String>, StoreError> {
        let (store, applied) = Self::connect_reporting(url, MigrationMode::Apply).await?;
        store.close().await;
        Ok(applied)
    }

    async fn connect_reporting(url: &str, mode: MigrationMode) -> Result<(Self, Vec<String>), StoreError> {
        let options = PgConnectOptions::from_str(url)
            .map_err(failed)?
            .application_name("fleetplane")
            .options([("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION)]);
        let pool = PgPoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(ACQUIRE_TIMEOUT);
        let pool = match pool.connect_with(options.clone()).await {
            Ok(pool) => pool,
            Err(error) => return Err(failed(why(error, &options).await)),
        };
        let pending = migrate(&pool, mode).await?;
        let process: String =
            sqlx::query_scalar("SELECT gen_random_uuid()::text").fetch_one(&pool).await.map_err(failed)?;
        let signal = Signal::new(options.clone(), process.clone());
        Ok((Self { pool, process, signal, guard: ClockGuard::new(options) }, pending))
    }
}

/// Why the first connection failed. A pool that has tried in vain for long enough says no more than that: a connection
/// of its own tells the cause.
async fn why(error: sqlx::Error, options: &PgConnectOptions) -> sqlx::Error {
    if !matches!(error, sqlx::Error::PoolTimedOut) {
        return error;
    }
    match tokio::time::timeout(ACQUIRE_TIMEOUT, options.connect()).await {
        Ok(Err(cause)) => cause,
        Ok(Ok(_)) | Err(_) => error,
    }
}

/// Applies what is pending, or refuses; what was pending. Processes that start together take turns (sqlx holds an
/// advisory lock meanwhile).
async fn migrate(pool: &PgPool, mode: MigrationMode) -> Result<Vec<String>, StoreError> {
    let mut connection = pool.acquire().await.map_err(failed)?;
    let pending = pending(&MIGRATOR, &mut *connection).await?;
    match mode {
        MigrationMode::RefusePending => refuse(&pending)?,
        MigrationMode::Apply => MIGRATOR.run(&mut *connection).await.map_err(migration_failed)?,
    }
    Ok(pending)
}

#[async_trait]
impl Store for PgStore {
    async fn begin(&self, access: Access) -> Result<Box<dyn Transaction>, StoreError> {
        let begin = match access {
            Access::Read => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            Access::Write => "BEGIN ISOLATION LEVEL READ COMMITTED",
        };
        let tx = self.pool.begin_with(begin).await.map_err(failed)?;
        Ok(Box::new(PgTransaction { tx, access, process: self.process.clone() }))
    }

    async fn ready(&self) -> Result<(), StoreError> {
        let applied: Vec<i64> =
            sqlx::query_scalar(sql::APPLIED_MIGRATIONS).fetch_all(&self.pool).await.map_err(failed)?;
        refuse(&missing(&MIGRATOR, &applied.into_iter().collect())?)
    }

    async fn changed(&self) -> Result<(), StoreError> {
        self.signal.received().await;
        Ok(())
    }

    async fn hold_single_process_guard(&self) -> Result<(), StoreError> {
        self.guard.take(Manner::Alone).await
    }

    async fn share_with_other_processes(&self) -> Result<(), StoreError> {
        self.guard.take(Manner::Shared).await
    }

    fn pool(&self) -> PoolStatus {
        PoolStatus { open: self.pool.size(), idle: u32::try_from(self.pool.num_idle()).unwrap_or(u32::MAX) }
    }

    async fn close(&self) {
        self.signal.stop();
        self.guard.release().await;
        self.pool.close().await;
    }
}

/// A transaction on Postgres.
struct PgTransaction {
    tx: sqlx::Transaction<'static, sqlx::Postgres>,
    access: Access,
    process: String,
}

#[async_trait]
impl Transaction for PgTransaction {
    async fn clock(&mut self) -> Result<Option<ClockSetting>, StoreError> {
        let setting: Option<String> =
            sqlx::query_scalar(sql::CLOCK).fetch_optional(&mut *self.tx).await.map_err(failed)?;
        setting.as_deref().map(sql::clock).transpose()
    }

    async fn set_clock(&mut self, setting: ClockSetting) -> Result<(), StoreError> {
        let setting = sql::clock_text(&setting);
        sqlx::query(sql::SET_CLOCK).bind(setting).execute(&mut *self.tx).await.map_err(failed)?;
        Ok(())
    }

    async fn commit(mut self: Box<Self>, notify: bool) -> Result<(), StoreError> {
        if notify {
            let query = sqlx::query("SELECT pg_notify($1, $2)").bind(signal::CHANNEL).bind(&self.process);
            query.execute(&mut *self.tx).await.map_err(failed)?;
        }
        self.tx.commit().await.map_err(failed)
    }
}
