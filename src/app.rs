//! The composition root: the only place that names the adapters and puts the parts together.
//!
//! No behaviour lives here. To add an adapter, name it in [`open`] or [`App::build`].

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::serve::Listener;
use axum::{Extension, Router};
use tokio::net::TcpListener;
use tokio_rustls::rustls::ServerConfig;

use crate::api::extract::Scheme;
use crate::api::{self, Api};
use crate::cli::ServeArgs;
use crate::clock::{RandomIds, RealTime, ServiceClock, SystemTime};
use crate::cluster::simulated::SimulatedClusters;
use crate::config::{self, DatabaseUrl};
use crate::domain::catalogue::{Catalogue, CatalogueError};
use crate::domain::clock::{ClockSetting, Mode};
use crate::domain::ids::IdSource;
use crate::domain::time::to_stored_precision;
use crate::lifecycle::{CLOSE_LIMIT, DRAIN_LIMIT, Shutdown, drain};
use crate::scheduler::Scheduler;
use crate::service::{CurrentCatalogue, OperationDurations, Service, ServiceError, Settings, Signal};
use crate::store::migrations::MigrationMode;
use crate::store::postgres::PgStore;
use crate::store::sqlite::SqliteStore;
use crate::store::{Access, Store, StoreError};
use crate::telemetry::Metrics;
use crate::tls::{TlsError, TlsListener};

/// How long a scheduler that failed rests.
const RESTART_PAUSE: Duration = Duration::from_secs(1);

