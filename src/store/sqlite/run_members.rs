//! [`RunMembers`] on SQLite.

use async_trait::async_trait;

use super::SqliteTransaction;
use super::records::json_array;
use crate::domain::time::{Timestamp, to_micros};
use crate::store::sql::{self, MemberRowRead, failed};
use crate::store::{MemberRow, RunMembers, StoreError, WorkKind};

const INSERT: &str =
    "INSERT INTO run_members (run, ordinal, cluster, open, body) VALUES ($1, $2, $3, $4, $5)";
const UPDATE: &str =
    "UPDATE run_members SET cluster = $3, open = $4, body = $5 WHERE run = $1 AND ordinal = $2";
sql::touch_statements!(clusters: "cluster IN (SELECT value FROM json_each($1))");

#[async_trait]
impl RunMembers for SqliteTransaction {
    async fn members(&mut self, run: &str) -> Result<Vec<MemberRow>, StoreError> {
        let query = sqlx::query_as::<_, MemberRowRead>(sql::MEMBERS).bind(run);
        let rows = query.fetch_all(&mut *self.tx).await.map_err(failed)?;
        Ok(rows.into_iter().map(MemberRow::from).collect())
    }

    async fn replace_members(&mut self, run: &str, rows: &[MemberRow]) -> Result<(), StoreError> {
        self.delete_members(run).await?;
        self.write_members(INSERT, run, rows).await
    }

    async fn update_members(&mut self, run: &str, rows: &[MemberRow]) -> Result<(), StoreError> {
        self.write_members(UPDATE, run, rows).await
    }

    async fn delete_members(&mut self, run: &str) -> Result<(), StoreError> {
        sqlx::query(sql::DELETE_MEMBERS).bind(run).execute(&mut *self.tx).await.map_err(failed)?;
        self.take_touched(run).await?;
        Ok(())
    }

    async fn touch_clusters(&mut self, clusters: &[String], now: Timestamp) -> Result<(), StoreError> {
        let clusters = json_array(clusters);
        sqlx::query(TOUCH).bind(&clusters).execute(&mut *self.tx).await.map_err(failed)?;
        let query = sqlx::query(WAKE_TOUCHED_RUNS).bind(&clusters).bind(WorkKind::UpdateRun.rank());
        query.bind(to_micros(now)).execute(&mut *self.tx).await.map_err(failed)?;
        Ok(())
    }

    async fn take_touched(&mut self, run: &str) -> Result<Vec<u32>, StoreError> {
        let query = sqlx::query_scalar(sql::TAKE_TOUCHED).bind(run);
        Ok(sql::ordinals(query.fetch_all(&mut *self.tx).await.map_err(failed)?))
    }
}

impl SqliteTransaction {
    async fn write_members(
        &mut self,
        statement: &'static str,
        run: &str,
        rows: &[MemberRow],
    ) -> Result<(), StoreError> {
        for MemberRow { ordinal, cluster, open, body } in rows {
            let query = sqlx::query(statement)
                .bind(run)
                .bind(i64::from(*ordinal))
                .bind(cluster)
                .bind(open)
                .bind(body);
            if query.execute(&mut *self.tx).await.map_err(failed)?.rows_affected() == 0 {
                return Err(sql::no_such_member(run));
            }
        }
        Ok(())
    }
}
