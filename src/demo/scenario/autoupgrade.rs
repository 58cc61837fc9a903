//! `autoupgrade`: a month of releases that a profile on channel Stable follows, over 16 clusters.

use chrono::TimeDelta;
use serde_json::json;

use super::calls::{Call, clusters, fleet, fleet_path, profile, release, strategy};
use super::{Story, begins};
use crate::domain::time::to_rfc3339;
use crate::domain::update_run::state::UpdateState;

const REGIONS: [&str; 4] = ["westeurope", "eastus", "brazilsouth", "southeastasia"];

/// What is published, and on which day; no regions: everywhere.
pub(in crate::demo) const RELEASES: [(i64, &str, &[&str]); 4] = [
    (2, "1.36.5", &[]),
    (9, "1.36.6", &["westeurope", "eastus"]),
    (13, "1.36.6", &["brazilsouth", "southeastasia"]),
    (20, "1.38.0", &[]),
];

pub(super) fn story() -> Story {
    let ring = |name: &str, at_once: &str| json!({ "name": name, "maxConcurrency": at_once });
    let dealt = |group: &str| json!({ "regions": REGIONS, "kubernetesVersion": "1.36.4", "groups": [group] });
    let stages = json!([
        { "name": "canary", "groups": [ring("canary", "100%")], "afterStageWaitInSeconds": 86_400 },
        { "name": "prod", "groups": [ring("prod", "3")] },
    ]);
    let mut calls = vec![
        fleet(REGIONS[0]),
        clusters("canary", 4, dealt("canary")),
        clusters("prod", 12, dealt("prod")),
        strategy("rings", &stages).telling("strategy rings: canary, a day of waiting, then prod"),
        profile("stable", "Stable", "rings").telling("auto-upgrade profile stable: channel Stable"),
    ];
    calls.extend(RELEASES.map(|(day, version, regions)| published(day, version, regions)));
    Story {
        title: "a month of releases on channel Stable, each rolled out by itself",
        scale: 86_400.0,
        ends: UpdateState::Completed,
        watch: fleet_path("/updateRuns"),
        calls,
    }
}

fn published(day: i64, version: &str, regions: &[&str]) -> Call {
    let at = to_rfc3339(begins() + TimeDelta::days(day));
    let mut body = json!({ "kind": "KubernetesVersion", "version": version, "at": at });
    let mut wheres = "everywhere".to_owned();
    if !regions.is_empty() {
        body["regions"] = json!(regions);
        wheres = format!("in {}", regions.join(", "));
    }
    release(body).telling(format!("Kubernetes {version} {wheres} on day {day}"))
}
