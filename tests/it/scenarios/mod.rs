//! Whole rollouts over the API on a manual clock: what a user would do, from clusters to the last member.

mod auto_upgrade;
mod crashes;
mod examples;
mod plans;
mod ready_fleets;
mod replicas;
mod waiting;

use axum::http::Method;
use fleetplane::testing::app::{FLEET, TestApp};
use serde_json::{Value, json};

/// The run that scenarios follow.
const RUN: &str = "updateRuns/rollout";

/// What a scenario does to the one fleet.
struct Rollout<'a> {
    app: &'a TestApp,
}

impl<'a> Rollout<'a> {
    /// A fleet of bulk-made clusters: `clusters` is what the bulk body says besides names and places.
    async fn new(app: &'a TestApp, clusters: Value) -> Self {
        let _ = app.put(FLEET, json!({ "location": "westeurope" })).await.expect(201);
        let mut body = json!({
            "subscriptionId": "11111111-2222-3333-4444-555555555555",
            "resourceGroup": "rg",
            "namePrefix": "c",
            "fleet": "fleet1",
        });
        body.as_object_mut().expect("an object").extend(clusters.as_object().expect("an object").clone());
        let _ = app.request(Method::POST, "/simulator/clusters").json(body).send().await.expect(201);
        Self { app }
    }

    /// Makes the run with `properties.strategy` of `strategy`, and starts it.
    async fn start(&self, strategy: &Value, update: Value) {
        let body = json!({ "properties": {
            "strategy": strategy["properties"]["strategy"],
            "managedClusterUpdate": update,
        } });
        let _ = self.app.put(&format!("{FLEET}/{RUN}"), body).await.expect(201);
        let _ = self.app.post(&format!("{FLEET}/{RUN}/start")).await.expect(200);
    }

    /// Lets simulated time pass; what the clock shows then.
    async fn pass(&self, by: &str) -> String {
        let advance = self.app.request(Method::POST, "/simulator/clock/advance").json(json!({ "by": by }));
        advance.send().await.expect(200).json()["now"].as_str().expect("a time").to_owned()
    }

    /// The run's `status`.
    async fn status(&self) -> Value {
        self.app.get(&format!("{FLEET}/{RUN}")).await.expect(200).json()["properties"]["status"].clone()
    }

    /// Approves whatever waits for it; how many gates that were.
    async fn approve_all(&self) -> usize {
        let pending = "gates?$filter=state%20eq%20Pending%20and%20gateType%20eq%20Approval";
        let gates = self.app.get(&format!("{FLEET}/{pending}")).await.expect(200).json();
        let gates = gates["value"].as_array().expect("a page").clone();
        for gate in &gates {
            let id = gate["id"].as_str().expect("an id");
            let _ = self.app.patch(id, json!({ "properties": { "state": "Completed" } })).await.expect(200);
        }
        gates.len()
    }
}

/// All members of a run's `status`, in its order.
fn members(status: &Value) -> Vec<&Value> {
    let stages = status["stages"].as_array().expect("stages");
    let groups = stages.iter().flat_map(|stage| stage["groups"].as_array().expect("groups"));
    groups.flat_map(|group| group["members"].as_array().map(Vec::as_slice).unwrap_or_default()).collect()
}

/// A full upgrade to the newest 1.36.
fn full() -> Value {
    json!({ "upgrade": { "type": "Full", "kubernetesVersion": "1.36" } })
}
