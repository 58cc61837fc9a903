//! The simulation section: what the simulated clusters take their versions and durations from.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// How simulated resources behave.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct SimulationConfig {
    /// Whether long-running operations other than upgrades take simulated time [default: zero on a manual clock, else simulated]
    #[arg(long, env = "FLEETPLANE_OPERATION_DURATIONS", value_name = "DURATIONS")]
    pub operation_durations: Option<OperationDurations>,

    /// JSON file of regions, Kubernetes versions and node images [default: built in]
    #[arg(long, env = "FLEETPLANE_CATALOGUE", value_name = "FILE")]
    pub catalogue: Option<PathBuf>,
}

impl SimulationConfig {
    /// The durations asked for, else the default of the clock the store really has (`clock_is_manual`), which after a
    /// restart may be another one than `--clock` names.
    #[must_use]
    pub fn operation_durations(&self, clock_is_manual: bool) -> OperationDurations {
        self.operation_durations.unwrap_or(if clock_is_manual {
            OperationDurations::Zero
        } else {
            OperationDurations::Simulated
        })
    }
}

/// How long operations other than upgrades take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OperationDurations {
    /// No time: the first poll is already final, so that the SDKs' pollers work on a clock that stands still.
    Zero,
    /// A few simulated seconds each, as the simulated service has them.
    Simulated,
}
