//! Ten thousand clusters made by one request and joined to a fleet, with weights for regions, versions, pools and groups.

use std::time::Instant;

use fleetplane::domain::etag::Preconditions;
use fleetplane::domain::fleet::FleetSpec;
use fleetplane::domain::resource_id::ResourceId;
use fleetplane::store::{Access, Kind};
use fleetplane::testing::databases::TestDatabase;
use serde_json::{Value, json};

use crate::service::{app, call};

const SUBSCRIPTION: &str = "11111111-2222-3333-4444-555555555555";
const CLUSTERS: u64 = 10_000;

pub async fn measure(name: &str, database: &TestDatabase) {
    let app = app(database).await;
    let fleet = ResourceId::resource_group(SUBSCRIPTION, "rg").child("fleets", "fleet");
    let spec = FleetSpec::read(&fleet, &json!({ "location": "westeurope" }), None).expect("the body is good");
    let made = app.service.put_fleet(&call(), &fleet, &Preconditions::default(), |_| Ok(spec)).await;
    made.expect("the fleet can be made");
    let body = body();
    let begun = Instant::now();
    app.service.make_clusters(&call(), &body).await.expect("the clusters can be made");
    let took = begun.elapsed().as_secs_f64();
    let mut tx = app.service.store.begin(Access::Read).await.expect("the store is open");
    let members = tx.count(Kind::Member, &fleet.key()).await.expect("the store is open");
    assert_eq!(members, CLUSTERS);
    println!("{name}: {CLUSTERS} clusters made and joined to a fleet: {took:.2} s");
}

fn body() -> Value {
    json!({
        "subscriptionId": SUBSCRIPTION,
        "resourceGroup": "rg",
        "namePrefix": "c",
        "count": CLUSTERS,
        "regions": [{ "value": "westeurope", "weight": 3 }, { "value": "eastus", "weight": 2 }, "uksouth"],
        "kubernetesVersion": [{ "value": "1.35", "weight": 9 }, "1.36"],
        "pools": [
            { "value": [{ "name": "system", "count": 3 }], "weight": 4 },
            { "value": [{ "name": "system", "count": 3 }, { "name": "win", "count": 2, "osType": "Windows" }] },
        ],
        "maintenanceWindow": {
            "schedule": { "weekly": { "intervalWeeks": 1, "dayOfWeek": "Saturday" } },
            "durationHours": 8,
            "utcOffset": "+00:00",
            "startTime": "20:00",
        },
        "fleet": "fleet",
        "groups": ["canary", { "value": "early", "weight": 3 }, { "value": "prod", "weight": 8 }],
        "labels": [{ "env": "prod" }, { "env": "test" }],
    })
}
