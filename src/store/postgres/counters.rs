//! [`Counters`] on Postgres.

use async_trait::async_trait;

use super::PgTransaction;
use crate::store::sql::{self, failed};
use crate::store::{Counter, Counters, StoreError};

#[async_trait]
impl Counters for PgTransaction {
    async fn counter(&mut self, counter: Counter) -> Result<i64, StoreError> {
        let query = sqlx::query_scalar(sql::COUNTER).bind(counter.as_str());
        Ok(query.fetch_optional(&mut *self.tx).await.map_err(failed)?.unwrap_or(0))
    }

    async fn bump(&mut self, counter: Counter) -> Result<(), StoreError> {
        sqlx::query(sql::BUMP).bind(counter.as_str()).execute(&mut *self.tx).await.map_err(failed)?;
        Ok(())
    }
}
