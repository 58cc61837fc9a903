//! A long run for benchmarks: some simulated weeks with windows, waits, failures, and gates that a script approves.
//!
//! Bigger runs have more stages of the same shape, so that the cost a member can be compared between sizes. (In bigger
//! stages members wait longer, and every opening and closing of a window that passes them by is a change of its own.)

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::build::{daily, full, strategy, window};
use super::cluster::Cluster;
use super::{Event, World};
use crate::domain::update_run::state::UpdateState;

/// Members of a stage, as far as 50 stages suffice.
const STAGE: usize = 200;
/// Groups of a stage.
const GROUPS: usize = 4;

/// The world of a run over so many members, not started. Nothing is checked or written down in it.
pub fn world(members: usize) -> World {
    let stages = (members / STAGE).clamp(1, 50);
    let clusters = (0..members).map(|n| cluster(n, n % stages, n / stages % GROUPS)).collect();
    let mut world = World::new(full("1.36.4"), Some(&strategy(strategy_of(stages))), clusters);
    world.watched = false;
    world
}

/// Starts the run and sees it through to its end, approving twice a day; says how many ticks it took.
///
/// # Panics
/// Where it does not come to its end.
pub fn play(world: &mut World) -> usize {
    world.start();
    for _ in 0..2_000 {
        world.run_for(TimeDelta::hours(12));
        if world.run.status.state == UpdateState::Completed {
            return world.ticks;
        }
        if world.run.status.state == UpdateState::Pending {
            world.must(Event::Approve(usize::MAX));
        }
    }
    panic!("the run is still {:?}", world.run.status);
}

fn strategy_of(stages: usize) -> Value {
    let stage = |s: usize| {
        let groups = (0..GROUPS).map(|g| json!({"name": format!("s{s}g{g}"), "maxConcurrency": "10"}));
        json!({
            "name": format!("s{s}"),
            "maxConcurrency": "50",
            "maxAllowedFailures": "10%",
            "beforeGates": [{"type": "Approval"}],
            "afterStageWaitInSeconds": 86_400,
            "groups": groups.collect::<Vec<Value>>(),
        })
    };
    Value::Array((0..stages).map(stage).collect())
}

/// A third of them without a window, a third with a daily one, a third with a weekly one; one in two hundred fails, seven in a row.
fn cluster(n: usize, stage: usize, group: usize) -> Cluster {
    let mut cluster = Cluster::new(&format!("c{n:05}"))
        .group(&format!("s{stage}g{group}"))
        .region(["eastus", "westus2", "westeurope"][n % 3])
        .minutes(20 + (n * 7 % 61) as i64)
        .failing(u32::from(n / 7 % 200 == 11));
    match n / GROUPS % 3 {
        0 => {}
        1 => cluster = cluster.window(daily(&format!("{:02}:00", n * 5 % 24), 6)),
        _ => {
            let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
            cluster = cluster.window(window(json!({
                "schedule": {"weekly": {"intervalWeeks": 1, "dayOfWeek": days[n * 3 % 7]}},
                "durationHours": 8,
                "startDate": "2026-01-01",
                "startTime": format!("{:02}:30", n * 11 % 24),
            })));
        }
    }
    cluster
}
