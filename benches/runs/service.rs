//! A service on a clock that stands still, and the ground runs stand on.

use std::sync::Arc;

use fleetplane::app::App;
use fleetplane::clock::{RandomIds, ServiceClock, SystemTime};
use fleetplane::domain::catalogue::Catalogue;
use fleetplane::domain::clock::{ClockSetting, Mode};
use fleetplane::domain::etag::Preconditions;
use fleetplane::domain::managed_cluster::Behavior;
use fleetplane::domain::refusal::Faults;
use fleetplane::domain::resource_id::ResourceId;
use fleetplane::domain::system_data::Principal;
use fleetplane::domain::time::Timestamp;
use fleetplane::domain::update_run::RunSpec;
use fleetplane::domain::update_run::state::UpdateState;
use fleetplane::service::{CallContext, OperationDurations, Settings};
use fleetplane::testing::databases::TestDatabase;
use serde_json::{Value, json};

/// The service over a new database.
pub async fn app(database: &TestDatabase) -> App {
    let store = database.open().await.expect("the database opens");
    let start: Timestamp = "2026-11-30T00:00:00Z".parse().expect("it is a time");
    let setting = ClockSetting { mode: Mode::Manual, anchor_real: start, anchor_simulated: start };
    let settings = Settings {
        operation_durations: OperationDurations::Zero,
        max_members: 10_000,
        strict_resource_groups: false,
    };
    let clock = ServiceClock::new(Box::new(SystemTime), setting);
    let service =
        App::service(Arc::clone(&store), clock, Arc::new(RandomIds), settings, Catalogue::built_in().clone());
    App::of(service, None, true)
}

/// Nobody in particular.
pub fn call() -> CallContext {
    CallContext { principal: Principal::anonymous(), correlation_id: String::new() }
}

/// Clusters whose upgrades take no time.
pub fn at_once() -> Behavior {
    Behavior { control_plane_minutes: Some(0), pool_batch_minutes: Some(0), ..Behavior::default() }
}

/// Makes a full upgrade to 1.36.2 by these stages, not started.
pub async fn make_run(app: &App, id: &ResourceId, stages: &Value) {
    let properties = json!({
        "strategy": { "stages": stages },
        "managedClusterUpdate": { "upgrade": { "type": "Full", "kubernetesVersion": "1.36.2" } },
    });
    let mut faults = Faults::new();
    let spec = RunSpec::read_into(&properties, &mut faults);
    faults.finish().expect("the body is good");
    let put = app.service.put_update_run(&call(), id, &Preconditions::default(), |_| Ok(spec)).await;
    put.expect("the run can be made");
}

/// Starts a run.
pub async fn start(app: &App, id: &ResourceId) {
    let started = app.service.start_update_run(&call(), id, &Preconditions::default()).await;
    started.expect("a new run can be started");
}

/// That a run and all its members are Completed.
pub async fn assert_completed(app: &App, id: &ResourceId) {
    let run = app.service.update_run(id).await.expect("the run is there");
    assert_eq!(run.run.status.state, UpdateState::Completed, "{:?}", run.run.status);
    assert!(run.run.members.iter().all(|member| member.state() == UpdateState::Completed));
}
