//! `fleetplane serve`: the service.

use clap::Args;
use tokio::net::TcpListener;

use crate::app::{App, StartError};
use crate::clock::{RealTime as _, SystemTime};
use crate::config::{
    ClockConfig, HttpConfig, LimitsConfig, LogConfig, MigrationConfig, SimulationConfig, StorageConfig,
    TlsConfig,
};
use crate::lifecycle::{end_on_signals, shutdown};
use crate::tls;

/// All settings of the service.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct ServeArgs {
    /// Where the API is reachable.
    #[command(flatten, next_help_heading = "HTTP")]
    pub http: HttpConfig,

    /// Whether the API is served over HTTPS.
    #[command(flatten, next_help_heading = "HTTP")]
    pub tls: TlsConfig,

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

/// Runs the service until it is told to end.
///
/// # Errors
/// Where it can't start, with the reason in words for whoever starts it.
pub async fn run(args: &ServeArgs) -> Result<(), StartError> {
    let io = |what: String| move |source| StartError::Io { what, source };
    let listen = args.http.listen;
    if args.http.dev_identity && !listen.ip().is_loopback() {
        return Err(StartError::DevIdentity(listen));
    }
    let listener = TcpListener::bind(listen).await.map_err(io(format!("cannot listen on {listen}")))?;
    let address = listener.local_addr().map_err(io("the address is unknown".to_owned()))?;
    let tls = args.tls.source().map(|source| tls::server_config(source, SystemTime.now())).transpose()?;
    let app = App::start(args).await?;
    let (trigger, shutdown) = shutdown();
    end_on_signals(trigger).map_err(io("signals cannot be handled".to_owned()))?;
    let clock = app.service.clock.setting().mode.name();
    let scheme = if tls.is_some() { "https" } else { "http" };
    tracing::info!(%address, scheme, database = %args.storage.database_url, clock, "fleetplane serves");
    app.serve(listener, tls, shutdown).await
}
