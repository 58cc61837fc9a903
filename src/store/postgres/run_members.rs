//! [`RunMembers`] on Postgres.

use async_trait::async_trait;

use super::PgTransaction;
use crate::domain::time::{Timestamp, to_micros};
use crate::store::sql::{self, MemberRowRead, failed};
use crate::store::{MemberRow, RunMembers, StoreError, WorkKind};

const INSERT: &str = "INSERT INTO run_members (run, ordinal, cluster, open, body) \
     SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::boolean[], $5::text[])";
const UPDATE: &str = "UPDATE run_members SET cluster = new.cluster, open = new.open, body = new.body \
     FROM unnest($2::bigint[], $3::text[], $4::boolean[], $5::text[]) AS new (ordinal, cluster, open, body) \
     WHERE run = $1 AND run_members.ordinal = new.ordinal";
sql::touch_statements!(clusters: "cluster = ANY($1)");

#[async_trait]
impl RunMembers for PgTransaction {
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
        sqlx::query(TOUCH).bind(clusters).execute(&mut *self.tx).await.map_err(failed)?;
        let query = sqlx::query(WAKE_TOUCHED_RUNS).bind(clusters).bind(WorkKind::UpdateRun.rank());
        query.bind(to_micros(now)).execute(&mut *self.tx).await.map_err(failed)?;
        Ok(())
    }

    async fn take_touched(&mut self, run: &str) -> Result<Vec<u32>, StoreError> {
        let query = sqlx::query_scalar(sql::TAKE_TOUCHED).bind(run);
        Ok(sql::ordinals(query.fetch_all(&mut *self.tx).await.map_err(failed)?))
    }
}

impl PgTransaction {
    async fn write_members(
        &mut self,
        statement: &'static str,
        run: &str,
        rows: &[MemberRow],
    ) -> Result<(), StoreError> {
        let query = sqlx::query(statement)
            .bind(run)
            .bind(rows.iter().map(|row| i64::from(row.ordinal)).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.cluster.as_str()).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.open).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.body.as_str()).collect::<Vec<_>>());
        let written = query.execute(&mut *self.tx).await.map_err(failed)?.rows_affected();
        if written == rows.len() as u64 { Ok(()) } else { Err(sql::no_such_member(run)) }
    }
}
