//! [`Records`] on Postgres. Many rows are one statement over arrays, so that they cost one round trip.

use std::collections::BTreeSet;

use async_trait::async_trait;
use sqlx::AssertSqlSafe;

use super::PgTransaction;
use crate::store::sql::{self, RecordRow, failed};
use crate::store::{Access, Kind, ListQuery, NewRecord, Record, Records, StoreError, Update};

const GET_LOCKED: &str = concat!(sql::record_columns!(), "WHERE key = $1 AND kind = $2 FOR UPDATE");
const GET_MANY: &str = concat!(sql::record_columns!(), "WHERE key = ANY($1) AND kind = $2 ORDER BY key");
const GET_MANY_LOCKED: &str =
    concat!(sql::record_columns!(), "WHERE key = ANY($1) AND kind = $2 ORDER BY key FOR UPDATE");

// Identities are given in the order of the sorted rows.
const INSERT: &str = "INSERT INTO records \
     (key, kind, parent, subscription, resource_group, name, unique_key, version, etag, body) \
     SELECT key, kind, parent, subscription, resource_group, name, unique_key, 1, etag, body \
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], \
     $9::text[]) WITH ORDINALITY \
     AS new (key, kind, parent, subscription, resource_group, name, unique_key, etag, body, place) \
     ORDER BY place ON CONFLICT DO NOTHING RETURNING key";
const UPDATE: &str = "UPDATE records SET version = records.version + 1, etag = new.etag, body = new.body \
     FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[]) AS new (key, version, etag, body) \
     WHERE records.key = new.key AND records.version = new.version RETURNING records.key";

// In the order in which others lock: who changes a cluster, a member or the like has its record before the work it
// makes due, and in the order of keys; who advances a run or a profile has its work before its records.
const LOCK_BETWEEN: [&str; 2] = [
    "SELECT 1 FROM records WHERE key > $1 AND key < $2 \
     AND kind NOT IN ('updateRuns', 'gates', 'autoUpgradeProfiles') ORDER BY key FOR UPDATE",
    "SELECT 1 FROM work WHERE key > $1 AND key < $2 ORDER BY kind, key FOR UPDATE",
];

#[async_trait]
impl Records for PgTransaction {
    async fn get(&mut self, kind: Kind, key: &str) -> Result<Option<Record>, StoreError> {
        let statement = if self.access == Access::Write { GET_LOCKED } else { sql::GET };
        let query = sqlx::query_as::<_, RecordRow>(statement).bind(key).bind(kind.as_str());
        query.fetch_optional(&mut *self.tx).await.map_err(failed)?.map(Record::try_from).transpose()
    }

    async fn get_many(&mut self, kind: Kind, keys: &[String]) -> Result<Vec<Record>, StoreError> {
        let statement = if self.access == Access::Write { GET_MANY_LOCKED } else { GET_MANY };
        let query = sqlx::query_as(statement).bind(keys).bind(kind.as_str());
        sql::records(query.fetch_all(&mut *self.tx).await.map_err(failed)?)
    }

    async fn peek_many(&mut self, kind: Kind, keys: &[String]) -> Result<Vec<Record>, StoreError> {
        let query = sqlx::query_as(GET_MANY).bind(keys).bind(kind.as_str());
        sql::records(query.fetch_all(&mut *self.tx).await.map_err(failed)?)
    }

    async fn get_unique(&mut self, kind: Kind, unique: &str) -> Result<Option<Record>, StoreError> {
        let query = sqlx::query_as::<_, RecordRow>(sql::GET_UNIQUE).bind(kind.as_str()).bind(unique);
        query.fetch_optional(&mut *self.tx).await.map_err(failed)?.map(Record::try_from).transpose()
    }

    async fn list(&mut self, query: &ListQuery) -> Result<Vec<Record>, StoreError> {
        let statement = sql::list(query, text_at);
        let mut prepared = sqlx::query_as(AssertSqlSafe(statement.sql));
        for text in statement.texts {
            prepared = prepared.bind(text);
        }
        sql::records(prepared.bind(i64::from(query.limit)).fetch_all(&mut *self.tx).await.map_err(failed)?)
    }

    async fn children(&mut self, kind: Kind, parent: &str) -> Result<Vec<Record>, StoreError> {
        let query = sqlx::query_as(sql::CHILDREN).bind(kind.as_str()).bind(parent);
        sql::records(query.fetch_all(&mut *self.tx).await.map_err(failed)?)
    }

    async fn all(&mut self, kind: Kind) -> Result<Vec<Record>, StoreError> {
        let query = sqlx::query_as(sql::ALL).bind(kind.as_str());
        sql::records(query.fetch_all(&mut *self.tx).await.map_err(failed)?)
    }

    async fn created_after(
        &mut self,
        kind: Kind,
        sequence: i64,
        limit: u32,
    ) -> Result<Vec<Record>, StoreError> {
        let query = sqlx::query_as(sql::CREATED_AFTER).bind(kind.as_str()).bind(sequence);
        sql::records(query.bind(i64::from(limit)).fetch_all(&mut *self.tx).await.map_err(failed)?)
    }

