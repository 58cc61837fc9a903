//! What a member costs in a run of ten thousand against a run of a hundred, both ten at once with upgrades that take no
//! time.

use std::time::Instant;

use fleetplane::testing::databases::TestDatabase;
use fleetplane::testing::estate::Estate;
use serde_json::json;

use crate::service::{app, assert_completed, at_once, make_run, start};

const SMALL: usize = 100;
const LARGE: usize = 10_000;

pub async fn measure(name: &str, small: &TestDatabase, large: &TestDatabase) {
    let (small, large) = (micros_a_member(small, SMALL).await, micros_a_member(large, LARGE).await);
    println!(
        "{name}: a member of {SMALL}: {small:.0} us, of {LARGE}: {large:.0} us, {:.2} times as much",
        large / small
    );
}

async fn micros_a_member(database: &TestDatabase, members: usize) -> f64 {
    let app = app(database).await;
    let estate = Estate {
        fleet: "fleet".to_owned(),
        members,
        groups: vec!["all".to_owned()],
        regions: vec!["westeurope".to_owned()],
        behavior: at_once(),
    };
    let fleet = estate.seed(app.service.store.as_ref(), app.service.clock.now()).await;
    let run = fleet.child("updateRuns", "run");
    make_run(&app, &run, &json!([{ "name": "all", "groups": [{ "name": "all", "maxConcurrency": "10" }] }]))
        .await;
    let begun = Instant::now();
    start(&app, &run).await;
    app.scheduler.tick().await.expect("the store is open");
    let took = begun.elapsed();
    assert_completed(&app, &run).await;
    took.as_secs_f64() * 1e6 / members as f64
}
