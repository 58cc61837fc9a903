//! `small`: 24 clusters in 4 regions, where everything goes well.

use serde_json::{Value, json};

use super::Story;
use super::calls::{clusters, fleet, full, run, run_path, strategy};
use crate::domain::update_run::state::UpdateState;

const REGIONS: [&str; 4] = ["westeurope", "eastus", "brazilsouth", "southeastasia"];
/// How long the run stands still after a stage.
const WAIT_SECONDS: u32 = 900;

pub(super) fn story() -> Story {
    let dealt = |groups: &[String]| json!({ "regions": REGIONS, "groups": groups });
    Story {
        title: "1.35 to 1.36 over 24 clusters in 4 regions, canary → early → prod",
        scale: 240.0,
        ends: UpdateState::Completed,
        watch: run_path(""),
        calls: vec![
            fleet(REGIONS[0]),
            clusters("canary", 4, dealt(&["canary".to_owned()])),
            clusters("early", 8, dealt(&REGIONS.map(|region| format!("early-{region}")))),
            clusters("prod", 12, dealt(&REGIONS.map(|region| format!("prod-{region}")))),
            strategy("careful", &stages())
                .telling("strategy careful: canary, then early, then prod, with waits between them"),
            run("careful", &full()),
        ],
    }
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
