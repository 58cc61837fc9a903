//! `fleetplane serve`: the service.

use clap::Args;

use crate::config::{
    ClockConfig, HttpConfig, LimitsConfig, LogConfig, MigrationConfig, SimulationConfig, StorageConfig,
};

/// All settings of the service.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct ServeArgs {
    /// Where the API is reachable.
    #[command(flatten, next_help_heading = "HTTP")]
    pub http: HttpConfig,

    /// Where state is kept.
    #[command(flatten, next_help_heading = "Storage")]
    pub storage: StorageConfig,

    /// Whether the service migrates its database.
    #[command(flatten, next_help_heading = "Storage")]
    pub migration: MigrationConfig,

    /// The clock all simulated behaviour runs on.
    #[command(flatten, next_help_heading = "Simulation")]
    pub clock: ClockConfig,

    /// How simulated resources behave.
    #[command(flatten, next_help_heading = "Simulation")]
    pub simulation: SimulationConfig,

    /// Quotas and strictness.
    #[command(flatten, next_help_heading = "Limits")]
    pub limits: LimitsConfig,

    /// The shape of the log.
    #[command(flatten, next_help_heading = "Log")]
    pub log: LogConfig,
}
