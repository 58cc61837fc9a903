//! `fleetplane demo`: the service on a scaled clock and a temporary store, a seeded fleet and one staged run.

use std::net::SocketAddr;

use clap::{Args, builder::BoolishValueParser};

use crate::config::LogConfig;

/// What the demonstration lets one choose.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct DemoArgs {
    /// Address and port of the HTTP API; port 0 takes a free one
    #[arg(long, env = "FLEETPLANE_LISTEN", value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0")]
    pub listen: SocketAddr,

    /// Leave the service running when the run has ended
    #[arg(long, env = "FLEETPLANE_KEEP", value_parser = BoolishValueParser::new())]
    pub keep: bool,

    /// The shape of the log.
    #[command(flatten)]
    pub log: LogConfig,
}
