//! The whole service in one process, on a clock that stands still: requests go through the real router.
//!
//! Ids come in sequence and real time never moves, so that answers are the same each time and snapshots need no
//! redaction. What happens by itself happens when [`TestApp::tick`] says so, by the scheduler's own code.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use chrono::TimeDelta;
use serde_json::Value;
use tower::ServiceExt as _;
use uuid::Uuid;

use super::conformance;
use super::databases::TestDatabase;
use super::faults::{FaultyStore, StorageFaults};
use super::service::AT_ONCE;
use crate::api;
use crate::app::App;
use crate::clock::{RealTime, ServiceClock};
use crate::domain::catalogue::Catalogue;
use crate::domain::clock::{ClockSetting, Mode};
use crate::domain::ids::IdSource;
use crate::domain::time::{Timestamp, from_micros};
use crate::scheduler::Scheduler;
use crate::service::{OperationDurations, Service, Settings};
use crate::store::{Access, Store};

/// Which store a test runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// An SQLite file.
    Sqlite,
    /// A database on the server of `TEST_DATABASE_URL`.
    Postgres,
}

/// When every test begins, in real and in simulated time: 2026-11-30T00:00:00Z.
pub fn beginning() -> Timestamp {
    from_micros(1_795_996_800_000_000)
}

/// The subscription that tests use.
pub const SUBSCRIPTION: &str = "/subscriptions/11111111-2222-3333-4444-555555555555";
/// A resource group in it.
pub const GROUP: &str = "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/rg";
/// A fleet in that.
pub const FLEET: &str = "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/rg/providers/Microsoft.ContainerService/fleets/fleet1";
/// The newest fleet version.
pub const VERSION: &str = "2026-06-02-preview";

/// Ids in sequence.
#[derive(Debug, Default)]
pub struct SequentialIds(AtomicU64);

impl IdSource for SequentialIds {
    fn next(&self) -> Uuid {
        Uuid::from_u128(u128::from(self.0.fetch_add(1, Ordering::Relaxed)) + 1)
    }
}

/// Real time that never moves.
#[derive(Clone, Copy, Debug)]
struct StandingTime;

impl RealTime for StandingTime {
    fn now(&self) -> Timestamp {
        beginning()
    }
}

/// The service under test. Its database goes with it.
pub struct TestApp {
    /// The use cases, for what no request can do.
    pub service: Service,
    app: App,
    router: Router,
    database: TestDatabase,
}

impl TestApp {
    /// A service on an empty store, whose operations take no time.
    pub async fn new(backend: Backend) -> Self {
        Self::with(backend, OperationDurations::Zero, |_| {}).await
    }

    /// A service whose operations take simulated time.
    pub async fn simulated(backend: Backend) -> Self {
        Self::with(backend, OperationDurations::Simulated, |_| {}).await
    }

    /// A service with other settings.
    ///
    /// # Panics
    /// Where the store does not open.
    pub async fn with(
        backend: Backend,
        operation_durations: OperationDurations,
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        let mut settings = Settings { operation_durations, ..AT_ONCE };
        change(&mut settings);
        Self::on(backend, settings, |store| store).await
    }

    /// A service whose operations take simulated time, on a store that fails when it is told to.
    ///
    /// # Panics
    /// Where the store does not open.
    pub async fn with_faults(backend: Backend) -> (Self, Arc<StorageFaults>) {
        let settings = Settings { operation_durations: OperationDurations::Simulated, ..AT_ONCE };
        let faults = Arc::new(StorageFaults::default());
        let around = |store| Arc::new(FaultyStore::around(store, Arc::clone(&faults))) as Arc<dyn Store>;
        (Self::on(backend, settings, around).await, faults)
    }

    async fn on(
        backend: Backend,
        settings: Settings,
        around: impl FnOnce(Arc<dyn Store>) -> Arc<dyn Store>,
    ) -> Self {
        let database = match backend {
            Backend::Sqlite => TestDatabase::sqlite(),
            Backend::Postgres => TestDatabase::postgres().await,
        };
        let store = around(database.open().await.expect("the store opens"));
        let (anchor_real, anchor_simulated) = (beginning(), beginning());
        let setting = ClockSetting { mode: Mode::Manual, anchor_real, anchor_simulated };
        let mut tx = store.begin(Access::Write).await.expect("the store begins");
        tx.set_clock(setting).await.expect("the store keeps the clock");
        tx.commit(false).await.expect("the store commits");
        Self::of(database, store, setting, Arc::new(SequentialIds::default()), settings)
    }

    fn of(
        database: TestDatabase,
        store: Arc<dyn Store>,
        setting: ClockSetting,
        ids: Arc<dyn IdSource>,
        settings: Settings,
    ) -> Self {
        let clock = ServiceClock::new(Box::new(StandingTime), setting);
        let service = App::service(store, clock, ids, settings, Catalogue::built_in().clone());
        let mut app = App::of(service.clone(), None, true);
        app.api.dev_identity = true;
        let router = api::router(app.api.clone());
        Self { service, app, router, database }
    }

    /// The service as a new process finds it: nothing is remembered but what is stored.
    pub async fn restarted(self) -> Self {
        self.restarted_with(|_| {}).await
    }