    async fn count(&mut self, kind: Kind, parent: &str) -> Result<u64, StoreError> {
        let query = sqlx::query_scalar::<_, i64>(sql::COUNT).bind(kind.as_str()).bind(parent);
        Ok(query.fetch_one(&mut *self.tx).await.map_err(failed)?.unsigned_abs())
    }

    async fn tally(
        &mut self,
        kind: Kind,
        path: &'static [&'static str],
    ) -> Result<Vec<(String, u64)>, StoreError> {
        let query = sqlx::query_as(AssertSqlSafe(sql::tally(&text_at(path)))).bind(kind.as_str());
        let counts: Vec<(String, i64)> = query.fetch_all(&mut *self.tx).await.map_err(failed)?;
        Ok(counts.into_iter().map(|(text, count)| (text, count.unsigned_abs())).collect())
    }

    async fn insert(&mut self, records: &[NewRecord]) -> Result<(), StoreError> {
        let column = |text: fn(&NewRecord) -> &str| records.iter().map(text).collect::<Vec<_>>();
        let query = sqlx::query_scalar::<_, String>(INSERT)
            .bind(column(|record| &record.locator.key))
            .bind(column(|record| record.kind.as_str()))
            .bind(column(|record| &record.locator.parent))
            .bind(column(|record| &record.locator.subscription))
            .bind(column(|record| &record.locator.group))
            .bind(column(|record| &record.locator.name))
            .bind(records.iter().map(|record| record.unique.as_deref()).collect::<Vec<_>>())
            .bind(records.iter().map(|record| record.etag.to_string()).collect::<Vec<_>>())
            .bind(column(|record| &record.body));
        let inserted = query.fetch_all(&mut *self.tx).await.map_err(failed)?;
        match first_missing(records, |record| &record.locator.key, inserted) {
            Some(record) => Err(self.taken(record).await?),
            None => Ok(()),
        }
    }

    async fn update(&mut self, updates: &[Update]) -> Result<(), StoreError> {
        let query = sqlx::query_scalar::<_, String>(UPDATE)
            .bind(updates.iter().map(|update| update.key.as_str()).collect::<Vec<_>>())
            .bind(updates.iter().map(|update| update.expected_version).collect::<Vec<_>>())
            .bind(updates.iter().map(|update| update.etag.to_string()).collect::<Vec<_>>())
            .bind(updates.iter().map(|update| update.body.as_str()).collect::<Vec<_>>());
        let updated = query.fetch_all(&mut *self.tx).await.map_err(failed)?;
        match first_missing(updates, |update| &update.key, updated) {
            Some(update) => Err(StoreError::Conflict { key: update.key.clone() }),
            None => Ok(()),
        }
    }

    async fn delete(&mut self, key: &str, expected_version: i64) -> Result<(), StoreError> {
        let query = sqlx::query(sql::DELETE).bind(key).bind(expected_version);
        match query.execute(&mut *self.tx).await.map_err(failed)?.rows_affected() {
            0 => Err(StoreError::Conflict { key: key.to_owned() }),
            _ => Ok(()),
        }
    }

    async fn delete_below(&mut self, key: &str) -> Result<u64, StoreError> {
        let (from, to) = sql::below(key);
        for statement in LOCK_BETWEEN.into_iter().chain(sql::DELETE_DEPENDENTS_BETWEEN) {
            sqlx::query(statement).bind(&from).bind(&to).execute(&mut *self.tx).await.map_err(failed)?;
        }
        let query = sqlx::query(sql::DELETE_RECORDS_BETWEEN).bind(&from).bind(&to);
        Ok(query.execute(&mut *self.tx).await.map_err(failed)?.rows_affected())
    }
}

impl PgTransaction {
    /// Which key of `record` another record has.
    async fn taken(&mut self, record: &NewRecord) -> Result<StoreError, StoreError> {
        let query = sqlx::query_scalar::<_, i64>(sql::KEY_EXISTS).bind(&record.locator.key);
        Ok(sql::exists(record, query.fetch_one(&mut *self.tx).await.map_err(failed)? > 0))
    }
}

/// The first of `rows` whose key is not among those `written`, each of which stands for one row.
fn first_missing<T>(rows: &[T], key: impl Fn(&T) -> &String, written: Vec<String>) -> Option<&T> {
    if written.len() == rows.len() {
        return None;
    }
    let mut written: BTreeSet<String> = written.into_iter().collect();
    rows.iter().find(|row| !written.remove(key(row)))
}

fn text_at(path: &[&str]) -> String {
    let path = path.join(",");
    format!(
        "CASE json_typeof(body::json #> '{{{path}}}') WHEN 'string' \
         THEN body::json #>> '{{{path}}}' COLLATE \"C\" END"
    )
}
