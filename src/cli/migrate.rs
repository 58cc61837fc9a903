//! `fleetplane migrate`: applies the pending migrations and ends.

use clap::Args;

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
