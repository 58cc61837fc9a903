//! `enterprise`: 400 clusters in 8 regions over weeks of maintenance windows, with what a large estate has of exceptions.
//!
//! Of the 16 clusters under long-term support half stay at 1.34, in a group that no stage names: they are not in the
//! run. Every twentieth cluster of production is at the target already. Four are stopped, six busy for days, two fail.

use serde_json::{Value, json};

use super::Story;
use super::calls::{
    Call, FROM, TO, behavior, cluster, clusters, fails_once, fleet, full, member, run, run_path, stop,
    strategy,
};
use crate::domain::update_run::state::UpdateState;

const REGIONS: [&str; 8] = [
    "westeurope",
    "northeurope",
    "uksouth",
    "eastus",
    "westus2",
    "brazilsouth",
    "southeastasia",
    "japaneast",
];
/// The part of the world of each region, in the same order.
const AREAS: [&str; 8] = ["eu", "eu", "eu", "am", "am", "am", "ap", "ap"];
/// The newest minor under long-term support only.
const LONG_TERM: &str = "1.34";
const DAY: u32 = 86_400;

pub(super) fn story() -> Story {
    let windows = ["Tuesday", "Thursday", "Saturday"].map(weekly);
    let mut calls = vec![
        fleet(REGIONS[0]),
        clusters("canary", 16, dealt("canary", json!({}))),
        clusters("early", 80, dealt("early", json!({ "maintenanceWindow": nightly() }))),
        clusters(
            "prod",
            288,
            dealt(
                "prod",
                json!({
                    "maintenanceWindow": windows,
                    "kubernetesVersion": [{ "value": FROM, "weight": 19 }, { "value": TO, "weight": 1 }],
                }),
            ),
        ),
    ];
    calls.extend(long_term());
    calls.extend(exceptions());
    calls.push(
        strategy("by-area", &stages())
            .telling("strategy by-area: canary, a day; early in its nights, a week; prod in its windows"),
    );
    calls.push(run("by-area", &full()));
    Story {
        title: "1.35 to 1.36 over 400 clusters in 8 regions, weeks of maintenance windows",
        scale: 60_000.0,
        ends: UpdateState::Completed,
        watch: run_path(""),
        calls,
    }
}

/// Regions, the groups of a stage in step with them, and three OS families.
fn dealt(stage: &str, more: Value) -> Value {
    let mut body = json!({
        "regions": REGIONS,
        "groups": AREAS.map(|area| format!("{stage}-{area}")),
        "pools": [
            { "value": [{ "name": "system", "count": 3 }], "weight": 5 },
            { "value": [{ "name": "system", "count": 3, "osSKU": "AzureLinux" }], "weight": 3 },
            {
                "value": [{ "name": "system", "count": 2 }, { "name": "win", "count": 2, "osType": "Windows" }],
                "weight": 2,
            },
        ],
    });
    if let (Value::Object(body), Value::Object(more)) = (&mut body, more) {
        body.extend(more);
    }
    body
}

fn nightly() -> Value {
    window(&json!({ "daily": { "intervalDays": 1 } }), "22:00")
}

fn weekly(day: &str) -> Value {
    window(&json!({ "weekly": { "intervalWeeks": 1, "dayOfWeek": day } }), "01:00")
}

fn window(schedule: &Value, start: &str) -> Value {
    json!({ "schedule": schedule, "durationHours": 6, "utcOffset": "+00:00", "startTime": start })
}

/// Clusters under long-term support: half go along with production in Europe, half stay where they are.
fn long_term() -> Vec<Call> {
    let says =
        "16 clusters lts-0 … lts-15 under long-term support, half of them in a group that no stage names";
    let pair = |i: usize| {
        let name = format!("lts-{i}");
        let (version, group) = if i.is_multiple_of(2) { (FROM, "prod-eu") } else { (LONG_TERM, "lts") };
        let body = json!({
            "location": REGIONS[0],
            "sku": { "name": "Base", "tier": "Premium" },
            "properties": {
                "kubernetesVersion": version,
                "supportPlan": "AKSLongTermSupport",
                "agentPoolProfiles": [{ "name": "system", "mode": "System", "count": 3 }],
            },
        });
        let made = cluster(&name, body);
        [if i == 0 { made.telling(says) } else { made }, member(&name, group)]
    };
    (0..16).flat_map(pair).collect()
}

/// Stopped, busy and failing clusters.
fn exceptions() -> Vec<Call> {
    let mut calls: Vec<Call> = [33, 94, 155, 216].map(|i| stop(&format!("prod-{i}"))).into();
    calls[0] = calls[0].clone().telling("4 clusters of prod are stopped");
    let first = calls.len();
    calls.extend(
        [7, 57, 107, 157, 207, 257]
            .map(|i| behavior(&format!("prod-{i}"), json!({ "busyUntil": "2026-12-16T12:00:00Z" }))),
    );
    calls[first] =
        calls[first].clone().telling("6 clusters of prod are busy with something else for two weeks");
    let quota = fails_once("AgentPool:system", "QuotaExceeded", "There are no cores left for surge nodes.");
    calls.push(
        behavior("early-11", quota.clone()).telling("2 clusters of early have no cores for surge nodes"),
    );
    calls.push(behavior("early-42", quota));
    calls
}

fn stages() -> Value {
    let groups = |stage: &str, at_once: &str| {
        ["eu", "am", "ap"].map(|area| json!({ "name": format!("{stage}-{area}"), "maxConcurrency": at_once }))
    };
    json!([
        {
            "name": "canary",
            "maxConcurrency": "4",
            "groups": groups("canary", "2"),
            "afterStageWaitInSeconds": DAY,
        },
        {
            "name": "early",
            "maxConcurrency": "25%",
            "maxAllowedFailures": "10%",
            "groups": groups("early", "50%"),
            "afterStageWaitInSeconds": 7 * DAY,
        },
        {
            "name": "prod",
            "maxConcurrency": "30",
            "maxAllowedFailures": "5%",
            "groups": groups("prod", "12"),
        },
    ])
}
