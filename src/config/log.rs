//! The log section: how log lines look. Which of them are written is `RUST_LOG`'s (default `info`).

use clap::{Args, ValueEnum};

/// The shape of the log on standard error.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct LogConfig {
    /// Shape of the log lines on standard error
    #[arg(long, env = "FLEETPLANE_LOG_FORMAT", value_name = "FORMAT", default_value = "text")]
    pub log_format: LogFormat,
}

/// One line an event, in one of two shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line, for log collectors.
    Json,
}