    /// The same, with other settings.
    ///
    /// # Panics
    /// Where the store does not open again.
    pub async fn restarted_with(self, change: impl FnOnce(&mut Settings)) -> Self {
        let Self { service, app, router, database } = self;
        let (ids, mut settings) = (Arc::clone(&service.ids), service.settings);
        change(&mut settings);
        service.store.close().await;
        drop((service, app, router));
        let store = database.open().await.expect("the store opens again");
        let mut tx = store.begin(Access::Read).await.expect("the store begins");
        let setting = tx.clock().await.expect("the store answers").expect("the clock is stored");
        drop(tx);
        Self::of(database, store, setting, ids, settings)
    }

    /// What happens by itself, in this process.
    pub fn scheduler(&self) -> &Arc<Scheduler> {
        &self.app.scheduler
    }

    /// Does what is due, as the scheduler does.
    ///
    /// # Panics
    /// Where storage fails.
    pub async fn tick(&self) -> usize {
        self.app.scheduler.tick().await.expect("the tick succeeds")
    }

    /// Moves the clock by so many seconds and does what is due then.
    ///
    /// # Panics
    /// Where storage fails.
    pub async fn pass(&self, seconds: i64) {
        let clock = &self.service.clock;
        let later = clock.now() + TimeDelta::seconds(seconds);
        let setting = clock.setting().moved_to(later, clock.real_now()).expect("a manual clock moves on");
        let mut tx = self.service.store.begin(Access::Write).await.expect("the store begins");
        tx.set_clock(setting).await.expect("the store keeps the clock");
        tx.commit(false).await.expect("the store commits");
        clock.set(setting);
        self.tick().await;
    }

    /// A request of `path`, at the newest version unless the path says another.
    pub fn request(&self, method: Method, path: &str) -> TestRequest<'_> {
        let is_arm = path.to_ascii_lowercase().starts_with("/subscriptions");
        let versioned = path.contains("api-version=") || !is_arm;
        let uri = match (versioned, path.contains('?')) {
            (true, _) => path.to_owned(),
            (false, true) => format!("{path}&api-version={VERSION}"),
            (false, false) => format!("{path}?api-version={VERSION}"),
        };
        TestRequest { app: self, request: Request::builder().method(method).uri(uri), body: Body::empty() }
    }

    /// Sends any request through the router; what is answered must be as the OpenAPI document says.
    ///
    /// # Panics
    /// Where the answer is no text, or not as described.
    pub async fn send(&self, request: Request<Body>) -> TestAnswer {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let response = self.router.clone().oneshot(request).await.expect("the router never fails");
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, usize::MAX).await.expect("a body in memory");
        let text = String::from_utf8(bytes.to_vec()).expect("answers are text");
        let answer = TestAnswer { status: parts.status, headers: parts.headers, text };
        conformance::check(&method, &path, &answer);
        answer
    }

    /// `GET path`.
    pub async fn get(&self, path: &str) -> TestAnswer {
        self.request(Method::GET, path).send().await
    }

    /// `PUT path` with a JSON body.
    pub async fn put(&self, path: &str, body: Value) -> TestAnswer {
        self.request(Method::PUT, path).json(body).send().await
    }

    /// `PATCH path` with a JSON body.
    pub async fn patch(&self, path: &str, body: Value) -> TestAnswer {
        self.request(Method::PATCH, path).json(body).send().await
    }

    /// `DELETE path`.
    pub async fn delete(&self, path: &str) -> TestAnswer {
        self.request(Method::DELETE, path).send().await
    }

    /// `POST path` without a body.
    pub async fn post(&self, path: &str) -> TestAnswer {
        self.request(Method::POST, path).send().await
    }
}

/// A request to be sent.
pub struct TestRequest<'a> {
    app: &'a TestApp,
    request: axum::http::request::Builder,
    body: Body,
}

impl TestRequest<'_> {
    /// With a header.
    #[must_use]
    pub fn header(self, name: &str, value: &str) -> Self {
        Self { request: self.request.header(name, value), ..self }
    }

    /// With a JSON body.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "tests write the body where they call")]
    pub fn json(self, body: Value) -> Self {
        self.header("content-type", "application/json").bytes(body.to_string())
    }

    /// With any body.
    #[must_use]
    pub fn bytes(self, body: impl Into<Body>) -> Self {
        Self { body: body.into(), ..self }
    }

    /// Sends it.
    ///
    /// # Panics
    /// Where the request is none, or its answer is no text.
    pub async fn send(self) -> TestAnswer {
        let request = self.request.header("host", "localhost").body(self.body).expect("a request");
        self.app.send(request).await
    }
}

/// An answer.
#[derive(Debug)]
pub struct TestAnswer {
    /// Its status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub text: String,
}

impl TestAnswer {
    /// The body as JSON.
    ///
    /// # Panics
    /// Where it is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text)
            .unwrap_or_else(|_| panic!("no JSON: {} {:?}", self.status, self.text))
    }

    /// The error's code.
    ///
    /// # Panics
    /// Where the answer is no error in ARM's envelope.
    pub fn code(&self) -> String {
        let code = self.json()["error"]["code"].as_str().map(str::to_owned);
        code.unwrap_or_else(|| panic!("no error: {} {}", self.status, self.text))
    }

    /// A header, empty where it is absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// Itself, after checking the status.
    ///
    /// # Panics
    /// Where the status is another.
    #[must_use]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        self
    }
}
