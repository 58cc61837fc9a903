//! The calls that scenarios are written in, and the names that all of them use.

use axum::http::Method;
use serde_json::{Map, Value, json};

const SUBSCRIPTION: &str = "11111111-2222-3333-4444-555555555555";
const GROUP: &str = "demo";
const FLEET: &str = "shop";
const RUN: &str = "to-1-36";
/// The minor version that clusters have before.
pub(super) const FROM: &str = "1.35";
/// The minor version that the run brings.
pub(super) const TO: &str = "1.36";
/// The query that fleets and what belongs to them are asked with.
pub const API_VERSION: &str = "api-version=2026-06-02-preview";
/// The query that clusters are asked with.
const AKS_VERSION: &str = "api-version=2026-08-01";

/// A request, and how it is told.
#[derive(Clone, Debug)]
pub struct Call {
    /// What to do.
    pub method: Method,
    /// To what, with its query.
    pub path: String,
    /// With what.
    pub body: Option<Value>,
    /// A line for who watches; `None` for what the call before has told already.
    pub says: Option<String>,
}

impl Call {
    fn new(method: Method, path: String, body: Option<Value>) -> Self {
        Self { method, path, body, says: None }
    }

    /// The same call with a line for who watches.
    pub(super) fn telling(self, says: impl Into<String>) -> Self {
        Self { says: Some(says.into()), ..self }
    }
}

/// The fleet.
pub(super) fn fleet(location: &str) -> Call {
    Call::new(Method::PUT, fleet_path(""), Some(json!({ "location": location })))
        .telling(format!("fleet {FLEET} in {location}"))
}

/// `count` clusters that join the fleet, named `{prefix}-0` and so on; `more` is the rest of the bulk body.
pub(super) fn clusters(prefix: &str, count: usize, more: Value) -> Call {
    let mut body = Map::new();
    if let Value::Object(more) = json!({
        "subscriptionId": SUBSCRIPTION, "resourceGroup": GROUP, "namePrefix": format!("{prefix}-"), "count": count,
        "kubernetesVersion": FROM, "fleet": FLEET,
    }) {
        body.extend(more);
    }
    if let Value::Object(more) = more {
        body.extend(more);
    }
    Call::new(Method::POST, "/simulator/clusters".to_owned(), Some(Value::Object(body)))
        .telling(format!("{count} clusters {prefix}-0 … {prefix}-{}, members of the fleet", count - 1))
}

/// One cluster by its own PUT.
pub(super) fn cluster(name: &str, body: Value) -> Call {
    Call::new(Method::PUT, format!("{}?{AKS_VERSION}", cluster_id(name)), Some(body))
}

/// A cluster's membership of an update group.
pub(super) fn member(name: &str, group: &str) -> Call {
    let body = json!({ "properties": { "clusterResourceId": cluster_id(name), "group": group } });
    Call::new(Method::PUT, fleet_path(&format!("/members/{name}")), Some(body))
}

/// Stops a cluster.
pub(super) fn stop(name: &str) -> Call {
    Call::new(Method::POST, format!("{}/stop?{AKS_VERSION}", cluster_id(name)), None)
}

/// Tells the simulator how a cluster behaves.
pub(super) fn behavior(name: &str, body: Value) -> Call {
    Call::new(Method::PUT, format!("/simulator/behaviors{}", cluster_id(name)), Some(body))
}

/// A behaviour: a step (`ControlPlane` or `AgentPool:NAME`) that fails once.
pub(super) fn fails_once(at: &str, code: &str, message: &str) -> Value {
    json!({ "failures": [{ "at": at, "times": 1, "code": code, "message": message }] })
}

/// Publishes versions or images.
pub(super) fn release(body: Value) -> Call {
    Call::new(Method::POST, "/simulator/releases".to_owned(), Some(body))
}

/// The strategy of the run.
pub(super) fn strategy(name: &str, stages: &Value) -> Call {
    let body = json!({ "properties": { "strategy": { "stages": stages } } });
    Call::new(Method::PUT, fleet_path(&format!("/updateStrategies/{name}")), Some(body))
}

/// An auto-upgrade profile on a channel, by the strategy of this name.
pub(super) fn profile(name: &str, channel: &str, strategy: &str) -> Call {
    let strategy = fleet_id(&format!("/updateStrategies/{strategy}"));
    let body = json!({ "properties": { "channel": channel, "updateStrategyId": strategy } });
    Call::new(Method::PUT, fleet_path(&format!("/autoUpgradeProfiles/{name}")), Some(body))
}

/// The run, not started, by the strategy of this name.
pub(super) fn run(strategy: &str, update: &Value) -> Call {
    let body = json!({ "properties": {
        "updateStrategyId": fleet_id(&format!("/updateStrategies/{strategy}")),
        "managedClusterUpdate": update,
    } });
    Call::new(Method::PUT, run_path(""), Some(body))
        .telling(format!("update run {RUN}: control planes and nodes to {TO}"))
}

/// Takes a member out of the run.
pub(super) fn skip(member: &str) -> Call {
    let body = json!({ "targets": [{ "type": "Member", "name": member }] });
    Call::new(Method::POST, run_path("/skip"), Some(body))
}

/// A full upgrade, each cluster's pools to the newest image of its region.
pub(super) fn full() -> Value {
    json!({ "upgrade": { "type": "Full", "kubernetesVersion": TO } })
}

/// The run, or something below it, at the version it is asked with.
pub fn run_path(rest: &str) -> String {
    fleet_path(&format!("/updateRuns/{RUN}{rest}"))
}

/// The fleet, or something below it, at the version it is asked with.
pub fn fleet_path(rest: &str) -> String {
    format!("{}?{API_VERSION}", fleet_id(rest))
}

/// The id of the fleet, or of something below it.
pub fn fleet_id(rest: &str) -> String {
    resource_id("fleets", &format!("{FLEET}{rest}"))
}

fn cluster_id(name: &str) -> String {
    resource_id("managedClusters", name)
}

fn resource_id(kind: &str, rest: &str) -> String {
    format!(
        "/subscriptions/{SUBSCRIPTION}/resourceGroups/{GROUP}/providers/Microsoft.ContainerService/{kind}/{rest}"
    )
}