/// Why the service did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database can't be used.
    #[error("the database cannot be used: {0}")]
    Store(#[from] StoreError),
    /// The catalogue file can't be read.
    #[error("the catalogue {path} cannot be read: {source}")]
    CatalogueFile {
        /// Which file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The catalogue file is wrong.
    #[error("the catalogue {path} is not valid: {source}")]
    Catalogue {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        source: CatalogueError,
    },
    /// There is no certificate to serve HTTPS with.
    #[error("HTTPS cannot be served: {0}")]
    Tls(#[from] TlsError),
    /// Tokens would be given to other machines.
    #[error("--dev-identity gives tokens to whoever asks, so it listens on loopback only, not on {0}")]
    DevIdentity(SocketAddr),
    /// Something of the service's own failed at the start.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// The address can't be listened on, or the like.
    #[error("{what}: {source}")]
    Io {
        /// What was tried.
        what: String,
        /// Why it failed.
        source: std::io::Error,
    },
}

/// The parts of a running service.
pub struct App {
    /// The use cases.
    pub service: Service,
    /// What happens by itself.
    pub scheduler: Arc<Scheduler>,
    /// The HTTP side.
    pub api: Api,
}

/// Opens the database that a URL names.
///
/// # Errors
/// The adapter's.
pub async fn open(url: &DatabaseUrl, mode: MigrationMode) -> Result<Arc<dyn Store>, StoreError> {
    Ok(match url {
        DatabaseUrl::Postgres(url) => Arc::new(PgStore::connect(url, mode).await?),
        other => Arc::new(SqliteStore::open(&other.to_string(), mode).await?),
    })
}

/// Applies pending migrations; which they were.
///
/// # Errors
/// The adapter's.
pub async fn migrate(url: &DatabaseUrl) -> Result<Vec<String>, StoreError> {
    match url {
        DatabaseUrl::Postgres(url) => PgStore::migrate(url).await,
        other => SqliteStore::migrate(&other.to_string()).await,
    }
}

impl App {
    /// Opens the store and puts the service together.
    ///
    /// # Errors
    /// See [`StartError`].
    pub async fn start(args: &ServeArgs) -> Result<Self, StartError> {
        let catalogue = catalogue(args.simulation.catalogue.as_ref())?;
        let mode =
            if args.migration.no_migrate { MigrationMode::RefusePending } else { MigrationMode::Apply };
        let store = open(&args.storage.database_url, mode).await?;
        let setting = clock_setting(store.as_ref(), args.clock.clock, &SystemTime).await?;
        // On SQLite, and with the guard of a clock that is not real, nobody else can be alive.
        if !matches!(args.storage.database_url, DatabaseUrl::Postgres(_)) || setting.mode != Mode::Real {
            release_all_leases(store.as_ref()).await?;
        }
        let durations = match args.simulation.operation_durations(setting.mode == Mode::Manual) {
            config::OperationDurations::Zero => OperationDurations::Zero,
            config::OperationDurations::Simulated => OperationDurations::Simulated,
        };
        let settings = Settings {
            operation_durations: durations,
            max_members: args.limits.max_members,
            strict_resource_groups: args.limits.strict_resource_groups,
        };
        let clock = ServiceClock::new(Box::new(SystemTime), setting);
        let service = Self::service(store, clock, Arc::new(RandomIds), settings, catalogue);
        let public_url = args.http.public_url.as_ref().map(|url| url.as_str().to_owned());
        let mut app = Self::of(service, public_url, !args.http.no_simulator_api);
        app.api.dev_identity = args.http.dev_identity;
        app.api.throttle = args.limits.throttle.then(Default::default);
        Ok(app)
    }

    /// The use cases over these parts, with simulated clusters.
    pub fn service(
        store: Arc<dyn Store>,
        clock: ServiceClock,
        ids: Arc<dyn IdSource>,
        settings: Settings,
        catalogue: Catalogue,
    ) -> Service {
        let catalogue = Arc::new(CurrentCatalogue::new(catalogue));
        let clock = Arc::new(clock);
        let clusters = SimulatedClusters::new(Arc::clone(&ids), Arc::clone(&catalogue), Arc::clone(&clock));
        let clusters = Arc::new(clusters);
        Service { store, clock, ids, clusters, catalogue, settings, signal: Signal::default() }
    }

    /// The service with its scheduler and API around it.
    pub fn of(service: Service, public_url: Option<String>, simulator: bool) -> Self {
        let metrics = Arc::new(Metrics::new());
        let scheduler = Arc::new(Scheduler::new(service.clone(), Arc::clone(&metrics)));
        let api = Api {
            service: service.clone(),
            scheduler: Arc::clone(&scheduler),
            public_url,
            simulator,
            dev_identity: false,
            throttle: None,
            metrics,
        };
        Self { service, scheduler, api }
    }

    /// Serves until `shutdown`: then stops accepting, finishes requests, gives back leases and closes the store. With
    /// `tls` over HTTPS only.
    ///
    /// # Errors
    /// Where the listener fails.
    pub async fn serve(
        self,
        listener: TcpListener,
        tls: Option<Arc<ServerConfig>>,
        shutdown: Shutdown,
    ) -> Result<(), StartError> {
        let scheduler = Arc::clone(&self.scheduler);
        let background = tokio::spawn(keep_running(scheduler, shutdown.clone()));
        let (router, until) = (api::router(self.api), shutdown.clone());
        match tls {
            None => drain(answer(listener, router, until), shutdown, DRAIN_LIMIT).await,
            Some(tls) => {
                let (listener, router) =
                    (TlsListener::new(listener, tls), router.layer(Extension(Scheme::HTTPS)));
                drain(answer(listener, router, until), shutdown, DRAIN_LIMIT).await
            }
        };
        let finish = async {
            if let Err(error) = background.await {
                tracing::error!(error = &error as &dyn std::error::Error, "the scheduler ended");
            }
            self.service.store.close().await;
        };
        // A database that does not answer keeps nobody: what is not given back expires.
        if tokio::time::timeout(CLOSE_LIMIT, finish).await.is_err() {
            tracing::warn!("the store is not closed in order: it does not answer");
        }
        Ok(())
    }
}

/// Answers what `listener` accepts until the end is asked for and the last request is answered.
async fn answer<L>(listener: L, router: Router, mut until: Shutdown)
where
    L: Listener<Addr = SocketAddr>,
{
    let server = axum::serve(listener, router).with_graceful_shutdown(async move { until.requested().await });
    if let Err(error) = server.await {
        tracing::error!(error = &error as &dyn std::error::Error, "the server ended");
    }
}

/// Runs the scheduler until `shutdown`. Should it panic, that is a bug, but no reason to leave everything else undone.
async fn keep_running(scheduler: Arc<Scheduler>, shutdown: Shutdown) {
    loop {
        let (scheduler, until) = (Arc::clone(&scheduler), shutdown.clone());
        let Err(error) = tokio::spawn(async move { scheduler.run(until).await }).await else { return };
        tracing::error!(error = &error as &dyn std::error::Error, "the scheduler failed; it starts again");
        tokio::time::sleep(RESTART_PAUSE).await;
    }
}

fn catalogue(path: Option<&PathBuf>) -> Result<Catalogue, StartError> {
    let Some(path) = path else { return Ok(Catalogue::built_in().clone()) };
    let text = std::fs::read_to_string(path)
        .map_err(|source| StartError::CatalogueFile { path: path.clone(), source })?;
    Catalogue::from_json(&text).map_err(|source| StartError::Catalogue { path: path.clone(), source })
}

/// The clock found in the store; in an empty one, the one asked for. A clock that is not real is for one process.
async fn clock_setting(
    store: &dyn Store,
    asked: config::ClockSetting,
    real: &dyn RealTime,
) -> Result<ClockSetting, StoreError> {
    let mut tx = store.begin(Access::Write).await?;
    let now = to_stored_precision(real.now());
    let (mode, anchor_simulated) = match asked {
        config::ClockSetting::Real => (Mode::Real, now),
        config::ClockSetting::Scaled(scale) => (Mode::Scaled { scale }, now),
        config::ClockSetting::Manual(start) => (Mode::Manual, start),
    };
    let setting = match tx.clock().await? {
        Some(setting) => {
            if let Some(warning) = other_clock(mode, setting.mode) {
                tracing::warn!("{warning}");
            }
            setting
        }
        None => {
            let setting = ClockSetting { mode, anchor_real: now, anchor_simulated };
            tx.set_clock(setting).await?;
            setting
        }
    };
    tx.commit(false).await?;
    match setting.mode {
        Mode::Real => store.share_with_other_processes().await?,
        Mode::Scaled { .. } | Mode::Manual => store.hold_single_process_guard().await?,
    }
    Ok(setting)
}

/// What to tell whoever asks for a clock that the store does not have; on Postgres other processes may go by it.
fn other_clock(asked: Mode, found: Mode) -> Option<String> {
    let shown = |mode: Mode| match mode {
        Mode::Scaled { scale } => format!("{}:{scale}", mode.name()),
        Mode::Real | Mode::Manual => mode.name().to_owned(),
    };
    (asked != found).then(|| {
        format!(
            "the database has a clock already, which goes on: it is {}; --clock {} is for an empty database only",
            shown(found),
            shown(asked)
        )
    })
}

/// Where this process is the only one, whatever is leased is left from one that ended, perhaps just now by a kill.
async fn release_all_leases(store: &dyn Store) -> Result<(), StoreError> {
    let mut tx = store.begin(Access::Write).await?;
    tx.release_all(None).await?;
    tx.commit(false).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_the_store_does_not_have_is_named_beside_the_one_it_has() {
        let warning = other_clock(Mode::Manual, Mode::Scaled { scale: 60.0 }).unwrap();
        assert!(warning.contains("it is scaled:60; --clock manual is"), "{warning}");
        assert!(other_clock(Mode::Real, Mode::Manual).is_some());
        assert_eq!(other_clock(Mode::Manual, Mode::Manual), None);
    }
}
