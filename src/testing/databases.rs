//! A database of its own for every test: an SQLite file, or a database made on the server that `TEST_DATABASE_URL`
//! names. Both are removed when the test ends, also when it fails.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection};

use crate::clock::RandomIds;
use crate::domain::ids::IdSource;
use crate::store::postgres::PgStore;
use crate::store::sqlite::SqliteStore;
use crate::store::{MigrationMode, Store, StoreError};

/// A database that exists as long as this value. It is empty: no schema until a store is opened.
#[derive(Debug)]
pub struct TestDatabase {
    url: String,
    place: Place,
}

#[derive(Debug)]
enum Place {
    Sqlite(PathBuf),
    Postgres { server: Box<PgConnectOptions>, name: String },
}

impl TestDatabase {
    /// An SQLite file in the system's folder for temporary files.
    pub fn sqlite() -> Self {
        let path = std::env::temp_dir().join(format!("fleetplane-test-{}.db", RandomIds.next()));
        Self { url: format!("sqlite://{}", path.display()), place: Place::Sqlite(path) }
    }

    /// A new database on the server of `TEST_DATABASE_URL`, whose user may create databases.
    ///
    /// # Panics
    /// Where the variable is not set or the server does not answer: a test of Postgres never passes without it.
    pub async fn postgres() -> Self {
        let server = PgConnectOptions::from_str(&test_server()).expect("TEST_DATABASE_URL is a Postgres URL");
        let name = format!("fleetplane_test_{}", RandomIds.next().simple());
        let mut connection = server.connect().await.expect("the server of TEST_DATABASE_URL answers");
        let create = format!("CREATE DATABASE {name}");
        sqlx::query(AssertSqlSafe(create))
            .execute(&mut connection)
            .await
            .expect("the user may create databases");
        connection.close().await.expect("the server closes a connection in order");
        let url = server.clone().database(&name).to_url_lossy().to_string();
        Self { url, place: Place::Postgres { server: Box::new(server), name } }
    }

    /// What `--database-url` takes.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Opens it as `serve` does, and applies the migrations.
    ///
    /// # Errors
    /// The store's: a second one on one SQLite file is refused.
    pub async fn open(&self) -> Result<Arc<dyn Store>, StoreError> {
        Ok(match &self.place {
            Place::Sqlite(_) => Arc::new(SqliteStore::open(&self.url, MigrationMode::Apply).await?),
            Place::Postgres { .. } => Arc::new(PgStore::connect(&self.url, MigrationMode::Apply).await?),
        })
    }
}

#[expect(clippy::disallowed_methods, reason = "the one home of the tests' settings")]
fn test_server() -> String {
    std::env::var("TEST_DATABASE_URL").expect(
        "TEST_DATABASE_URL must name a Postgres server on which tests may create databases, as in \
         postgres://postgres@127.0.0.1:5432/postgres; tests/all.sh starts one and sets it",
    )
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        match &self.place {
            Place::Sqlite(path) => {
                for suffix in ["", "-wal", "-shm", ".lock"] {
                    let mut file = path.as_os_str().to_owned();
                    file.push(suffix);
                    // What was never made can't be removed.
                    let _ = std::fs::remove_file(file);
                }
            }
            Place::Postgres { server, name } => {
                let (server, name) = (server.clone(), name.clone());
                // A runtime can't wait inside another, so it gets a thread; failing to clean up fails no test.
                let _ = std::thread::spawn(move || drop_database(&server, &name)).join();
            }
        }
    }
}

fn drop_database(server: &PgConnectOptions, name: &str) {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
    let dropped: Result<(), sqlx::Error> = runtime.block_on(async {
        let mut connection: PgConnection = server.connect().await?;
        let drop = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
        sqlx::query(AssertSqlSafe(drop)).execute(&mut connection).await?;
        connection.close().await
    });
    if let Err(error) = dropped {
        tracing::warn!(%error, name, "a test's database was not removed");
    }
}
