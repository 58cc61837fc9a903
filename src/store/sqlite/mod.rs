//! The store in one SQLite file that one process owns, or in memory.
//!
//! One connection writes, several read (write-ahead log). Every commit is on disk before it is acknowledged
//! (`synchronous = FULL`). Files have the ports' names; statements that Postgres shares are in `super::sql`.

mod counters;
mod guard;
mod records;
mod run_members;
mod work;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use async_trait::async_trait;
use sqlx::migrate::Migrator;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};

use self::guard::FileGuard;
use super::migrations::{MigrationMode, migration_failed, missing, pending, refuse};
use super::sql::{self, failed};
use super::{Access, PoolStatus, Store, StoreError, Transaction};
use crate::domain::clock::ClockSetting;

/// The schema's history.
pub(super) static MIGRATOR: Migrator = sqlx::migrate!("migrations/sqlite");

/// Connections that read at once.
const READERS: u32 = 4;

/// Pages kept in memory by each connection: 32 MiB, in SQLite's unit of negative KiB. The default of 2 MiB holds no
/// run of a thousand members.
const CACHE: &str = "-32768";

/// How long a request waits for the writing connection before it is told that storage is unavailable.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);

/// The store in SQLite.
#[derive(Debug)]
pub struct SqliteStore {
    writer: SqlitePool,
    /// In memory there is one connection in all, so this is the writer.
    reader: SqlitePool,
    guard: FileGuard,
}

/// Where a database is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Memory,
    File(PathBuf),
}

impl SqliteStore {
    /// Opens `sqlite://PATH` (created where it is missing, unless migrations may not be applied) or
    /// `sqlite::memory:`, and takes it for this process.
    ///
    /// # Errors
    /// [`StoreError::Held`] where another process has it, [`StoreError::Schema`] where the schema does not fit.
    pub async fn open(url: &str, mode: MigrationMode) -> Result<Self, StoreError> {
        Self::open_reporting(url, mode).await.map(|(store, _)| store)
    }

    /// Applies the pending migrations and says which they were (`0001 initial`).
    ///
    /// # Errors
    /// Those of [`SqliteStore::open`].
    pub async fn migrate(url: &str) -> Result<Vec<String>, StoreError> {
        let (store, applied) = Self::open_reporting(url, MigrationMode::Apply).await?;
        store.close().await;
        Ok(applied)
    }

    async fn open_reporting(url: &str, mode: MigrationMode) -> Result<(Self, Vec<String>), StoreError> {
        let place = Place::of(url);
        if mode == MigrationMode::RefusePending && !place.exists() {
            refuse(&missing(&MIGRATOR, &BTreeSet::new())?)?;
        }
        let guard = match &place {
            Place::Memory => FileGuard::none(),
            Place::File(path) => FileGuard::take(path)?,
        };
        let writer = pool(1).connect_with(place.options().create_if_missing(true)).await.map_err(failed)?;
        let pending = migrate(&writer, mode).await?;
        let reader = match &place {
            Place::Memory => writer.clone(),
            Place::File(path) => pool(READERS)
                .connect_with(SqliteConnectOptions::new().filename(path).read_only(true))
                .await
                .map_err(failed)?,
        };
        Ok((Self { writer, reader, guard }, pending))
    }
}

/// Applies what is pending, or refuses; what was pending.
async fn migrate(writer: &SqlitePool, mode: MigrationMode) -> Result<Vec<String>, StoreError> {
    let mut connection = writer.acquire().await.map_err(failed)?;
    let pending = pending(&MIGRATOR, &mut *connection).await?;
    match mode {
        MigrationMode::RefusePending => refuse(&pending)?,
        MigrationMode::Apply => MIGRATOR.run(&mut *connection).await.map_err(migration_failed)?,
    }
    Ok(pending)
}

impl Place {
    fn of(url: &str) -> Self {
        match url.strip_prefix("sqlite:").unwrap_or(url) {
            ":memory:" | "//:memory:" => Self::Memory,
            path => Self::File(Path::new(path.strip_prefix("//").unwrap_or(path)).to_owned()),
        }
    }

    /// Whether there is a database already.
    fn exists(&self) -> bool {
        matches!(self, Self::File(path) if path.exists())
    }

    /// How the writing connection is opened.
    fn options(&self) -> SqliteConnectOptions {
        match self {
            Self::Memory => SqliteConnectOptions::new().in_memory(true),
            Self::File(path) => SqliteConnectOptions::new()
                .filename(path)
                .journal_mode(SqliteJournalMode::Wal)
                .synchronous(SqliteSynchronous::Full),
        }
        .foreign_keys(true)
        .pragma("cache_size", CACHE)
        .busy_timeout(Duration::from_secs(5))
    }
}

/// A pool that keeps its connections for ever: a database in memory lives as long as its connection.
fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
}

#[async_trait]
impl Store for SqliteStore {
    async fn begin(&self, access: Access) -> Result<Box<dyn Transaction>, StoreError> {
        let tx = match access {
            Access::Read => self.reader.begin().await,
            Access::Write => self.writer.begin_with("BEGIN IMMEDIATE").await,
        };
        Ok(Box::new(SqliteTransaction { tx: tx.map_err(failed)? }))
    }

    async fn ready(&self) -> Result<(), StoreError> {
        let applied: Vec<i64> =
            sqlx::query_scalar(sql::APPLIED_MIGRATIONS).fetch_all(&self.reader).await.map_err(failed)?;
        refuse(&missing(&MIGRATOR, &applied.into_iter().collect())?)
    }

    async fn changed(&self) -> Result<(), StoreError> {
        std::future::pending().await
    }

    /// Nothing to take: opening the store has taken the file.
    async fn hold_single_process_guard(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Nobody can share the file.
    async fn share_with_other_processes(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn pool(&self) -> PoolStatus {
        let pools: &[&SqlitePool] = match self.guard.is_none() {
            true => &[&self.writer],
            false => &[&self.writer, &self.reader],
        };
        PoolStatus {
            open: pools.iter().map(|pool| pool.size()).sum(),
            idle: pools.iter().map(|pool| u32::try_from(pool.num_idle()).unwrap_or(u32::MAX)).sum(),
        }
    }

    async fn close(&self) {
        self.reader.close().await;
        self.writer.close().await;
        self.guard.release();
    }
}

/// A transaction on SQLite.
struct SqliteTransaction {
    tx: sqlx::Transaction<'static, sqlx::Sqlite>,
}

#[async_trait]
impl Transaction for SqliteTransaction {
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

    async fn commit(self: Box<Self>, _notify: bool) -> Result<(), StoreError> {
        self.tx.commit().await.map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("sqlite::memory:", Place::Memory)]
    #[case("sqlite://:memory:", Place::Memory)]
    #[case("sqlite://fleetplane.db", Place::File("fleetplane.db".into()))]
    #[case("sqlite:///var/lib/f%20.db", Place::File("/var/lib/f%20.db".into()))]
    fn urls_name_a_place(#[case] url: &str, #[case] place: Place) {
        assert_eq!(Place::of(url), place);
    }
}
