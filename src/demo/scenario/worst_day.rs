//! `worst-day`: 48 clusters, and a day on which what can go wrong does; the failure budget ends the run.
//!
//! The image that the run asks for reaches two regions hours late; half of production waits for its window in the
//! evening; clusters fail, are stopped or busy. Early spends its budget, production goes over it: the run ends Failed
//! with clusters left as they were, which is what a budget is for.

use serde_json::{Value, json};

use super::Story;
use super::calls::{
    Call, TO, behavior, clusters, fails_once, fleet, release, run, run_path, skip, stop, strategy,
};
use crate::domain::update_run::state::UpdateState;

const REGIONS: [&str; 4] = ["westeurope", "eastus", "brazilsouth", "southeastasia"];
const IMAGE: &str = "AKSUbuntu-2204gen2containerd-202611.30.0";

pub(super) fn story() -> Story {
    let in_group = |regions: &[&str], group: &str| json!({ "regions": regions, "groups": [group] });
    let mut evening = in_group(&REGIONS, "prod");
    evening["maintenanceWindow"] = json!({
        "schedule": { "daily": { "intervalDays": 1 } },
        "durationHours": 4, "utcOffset": "+00:00", "startTime": "18:00",
    });
    let mut calls = vec![
        fleet(REGIONS[0]),
        clusters("canary", 4, in_group(&REGIONS[..2], "canary")),
        clusters("early", 16, in_group(&REGIONS, "early")),
        clusters("prod", 14, in_group(&REGIONS, "prod")),
        clusters("evening", 14, evening)
            .telling("14 clusters evening-0 … evening-13 whose windows open at 18:00"),
    ];
    calls.extend(late_image());
    calls.extend(trouble());
    calls.extend([
        strategy("tight", &stages())
            .telling("strategy tight: canary, then early with 3 failures allowed, prod with 2"),
        run(
            "tight",
            &json!({
                "upgrade": { "type": "Full", "kubernetesVersion": TO },
                "nodeImageSelection": { "type": "Custom", "customNodeImageVersions": [{ "version": IMAGE }] },
            }),
        ),
        skip("prod-13").telling("prod-13 is taken out of the run by hand"),
    ]);
    Story {
        title: "1.35 to 1.36 over 48 clusters on a bad day, until the failure budget ends it",
        scale: 1800.0,
        ends: UpdateState::Failed,
        watch: run_path(""),
        calls,
    }
}

fn late_image() -> [Call; 3] {
    let image = |regions: &[&str]| json!({ "kind": "NodeImage", "version": IMAGE, "regions": regions });
    let at = |mut body: Value, at: &str| {
        body["at"] = json!(at);
        release(body)
    };
    [
        release(image(&REGIONS[..2]))
            .telling(format!("image {IMAGE} in two regions; hours late in two others")),
        at(image(&REGIONS[2..3]), "2026-11-30T06:00:00Z"),
        at(image(&REGIONS[3..]), "2026-11-30T09:00:00Z"),
    ]
}

fn trouble() -> Vec<Call> {
    let api_server =
        || fails_once("ControlPlane", "ControlPlaneUpgradeFailed", "The API server did not come up.");
    let drain =
        || fails_once("AgentPool:nodepool1", "PodDrainFailure", "A disruption budget keeps a pod in place.");
    vec![
        stop("early-5").telling("early-5 is stopped"),
        behavior("early-2", api_server())
            .telling("early-2 and early-7, prod-3 and prod-8, and evening-1 fail once"),
        behavior("early-7", drain()),
        behavior("prod-3", drain()),
        behavior("prod-8", api_server()),
        behavior("evening-1", drain()),
        behavior("prod-6", json!({ "busyUntil": "2026-11-30T12:00:00Z" }))
            .telling("prod-6 is busy until noon"),
        behavior("prod-10", json!({ "controlPlaneMinutes": 60, "poolBatchMinutes": 20 }))
            .telling("prod-10 is slow"),
    ]
}

fn stages() -> Value {
    json!([
        { "name": "canary", "groups": [{ "name": "canary", "maxConcurrency": "2" }], "afterStageWaitInSeconds": 3600 },
        {
            "name": "early",
            "maxAllowedFailures": "3",
            "groups": [{ "name": "early", "maxConcurrency": "4" }],
            "afterStageWaitInSeconds": 3600,
        },
        { "name": "prod", "maxAllowedFailures": "2", "groups": [{ "name": "prod", "maxConcurrency": "3" }] },
    ])
}
