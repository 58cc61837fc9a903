//! A hundred runs of a hundred members at once, in three stages of which half goes at once, with upgrades that take no
//! time: from the first start to the last completion.

use std::time::Instant;

use fleetplane::domain::resource_id::ResourceId;
use fleetplane::testing::databases::TestDatabase;
use fleetplane::testing::estate::Estate;
use serde_json::{Value, json};

use crate::service::{app, assert_completed, at_once, make_run, start};

const RUNS: usize = 100;
const MEMBERS: usize = 100;

pub async fn measure(name: &str, database: &TestDatabase) {
    let app = app(database).await;
    let mut runs: Vec<ResourceId> = Vec::new();
    for index in 0..RUNS {
        let estate = Estate {
            fleet: format!("fleet{index}"),
            members: MEMBERS,
            groups: ["canary", "early", "prod", "prod"].map(str::to_owned).to_vec(),
            regions: ["westeurope", "eastus"].map(str::to_owned).to_vec(),
            behavior: at_once(),
        };
        let fleet = estate.seed(app.service.store.as_ref(), app.service.clock.now()).await;
        let run = fleet.child("updateRuns", "run");
        make_run(&app, &run, &stages()).await;
        runs.push(run);
    }
    let begun = Instant::now();
    for run in &runs {
        start(&app, run).await;
    }
    app.scheduler.tick().await.expect("the store is open");
    let took = begun.elapsed().as_secs_f64();
    for run in &runs {
        assert_completed(&app, run).await;
    }
    let members = (RUNS * MEMBERS) as f64;
    println!("{name}: {RUNS} runs x {MEMBERS} members: {took:.2} s, {:.0} members/s", members / took);
}

fn stages() -> Value {
    let stage = |name: &str| json!({ "name": name, "maxConcurrency": "50%", "groups": [{ "name": name, "maxConcurrency": "50%" }] });
    json!([stage("canary"), stage("early"), stage("prod")])
}
