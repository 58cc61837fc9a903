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

use std::error::Error;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tracing::level_filters::LevelFilter;

use crate::config::{LogConfig, LogFormat};
use crate::telemetry;

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

/// Carries out a command; what goes wrong is told on standard error.
pub fn main(cli: &Cli) -> ExitCode {
    let log = match &cli.command {
        Command::Serve(args) => &args.log,
        Command::Migrate(args) => &args.log,
        Command::Demo(args) => &args.log,
        Command::Openapi(_) => &LogConfig { log_format: LogFormat::Text },
    };
    // A line a request would spoil what the demonstration draws.
    let level = if matches!(cli.command, Command::Demo(_)) { LevelFilter::WARN } else { LevelFilter::INFO };
    if let Err(error) = telemetry::init(log.log_format, level) {
        eprintln!("fleetplane: the log cannot be set up: {error}");
        return ExitCode::FAILURE;
    }
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            tracing::error!(error = &error as &dyn std::error::Error, "threads cannot be started");
            return ExitCode::FAILURE;
        }
    };
    match runtime.block_on(run(&cli.command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{}", with_causes(error.as_ref()));
            ExitCode::FAILURE
        }
    }
}

/// What an error says, and after it each of its causes that it has not said itself.
fn with_causes(error: &dyn Error) -> String {
    let mut told = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let text = cause.to_string();
        if !told.contains(&text) {
            told = format!("{told}: {text}");
        }
        next = cause.source();
    }
    told
}

async fn run(command: &Command) -> Result<(), Box<dyn Error>> {
    match command {
        Command::Serve(args) => serve::run(args).await?,
        Command::Migrate(args) => migrate::run(args).await?,
        Command::Openapi(args) => openapi::run(args)?,
        Command::Demo(args) => demo::run(args).await?,
    }
    Ok(())
}
