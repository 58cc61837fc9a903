//! The `fleetplane` binary.

use std::process::ExitCode;

use clap::Parser as _;
use fleetplane::cli::Cli;

fn main() -> ExitCode {
    fleetplane::cli::main(&Cli::parse())
}
