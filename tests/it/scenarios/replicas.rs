//! Several processes on one store: who takes a run over sees what happened meanwhile, and who ends claims no more.

use std::sync::Arc;

use chrono::TimeDelta;
use fleetplane::app::App;
use fleetplane::domain::refusal::Code;
use fleetplane::lifecycle::shutdown;
use fleetplane::service::ServiceError;
use fleetplane::store::Access;
use fleetplane::testing::app::{Backend, GROUP, TestApp};
use rstest::rstest;
use serde_json::{Value, json};

use super::{Rollout, full, members};

/// Three clusters, one at a time, started.
async fn one_by_one(app: &TestApp) -> Rollout<'_> {
    let clusters =
        json!({ "count": 3, "regions": ["westeurope"], "kubernetesVersion": "1.35", "groups": ["all"] });
    let rollout = Rollout::new(app, clusters).await;
    let strategy = json!({ "properties": { "strategy": { "stages": [{ "name": "all", "groups": [{ "name": "all" }] }] } } });
    rollout.start(&strategy, full()).await;
    rollout
}

/// Lets time pass by the minute until the first member is done; the states of all then.
async fn first_done(process: &App, rollout: &Rollout<'_>) -> Vec<String> {
    for _ in 0..60 {
        process.scheduler.advance_clock(|now| Ok(now + TimeDelta::minutes(1))).await.unwrap();
        let states: Vec<String> = states(&rollout.status().await).into_iter().map(str::to_owned).collect();
        if states[0] == "Completed" {
            return states;
        }
    }
    panic!("the first member is never done");
}

fn states(status: &Value) -> Vec<&str> {
    members(status).into_iter().filter_map(|member| member["status"]["state"].as_str()).collect()
}

#[rstest]
#[tokio::test]
async fn a_run_that_comes_back_is_seen_anew_where_another_process_took_the_notes(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    let rollout = one_by_one(&app).await;
    let process = || App::of(app.service.clone(), None, true);
    let (first, second) = (process(), process());
    first.scheduler.tick().await.unwrap();
    let status = rollout.status().await;
    assert_eq!(states(&status), ["Running", "NotStarted", "NotStarted"]);
    // The last one's window is open now, so that it comes first among equals; the other process is told of that.
    let window = json!({ "properties": { "maintenanceWindow": {
        "schedule": { "daily": { "intervalDays": 1 } }, "durationHours": 12, "startTime": "00:00",
    } } });
    let last = members(&status)[2]["clusterResourceId"].as_str().unwrap();
    assert!(last.starts_with(GROUP), "{last}");
    let path =
        format!("{last}/maintenanceConfigurations/aksManagedAutoUpgradeSchedule?api-version=2026-08-01");
    let _ = app.put(&path, window).await.expect(201);
    first.scheduler.release_all().await.unwrap();
    assert!(second.scheduler.tick().await.unwrap() > 0);
    second.scheduler.release_all().await.unwrap();
    assert_eq!(first_done(&first, &rollout).await, ["Completed", "NotStarted", "Running"]);
}

#[rstest]
#[tokio::test]
async fn a_process_that_ends_leaves_the_clock_and_gives_back_what_it_held(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    let rollout = one_by_one(&app).await;
    let process = Arc::new(App::of(app.service.clone(), None, true));
    process.scheduler.tick().await.unwrap();
    let (trigger, shutdown) = shutdown();
    trigger.request();
    process.scheduler.run(shutdown).await;
    assert!(!process.scheduler.status().is_alive());
    let before = app.service.clock.now();
    let advance = process.scheduler.advance_clock(|now| Ok(now + TimeDelta::days(1))).await;
    assert!(
        matches!(&advance, Err(ServiceError::Refused(refusal)) if refusal.code == Code::ServiceUnavailable),
        "{advance:?}"
    );
    assert_eq!(app.service.clock.now(), before);
    let mut tx = app.service.store.begin(Access::Read).await.unwrap();
    assert_eq!(tx.next_expiry("somebody else").await.unwrap(), None);
    drop(tx);
    // Whoever comes next goes on at once.
    let next = App::of(app.service.clone(), None, true);
    assert_eq!(first_done(&next, &rollout).await, ["Completed", "Running", "NotStarted"]);
}
