//! `fleetplane demo`: the service on a fast clock and a temporary store, a ready fleet and one staged run.

use std::error::Error;
use std::net::SocketAddr;

use clap::{Args, builder::BoolishValueParser};
use tokio::net::TcpListener;

use super::ServeArgs;
use crate::app::App;
use crate::config::{
    ClockConfig, DatabaseUrl, HttpConfig, InvalidSetting, LimitsConfig, LogConfig, MigrationConfig,
    OperationDurations, SimulationConfig, StorageConfig, TlsConfig,
};
use crate::demo::{self, Scenario};
use crate::lifecycle::{end_on_signals, shutdown};

/// What the demonstration lets one choose.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct DemoArgs {
    /// Address and port of the HTTP API; port 0 takes a free one
    #[arg(long, env = "FLEETPLANE_LISTEN", value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0")]
    pub listen: SocketAddr,

    /// The fleet to watch
    #[arg(long, env = "FLEETPLANE_SCENARIO", value_name = "NAME", value_enum, default_value_t)]
    pub scenario: Scenario,

    /// Leave the service running when the run has ended
    #[arg(long, env = "FLEETPLANE_KEEP", value_parser = BoolishValueParser::new())]
    pub keep: bool,

    /// The shape of the log.
    #[command(flatten)]
    pub log: LogConfig,
}

/// Runs it.
///
/// # Errors
/// Where the service can't start, or the run ends otherwise than the scenario means it to.
pub async fn run(args: &DemoArgs) -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind(args.listen)
        .await
        .map_err(|problem| format!("cannot listen on {}: {problem}", args.listen))?;
    let app = App::start(&settings(args)?).await?;
    let (trigger, signals) = shutdown();
    end_on_signals(trigger)?;
    Ok(demo::run(app, listener, args.scenario, args.keep, signals).await?)
}

/// A store that is gone with the process, and a clock that stands where every scenario begins.
fn settings(args: &DemoArgs) -> Result<ServeArgs, InvalidSetting> {
    Ok(ServeArgs {
        http: HttpConfig {
            listen: args.listen,
            public_url: None,
            no_simulator_api: false,
            dev_identity: false,
        },
        tls: TlsConfig::default(),
        storage: StorageConfig { database_url: DatabaseUrl::SqliteMemory },
        migration: MigrationConfig { no_migrate: false },
        clock: ClockConfig { clock: "manual".parse()? },
        simulation: SimulationConfig { catalogue: None, operation_durations: Some(OperationDurations::Zero) },
        limits: LimitsConfig { max_members: 1000, strict_resource_groups: false, throttle: false },
        log: args.log.clone(),
    })
}
