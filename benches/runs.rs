//! How fast runs go: many at once with upgrades that take no time, on both stores, in one run of this program.
//!
//! `cargo bench --features test-util --bench runs`; Postgres takes part where `TEST_DATABASE_URL` names a server.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fleetplane::app::App;
use fleetplane::clock::{RandomIds, ServiceClock, SystemTime};
use fleetplane::domain::catalogue::Catalogue;
use fleetplane::domain::clock::{ClockSetting, Mode};
use fleetplane::domain::etag::Preconditions;
use fleetplane::domain::managed_cluster::Behavior;
use fleetplane::domain::resource_id::ResourceId;
use fleetplane::domain::system_data::Principal;
use fleetplane::domain::time::Timestamp;
use fleetplane::domain::update_run::RunSpec;
use fleetplane::domain::update_run::state::UpdateState;
use fleetplane::service::{CallContext, OperationDurations, Settings};
use fleetplane::store::Store;
use fleetplane::testing::databases::TestDatabase;
use fleetplane::testing::estate::Estate;
use serde_json::json;

const RUNS: usize = 100;
const MEMBERS: usize = 100;

fn main() {
    // The standard harness would be asked to list tests; this program has none.
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    let runtime = tokio::runtime::Runtime::new().expect("threads can be started");
    runtime.block_on(async {
        measure("sqlite", &TestDatabase::sqlite()).await;
        #[expect(
            clippy::disallowed_methods,
            reason = "whether there is a server is the environment's to say"
        )]
        if std::env::var("TEST_DATABASE_URL").is_ok() {
            measure("postgres", &TestDatabase::postgres().await).await;
        } else {
            println!("postgres: left out, TEST_DATABASE_URL names no server");
        }
    });
}

async fn measure(name: &str, database: &TestDatabase) {
    let store = database.open().await.expect("the database opens");
    let app = app(Arc::clone(&store));
    let runs = prepare(&app, store.as_ref()).await;
    let context = CallContext { principal: Principal::anonymous(), correlation_id: String::new() };
    let unconditional = Preconditions::default();
    let begun = Instant::now();
    for run in &runs {
        let start = app.service.start_update_run(&context, run, &unconditional);
        start.await.expect("a new run can be started");
    }
    app.scheduler.tick().await.expect("the store is open");
    let took = begun.elapsed();
    for run in &runs {
        let run = app.service.update_run(run).await.expect("the run is there");
        assert_eq!(run.run.status.state, UpdateState::Completed);
        assert!(run.run.members.iter().all(|member| member.state() == UpdateState::Completed));
    }
    report(name, took);
}

fn report(name: &str, took: Duration) {
    let members = (RUNS * MEMBERS) as f64;
    println!(
        "{name}: {RUNS} runs x {MEMBERS} members in {:.2} s, {:.0} members/s",
        took.as_secs_f64(),
        members / took.as_secs_f64()
    );
}

fn app(store: Arc<dyn Store>) -> App {
    let start: Timestamp = "2026-11-30T00:00:00Z".parse().expect("it is a time");
    let setting = ClockSetting { mode: Mode::Manual, anchor_real: start, anchor_simulated: start };
    let settings = Settings {
        operation_durations: OperationDurations::Zero,
        max_members: 1000,
        strict_resource_groups: false,
    };
    let clock = ServiceClock::new(Box::new(SystemTime), setting);
    let service = App::service(store, clock, Arc::new(RandomIds), settings, Catalogue::built_in().clone());
    App::of(service, None, true)
}

async fn prepare(app: &App, store: &dyn Store) -> Vec<ResourceId> {
    let context = CallContext { principal: Principal::anonymous(), correlation_id: String::new() };
    let at_once =
        Behavior { control_plane_minutes: Some(0), pool_batch_minutes: Some(0), ..Behavior::default() };
    let unconditional = Preconditions::default();
    let mut runs = Vec::new();
    for index in 0..RUNS {
        let estate = Estate {
            fleet: format!("fleet{index}"),
            members: MEMBERS,
            groups: vec!["canary".into(), "early".into(), "prod".into(), "prod".into()],
            regions: vec!["westeurope".into(), "eastus".into()],
            behavior: at_once.clone(),
        };
        let id = estate.seed(store, app.service.clock.now()).await.child("updateRuns", "run");
        let put = app.service.put_update_run(&context, &id, &unconditional, |_| Ok(spec()));
        put.await.expect("the run can be made");
        runs.push(id);
    }
    runs
}

fn spec() -> RunSpec {
    let stage = |name: &str| json!({ "name": name, "maxConcurrency": "50%", "groups": [{ "name": name, "maxConcurrency": "50%" }] });
    let properties = json!({
        "strategy": { "stages": [stage("canary"), stage("early"), stage("prod")] },
        "managedClusterUpdate": { "upgrade": { "type": "Full", "kubernetesVersion": "1.36.2" } },
    });
    let mut faults = fleetplane::domain::refusal::Faults::new();
    let spec = RunSpec::read_into(&properties, &mut faults);
    faults.finish().expect("the body is good");
    spec
}
