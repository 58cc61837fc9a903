//! The command line: four commands and their arguments.
//!
//! What may not live here: any behaviour of the service; a command parses, builds the application and reports.
//!
//! To add a command: a file with its argument type, and its variant in [`Command`]. Settings that several commands
//! share are sections of `config`, flattened into the argument types.

mod demo;
mod migrate;
mod openapi;
mod serve;
#[cfg(test)]
mod tests;

pub use demo::DemoArgs;
pub use migrate::MigrateArgs;
pub use openapi::OpenapiArgs;
pub use serve::ServeArgs;

use clap::{Parser, Subcommand};

/// Azure Kubernetes Fleet Manager's update orchestration as a service anyone can run
///
/// Every flag can be set by an environment variable too: FLEETPLANE_ and the flag's name, but DATABASE_URL for
/// --database-url. Flags win over variables.
#[derive(Debug, Parser)]
#[command(name = "fleetplane", version)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The binary's commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the service
    Serve(ServeArgs),
    /// Watch a fleet of simulated clusters being upgraded stage by stage
    Demo(DemoArgs),
    /// Bring the database to this version's schema
    Migrate(MigrateArgs),
    /// Write the OpenAPI documents
    Openapi(OpenapiArgs),
}
