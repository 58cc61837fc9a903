//! What the demonstration makes: 24 clusters in 4 regions, a fleet, a strategy of three stages, a run.

use axum::http::Method;
use serde_json::{Value, json};

/// Simulated seconds a second: the run's hour and a half goes by in half a minute.
pub const SCALE: f64 = 240.0;
/// A cluster's upgrade: five minutes for the control plane, three for each of a pool's three nodes.
pub(super) const UPGRADE_MINUTES: i64 = 14;

const SUBSCRIPTION: &str = "11111111-2222-3333-4444-555555555555";
const GROUP: &str = "demo";
const FLEET: &str = "shop";
const REGIONS: [&str; 4] = ["westeurope", "eastus", "brazilsouth", "southeastasia"];
const FROM: &str = "1.35";
const TO: &str = "1.36";
const API_VERSION: &str = "api-version=2026-06-02-preview";
/// How long the run stands still after a stage.
const WAIT_SECONDS: u32 = 900;

/// A request, and how it is told.
pub(super) struct Step {
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) body: Option<Value>,
    pub(super) says: String,
}

/// The first line.
pub(super) fn title() -> String {
    format!(
        "fleetplane demo: {FROM} to {TO} over a fleet, canary → early → prod; a second here is {SCALE} there\n\n"
    )
}

/// Everything up to the start of the run, in order.
pub(super) fn steps() -> Vec<Step> {
    let put =
        |path: String, body: Value, says: String| Step { method: Method::PUT, path, body: Some(body), says };
    vec![
        fleet(),
        clusters("canary", 4, FROM, &["canary".to_owned()]),
        clusters("early", 8, FROM, &REGIONS.map(|region| format!("early-{region}"))),
        clusters("prod", 12, FROM, &REGIONS.map(|region| format!("prod-{region}"))),
        put(
            fleet_path("/updateStrategies/careful"),
            json!({ "properties": { "strategy": { "stages": stages() } } }),
            "strategy careful: canary, then early, then prod, with waits between them".to_owned(),
        ),
        put(
            run_path(""),
            json!({ "properties": {
                "updateStrategyId": fleet_id("/updateStrategies/careful"),
                "managedClusterUpdate": { "upgrade": { "type": "Full", "kubernetesVersion": TO } },
            } }),
            format!("update run to-1-36: control planes and nodes to {TO}"),
        ),
    ]
}

/// The fleet.
pub(super) fn fleet() -> Step {
    let body = Some(json!({ "location": REGIONS[0] }));
    Step { method: Method::PUT, path: fleet_path(""), body, says: format!("fleet {FLEET}") }
}

/// Clusters that join the fleet; regions and groups are dealt in step.
pub(super) fn clusters(prefix: &str, count: usize, version: &str, groups: &[String]) -> Step {
    let body = json!({
        "subscriptionId": SUBSCRIPTION, "resourceGroup": GROUP, "namePrefix": format!("{prefix}-"), "count": count,
        "regions": REGIONS, "kubernetesVersion": version, "fleet": FLEET, "groups": groups,
    });
    let says = format!(
        "{count} clusters {prefix}-0 … {prefix}-{} in {} regions, members of the fleet",
        count - 1,
        REGIONS.len()
    );
    Step { method: Method::POST, path: "/simulator/clusters".to_owned(), body: Some(body), says }
}

fn stages() -> Value {
    let groups = |stage: &str, at_once: &str| {
        REGIONS.map(|region| json!({ "name": format!("{stage}-{region}"), "maxConcurrency": at_once }))
    };
    json!([
        {
            "name": "canary",
            "groups": [{ "name": "canary", "maxConcurrency": "100%" }],
            "afterStageWaitInSeconds": WAIT_SECONDS,
        },
        {
            "name": "early",
            "maxConcurrency": "50%",
            "groups": groups("early", "1"),
            "afterStageWaitInSeconds": WAIT_SECONDS,
        },
        { "name": "prod", "groups": groups("prod", "2"), "maxAllowedFailures": "1" },
    ])
}

/// How to watch from another terminal.
pub(super) fn follow_along(base: &str) -> String {
    let fleet = fleet_id("");
    format!(
        "\nFollow along from another terminal:\n\
         \x20 FLEET={base}{fleet}\n\
         \x20 curl \"$FLEET/updateRuns/to-1-36?{API_VERSION}\"\n\
         \x20 curl \"$FLEET/members?{API_VERSION}\"\n\
         \x20 curl \"{base}/simulator/clock\"\n\n"
    )
}

/// The run, or something below it, at the version it is asked with.
pub(super) fn run_path(rest: &str) -> String {
    fleet_path(&format!("/updateRuns/to-1-36{rest}"))
}

/// Something in the fleet, at the version it is asked with.
pub(super) fn fleet_path(rest: &str) -> String {
    format!("{}?{API_VERSION}", fleet_id(rest))
}

/// The id of something in the fleet.
pub(super) fn fleet_id(rest: &str) -> String {
    format!(
        "/subscriptions/{SUBSCRIPTION}/resourceGroups/{GROUP}/providers/Microsoft.ContainerService/fleets/{FLEET}{rest}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_four_clusters_in_four_regions_are_made() {
        let made = steps().into_iter().filter(|step| step.path == "/simulator/clusters");
        let counts: Vec<u64> = made.map(|step| step.body.unwrap()["count"].as_u64().unwrap()).collect();
        assert_eq!((counts.iter().sum::<u64>(), REGIONS.len()), (24, 4));
    }

    #[test]
    fn every_group_of_the_strategy_has_members() {
        let groups = |stage: &Value| -> Vec<String> {
            let groups = stage["groups"].as_array().unwrap().iter();
            groups.map(|group| group["name"].as_str().unwrap().to_owned()).collect()
        };
        let planned: Vec<String> = stages().as_array().unwrap().iter().flat_map(groups).collect();
        let dealt = steps().into_iter().filter_map(|step| step.body?["groups"].as_array().cloned()).flatten();
        let dealt: Vec<String> = dealt.map(|group| group.as_str().unwrap().to_owned()).collect();
        assert_eq!(planned, dealt);
    }
}
