//! [`Records`] on SQLite. Many rows are one prepared statement repeated: without a network that is the fast way,
//! and it says of each row whether it went in.

use async_trait::async_trait;
use sqlx::AssertSqlSafe;

use super::SqliteTransaction;
use crate::store::sql::{self, RecordRow, failed};
use crate::store::{Kind, ListQuery, NewRecord, Record, Records, StoreError, Update};

// A writing transaction has the whole database to itself, so no row needs a lock. `+kind` keeps the planner from
// preferring an index by kind, which would read every record of it.
const GET_MANY: &str = concat!(
    sql::record_columns!(),
    "WHERE key IN (SELECT value FROM json_each($1)) AND +kind = $2 ORDER BY key"
);
const INSERT: &str = "INSERT INTO records \
     (key, kind, parent, subscription, resource_group, name, unique_key, version, etag, body) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9) ON CONFLICT DO NOTHING";
const UPDATE: &str =
    "UPDATE records SET version = version + 1, etag = $3, body = $4 WHERE key = $1 AND version = $2";

#[async_trait]
impl Records for SqliteTransaction {
    async fn get(&mut self, kind: Kind, key: &str) -> Result<Option<Record>, StoreError> {
        let query = sqlx::query_as::<_, RecordRow>(sql::GET).bind(key).bind(kind.as_str());
        query.fetch_optional(&mut *self.tx).await.map_err(failed)?.map(Record::try_from).transpose()
    }

    async fn get_many(&mut self, kind: Kind, keys: &[String]) -> Result<Vec<Record>, StoreError> {
        let query = sqlx::query_as(GET_MANY).bind(json_array(keys)).bind(kind.as_str());
        sql::records(query.fetch_all(&mut *self.tx).await.map_err(failed)?)
    }

    async fn peek_many(&mut self, kind: Kind, keys: &[String]) -> Result<Vec<Record>, StoreError> {
        self.get_many(kind, keys).await
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
        for record in records {
            let NewRecord { locator, kind, unique, etag, body } = record;
            let inserted = sqlx::query(INSERT)
                .bind(&locator.key)
                .bind(kind.as_str())
                .bind(&locator.parent)
                .bind(&locator.subscription)
                .bind(&locator.group)
                .bind(&locator.name)
                .bind(unique.as_deref())
                .bind(etag.to_string())
                .bind(body)
                .execute(&mut *self.tx)
                .await
                .map_err(failed)?;
            if inserted.rows_affected() == 0 {
                return Err(self.taken(record).await?);
            }
        }
        Ok(())
    }

    async fn update(&mut self, updates: &[Update]) -> Result<(), StoreError> {
        for Update { key, expected_version, etag, body } in updates {
            let query =
                sqlx::query(UPDATE).bind(key).bind(expected_version).bind(etag.to_string()).bind(body);
            if query.execute(&mut *self.tx).await.map_err(failed)?.rows_affected() == 0 {
                return Err(StoreError::Conflict { key: key.clone() });
            }
        }
        Ok(())
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
        for statement in sql::DELETE_DEPENDENTS_BETWEEN {
            sqlx::query(statement).bind(&from).bind(&to).execute(&mut *self.tx).await.map_err(failed)?;
        }
        let query = sqlx::query(sql::DELETE_RECORDS_BETWEEN).bind(&from).bind(&to);
        Ok(query.execute(&mut *self.tx).await.map_err(failed)?.rows_affected())
    }
}

impl SqliteTransaction {
    /// Which key of `record` another record has.
    async fn taken(&mut self, record: &NewRecord) -> Result<StoreError, StoreError> {
        let query = sqlx::query_scalar::<_, i64>(sql::KEY_EXISTS).bind(&record.locator.key);
        Ok(sql::exists(record, query.fetch_one(&mut *self.tx).await.map_err(failed)? > 0))
    }
}

/// The list as one parameter, read by `json_each`.
pub(super) fn json_array(keys: &[String]) -> String {
    serde_json::Value::from(keys).to_string()
}

fn text_at(path: &[&str]) -> String {
    let path = path.join(".");
    format!("CASE json_type(body, '$.{path}') WHEN 'text' THEN body ->> '$.{path}' END")
}
