//! A thousand members over four simulated weeks: windows, waits, and gates that a script approves once a simulated day.

use std::time::Instant;

use fleetplane::app::App;
use fleetplane::domain::etag::Preconditions;
use fleetplane::domain::gate::Gate;
use fleetplane::domain::resource_id::ResourceId;
use fleetplane::domain::update_run::state::UpdateState;
use fleetplane::store::{Access, Kind};
use fleetplane::testing::databases::TestDatabase;
use serde_json::{Value, json};

use crate::service::{app, assert_completed, call, make_run, start};

const MEMBERS: usize = 1000;
const DAYS: i64 = 28;

pub async fn measure(name: &str, database: &TestDatabase) {
    let app = app(database).await;
    let subscription = "11111111-2222-3333-4444-555555555555";
    let fleet = ResourceId::resource_group(subscription, "rg").child("fleets", "fleet");
    let spec = fleetplane::domain::fleet::FleetSpec::read(&fleet, &json!({ "location": "westeurope" }), None);
    let spec = spec.expect("the body is good");
    let made = app.service.put_fleet(&call(), &fleet, &Preconditions::default(), |_| Ok(spec)).await;
    made.expect("the fleet can be made");
    app.service.make_clusters(&call(), &clusters(subscription)).await.expect("the clusters can be made");
    let run = fleet.child("updateRuns", "run");
    make_run(&app, &run, &stages()).await;
    let begun = Instant::now();
    start(&app, &run).await;
    for _ in 0..DAYS {
        app.scheduler
            .advance_clock(|now| Ok(now + chrono::TimeDelta::days(1)))
            .await
            .expect("the clock is manual");
        approve_all(&app, &fleet).await;
    }
    let took = begun.elapsed().as_secs_f64();
    assert_completed(&app, &run).await;
    println!("{name}: {MEMBERS} members over {DAYS} days of windows, waits and gates: {took:.2} s");
}

async fn approve_all(app: &App, fleet: &ResourceId) {
    let mut tx = app.service.store.begin(Access::Read).await.expect("the store is open");
    let gates = tx.children(Kind::Gate, &fleet.key()).await.expect("the store is open");
    drop(tx);
    for record in gates {
        let gate = record.decode::<Gate>().expect("it is a gate");
        if gate.state == UpdateState::Pending {
            let patched =
                app.service.patch_gate(&call(), &gate.id, &Preconditions::default(), |_| Ok(())).await;
            patched.expect("a pending gate can be completed");
        }
    }
}

fn clusters(subscription: &str) -> Value {
    json!({
        "subscriptionId": subscription,
        "resourceGroup": "rg",
        "namePrefix": "c",
        "count": MEMBERS,
        "regions": ["westeurope", "eastus", "uksouth", "northeurope"],
        "kubernetesVersion": "1.36.1",
        "fleet": "fleet",
        "groups": ["canary", "early", "early", "prod", "prod", "prod", "prod", "prod"],
        "maintenanceWindow": {
            "schedule": { "daily": { "intervalDays": 1 } },
            "durationHours": 8,
            "utcOffset": "+00:00",
            "startTime": "20:00",
        },
    })
}

fn stages() -> Value {
    let approval = json!([{ "displayName": "go on", "type": "Approval" }]);
    let stage = |name: &str| {
        json!({
            "name": name,
            "maxConcurrency": "25",
            "groups": [{ "name": name, "maxConcurrency": "25" }],
            "afterStageWaitInSeconds": 86_400,
            "afterGates": approval,
        })
    };
    json!([stage("canary"), stage("early"), stage("prod")])
}
