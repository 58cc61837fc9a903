//! `fleetplane migrate`: applies the pending migrations and ends.

use clap::Args;

use crate::app::{self, StartError};
use crate::config::{LogConfig, StorageConfig};

/// Which database to migrate.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct MigrateArgs {
    /// The database.
    #[command(flatten)]
    pub storage: StorageConfig,

    /// The shape of the log.
    #[command(flatten)]
    pub log: LogConfig,
}

/// Applies what is pending and says what that was.
///
/// # Errors
/// Where the database can't be used.
pub async fn run(args: &MigrateArgs) -> Result<(), StartError> {
    let applied = app::migrate(&args.storage.database_url).await?;
    if applied.is_empty() {
        println!("The schema is up to date.");
    }
    applied.iter().for_each(|migration| println!("applied {migration}"));
    Ok(())
}
