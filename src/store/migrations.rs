//! How a database's schema is brought to, or compared with, the one this program was built for.
//!
//! The statements are in `migrations/`, one folder a database, with the same numbers and names. To change the
//! schema, add the next number to both; a file that was ever released is never edited.

use std::collections::BTreeSet;

use sqlx::migrate::{Migrate, MigrateError, Migration, Migrator};

use super::error::StoreError;
use super::sql::failed;

/// What opening a store does about migrations that are pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MigrationMode {
    /// Applies them.
    Apply,
    /// Refuses to open.
    RefusePending,
}

/// The migrations of `migrator` that a database lacks, as `0001 initial`.
///
/// # Errors
/// [`StoreError::Schema`] where the database has migrations that this program does not know.
pub(super) async fn pending<C: Migrate>(
    migrator: &Migrator,
    connection: &mut C,
) -> Result<Vec<String>, StoreError> {
    connection.ensure_migrations_table(&migrator.table_name).await.map_err(migration_failed)?;
    let applied = connection.list_applied_migrations(&migrator.table_name).await.map_err(migration_failed)?;
    missing(migrator, &applied.into_iter().map(|migration| migration.version).collect())
}

/// The migrations that `applied` lacks.
pub(super) fn missing(migrator: &Migrator, applied: &BTreeSet<i64>) -> Result<Vec<String>, StoreError> {
    let unknown: Vec<String> = applied
        .iter()
        .filter(|version| !migrator.version_exists(**version))
        .map(|version| format!("{version:04}"))
        .collect();
    if !unknown.is_empty() {
        return Err(StoreError::Schema(format!(
            "it is from a newer version of fleetplane, with migrations this one does not know: {}",
            unknown.join(", ")
        )));
    }
    Ok(migrator.iter().filter(|migration| !applied.contains(&migration.version)).map(title).collect())
}

/// Refuses where any migration is pending.
pub(super) fn refuse(pending: &[String]) -> Result<(), StoreError> {
    if pending.is_empty() {
        return Ok(());
    }
    Err(StoreError::Schema(format!(
        "migrations are pending: {}; apply them with 'fleetplane migrate'",
        pending.join(", ")
    )))
}

/// What a failed migration means to the caller.
pub(super) fn migration_failed(error: MigrateError) -> StoreError {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => failed(error),
        error => StoreError::Schema(error.to_string()),
    }
}

fn title(migration: &Migration) -> String {
    format!("{:04} {}", migration.version, migration.description)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{postgres, sqlite};

    fn titles(migrator: &Migrator) -> Vec<String> {
        migrator.iter().map(title).collect()
    }

    #[test]
    fn both_databases_have_the_same_migrations() {
        assert_eq!(titles(&sqlite::MIGRATOR), titles(&postgres::MIGRATOR));
        assert_eq!(titles(&sqlite::MIGRATOR)[0], "0001 initial");
    }

    #[test]
    fn a_newer_database_is_refused() {
        let applied = sqlite::MIGRATOR.iter().map(|migration| migration.version).chain([9999]).collect();
        let error = missing(&sqlite::MIGRATOR, &applied).unwrap_err().to_string();
        assert!(error.contains("9999"), "{error}");
    }

    #[test]
    fn pending_migrations_are_named_with_what_applies_them() {
        let pending = missing(&sqlite::MIGRATOR, &BTreeSet::new()).unwrap();
        let error = refuse(&pending).unwrap_err().to_string();
        assert!(error.contains("0001 initial") && error.contains("fleetplane migrate"), "{error}");
    }
}
