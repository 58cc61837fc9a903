//! [`Work`] on SQLite. There is one process, but leases work as on Postgres, so that the scheduler is the same.

use std::time::Duration;

use async_trait::async_trait;

use super::SqliteTransaction;
use super::records::json_array;
use crate::domain::time::{Timestamp, from_micros, to_micros};
use crate::store::sql::{self, failed, micros};
use crate::store::{Claim, Due, Lease, StoreError, Work, WorkKind};

sql::lease_statements!(
    now: "CAST(unixepoch('now', 'subsec') * 1000000 AS INTEGER)",
    keys: "key IN (SELECT value FROM json_each($2))",
    lock: ""
);

// `WHERE true` keeps the parser from taking ON for a join's condition.
const SCHEDULE_MANY: &str = "INSERT INTO work (kind, key, at) SELECT $1, value ->> 0, value ->> 1 FROM json_each($2) \
     WHERE true ON CONFLICT (kind, key) DO UPDATE SET at = excluded.at";
const WAKE: &str = concat!(
    "INSERT INTO work (kind, key, at) SELECT $1, value, $3 FROM json_each($2) WHERE true ",
    sql::keep_earlier!()
);

const WAKE_ALL: &str = "UPDATE work SET at = $2 WHERE kind = $1 AND (at IS NULL OR at > $2)";

#[async_trait]
impl Work for SqliteTransaction {
    async fn schedule(&mut self, kind: WorkKind, key: &str, at: Option<Timestamp>) -> Result<(), StoreError> {
        let query = sqlx::query(sql::SCHEDULE).bind(kind.rank()).bind(key).bind(at.map(to_micros));
        query.execute(&mut *self.tx).await.map_err(failed)?;
        Ok(())
    }

    async fn schedule_many(
        &mut self,
        kind: WorkKind,
        instants: &[(String, Option<Timestamp>)],
    ) -> Result<(), StoreError> {
        if instants.is_empty() {
            return Ok(());
        }
        let pairs: serde_json::Value =
            instants.iter().map(|(key, at)| serde_json::json!([key, at.map(to_micros)])).collect();
        let query = sqlx::query(SCHEDULE_MANY).bind(kind.rank()).bind(pairs.to_string());
        query.execute(&mut *self.tx).await.map_err(failed)?;
        Ok(())
    }

    async fn wake(&mut self, kind: WorkKind, keys: &[String], at: Timestamp) -> Result<(), StoreError> {
        let query = sqlx::query(WAKE).bind(kind.rank()).bind(json_array(keys)).bind(to_micros(at));
        query.execute(&mut *self.tx).await.map_err(failed)?;
        Ok(())
    }

    async fn wake_all(&mut self, kind: WorkKind, at: Timestamp) -> Result<(), StoreError> {
        let query = sqlx::query(WAKE_ALL).bind(kind.rank()).bind(to_micros(at));
        query.execute(&mut *self.tx).await.map_err(failed)?;
        Ok(())
    }

    async fn unschedule(&mut self, kind: WorkKind, keys: &[String]) -> Result<(), StoreError> {
        if keys.is_empty() {
            return Ok(());
        }
        let query = sqlx::query(UNSCHEDULE).bind(kind.rank()).bind(json_array(keys));
        query.execute(&mut *self.tx).await.map_err(failed)?;
        Ok(())
    }

    async fn due(&mut self, kind: WorkKind, now: Timestamp, limit: u32) -> Result<Vec<Due>, StoreError> {
        let query = sqlx::query_as(DUE).bind(kind.rank()).bind(to_micros(now)).bind(i64::from(limit));
        let rows = query.fetch_all(&mut *self.tx).await.map_err(failed)?;
        Ok(rows.into_iter().map(|row| sql::due(kind, row)).collect())
    }

    async fn claim(
        &mut self,
        kind: WorkKind,
        now: Timestamp,
        lease: &Lease,
        limit: u32,
    ) -> Result<Vec<Claim>, StoreError> {
        let query = sqlx::query_as(FIRST_FREE).bind(kind.rank()).bind(to_micros(now)).bind(&lease.owner);
        let rows: Vec<(String, i64, Option<String>)> =
            query.bind(i64::from(limit)).fetch_all(&mut *self.tx).await.map_err(failed)?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let keys: Vec<String> = rows.iter().map(|(key, ..)| key.clone()).collect();
        let query = sqlx::query(LEASE).bind(kind.rank()).bind(json_array(&keys)).bind(&lease.owner);
        query.bind(micros(lease.duration)).execute(&mut *self.tx).await.map_err(failed)?;
        Ok(rows.into_iter().map(|row| sql::claim(kind, row, &lease.owner)).collect())
    }

    async fn next_due(&mut self, owner: &str) -> Result<Option<Timestamp>, StoreError> {
        let query = sqlx::query_scalar(NEXT_DUE).bind(owner);
        Ok(query.fetch_optional(&mut *self.tx).await.map_err(failed)?.map(from_micros))
    }

    async fn next_expiry(&mut self, owner: &str) -> Result<Option<Duration>, StoreError> {
        let query = sqlx::query_scalar(NEXT_EXPIRY).bind(owner);
        let left: Option<i64> = query.fetch_one(&mut *self.tx).await.map_err(failed)?;
        Ok(left.map(sql::duration))
    }

    async fn renew(&mut self, lease: &Lease) -> Result<u64, StoreError> {
        let query = sqlx::query(RENEW).bind(&lease.owner).bind(micros(lease.duration));
        query.execute(&mut *self.tx).await.map_err(failed)?;
        let query = sqlx::query_scalar::<_, i64>(HELD).bind(&lease.owner);
        Ok(query.fetch_one(&mut *self.tx).await.map_err(failed)?.unsigned_abs())
    }

    async fn release(&mut self, kind: WorkKind, key: &str, owner: &str) -> Result<(), StoreError> {
        let query = sqlx::query(sql::RELEASE).bind(kind.rank()).bind(key).bind(owner);
        query.execute(&mut *self.tx).await.map_err(failed)?;
        Ok(())
    }

    async fn release_all(&mut self, owner: Option<&str>) -> Result<u64, StoreError> {
        let query = match owner {
            Some(owner) => sqlx::query(sql::RELEASE_OWNER).bind(owner),
            None => sqlx::query(sql::RELEASE_ALL),
        };
        Ok(query.execute(&mut *self.tx).await.map_err(failed)?.rows_affected())
    }
}
