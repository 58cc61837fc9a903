//! Random worlds: any fleet, strategy and course of events, from one number.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::build::{self, consistent, control_plane, custom, daily, full, images};
use super::cluster::{AZURE_LINUX, Cluster, UBUNTU};
use super::{Crash, Event, World};
use crate::domain::observed_cluster::PowerState;
use crate::domain::strategy::Strategy;
use crate::domain::update_run::skip::{SkipTarget, TargetType};
use crate::domain::update_run::state::Member;
use crate::domain::update_run::target::Target;

/// Throws that repeat with the seed (the SplitMix64 generator).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice that always fall the same way for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn throw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.throw() % n as u64) as usize
    }

    /// Yes once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn one_of<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}

/// A world of at most `size` clusters with a course of events ahead of it.
pub fn world(seed: u64, size: usize) -> World {
    let mut dice = Dice::new(seed);
    let clusters: Vec<Cluster> = (0..dice.below(size + 1)).map(|n| cluster(&mut dice, n)).collect();
    let strategy = (!dice.once_in(6)).then(|| strategy(&mut dice));
    let mut world = World::new(target(&mut dice), strategy.as_ref(), clusters);
    if dice.once_in(4) {
        let event = skip(&mut dice, size);
        world.later(TimeDelta::zero(), event);
    }
    world.later(TimeDelta::minutes(1), Event::Start);
    for _ in 0..dice.below(2 * size + 2) {
        let after = TimeDelta::minutes(1 + dice.below(3 * 24 * 60) as i64);
        let event = event(&mut dice, size, &world.clusters);
        world.later(after, event);
    }
    world
}

/// Crashes once in `often` ticks; with `late` it takes a while until somebody looks again.
pub fn crashes(seed: u64, often: usize, late: bool) -> super::Crashes {
    let mut dice = Dice::new(seed ^ 0xc4a5);
    Box::new(move |effects| {
        let recovery = TimeDelta::minutes(if late { 1 + dice.below(90) as i64 } else { 0 });
        dice.once_in(often).then(|| Crash { effects_done: dice.below(effects + 1), recovery })
    })
}

fn cluster(dice: &mut Dice, n: usize) -> Cluster {
    let versions = ["1.32.9", "1.33.7", "1.34.5", "1.35.3", "1.35.3", "1.35.3", "1.35.3", "1.36.4", "1.37.1"];
    let mut cluster = Cluster::new(&format!("c{n}"))
        .region(dice.one_of(&["eastus", "westus2", "westeurope"]))
        .version(dice.one_of(&versions))
        .image(dice.one_of(&["202610.05.0", "202611.02.0"]))
        .minutes(dice.one_of(&[5, 10, 10, 45, 600]))
        .label("tier", dice.one_of(&["dev", "prod"]));
    cluster.group = dice.one_of(&[None, Some("a"), Some("b"), Some("c")]).map(str::to_owned);
    if dice.once_in(3) {
        cluster = cluster.pool("extra", AZURE_LINUX, dice.one_of(&["202610.05.0", "202611.02.0"]));
    }
    if dice.once_in(12) {
        cluster = cluster.pool("win", "AKSWindows-2022-containerd", "20348.1.0");
    }
    if dice.once_in(8) {
        cluster = cluster.from_snapshot();
    }
    if dice.once_in(3) {
        cluster = cluster.window(daily(dice.one_of(&["00:00", "03:00", "12:00", "22:30"]), 4));
    }
    if dice.once_in(10) {
        cluster.observed.power = PowerState::Stopped;
    }
    cluster.failures = if dice.once_in(4) { 1 + dice.below(2) as u32 } else { 0 };
    cluster.observed.long_term_support = dice.once_in(3);
    cluster.observed.node_auto_provisioning = dice.once_in(15);
    cluster.unsupported = dice.once_in(20);
    cluster.deleted = dice.once_in(20);
    cluster.hangs = dice.once_in(30);
    if dice.once_in(10) {
        cluster.other_operation = Some(dice.once_in(2).then(|| build::at("2026-12-07T01:30:00Z")));
    }
    cluster
}

fn target(dice: &mut Dice) -> Target {
    let ubuntu = "AKSUbuntu-2204gen2containerd-202611.16.0";
    let mut target = match dice.below(9) {
        0 => images(),
        1 => consistent(images()),
        2 => custom(images(), &[ubuntu]),
        3 => control_plane("1.36.4"),
        4 => consistent(full("1.36.4")),
        5 => full("1.36.5"),
        6 => custom(full("1.36.4"), &[ubuntu]),
        _ => full("1.36.4"),
    };
    target.by_auto_upgrade = dice.once_in(6);
    target
}

fn strategy(dice: &mut Dice) -> Strategy {
    let stages = (0..1 + dice.below(3)).map(|n| stage(dice, n)).collect();
    build::strategy(Value::Array(stages))
}

fn stage(dice: &mut Dice, n: usize) -> Value {
    let mut stage = scope(dice, &format!("stage{n}"));
    let mut names = vec!["a", "b", "c"];
    let groups: Vec<Value> = (0..dice.below(4))
        .map(|_| {
            let name = names.remove(dice.below(names.len()));
            let mut group = scope(dice, name);
            if dice.once_in(4) {
                group["memberSelector"] = selector(dice);
            }
            group
        })
        .collect();
    if groups.is_empty() || dice.once_in(5) {
        stage["memberSelector"] = selector(dice);
    }
    if dice.once_in(3) {
        stage["afterStageWaitInSeconds"] = json!(dice.one_of(&[60, 7200, 86_400]));
    }
    stage["groups"] = Value::Array(groups);
    stage
}

/// What stages and groups have in common.
fn scope(dice: &mut Dice, name: &str) -> Value {
    let mut scope = json!({ "name": name });
    if !dice.once_in(4) {
        scope["maxConcurrency"] = json!(dice.one_of(&["1", "2", "3", "50", "25%", "50%", "100%"]));
    }
    if dice.once_in(2) {
        scope["maxAllowedFailures"] = json!(dice.one_of(&["", "0", "1", "2", "25%", "50%", "100%"]));
    }
    for list in ["beforeGates", "afterGates"] {
        let gates: Vec<Value> =
            (0..dice.below(6).saturating_sub(3)).map(|_| gate(dice, list == "beforeGates")).collect();
        scope[list] = Value::Array(gates);
    }
    scope
}

fn gate(dice: &mut Dice, may_be_scheduled: bool) -> Value {
    if !may_be_scheduled || dice.once_in(2) {
        return json!({ "type": "Approval" });
    }
    let day = dice.one_of(&["Monday", "Tuesday", "Sunday"]);
    json!({
        "type": "ScheduledStart",
        "scheduledStartConfiguration": { "startDay": day, "startTime": "06:00", "utcOffset": "+01:00" },
    })
}

fn selector(dice: &mut Dice) -> Value {
    json!({ "byLabel": dice.one_of(&["", "tier=dev", "tier!=dev", "tier in (dev,prod)", "absent"]) })
}

fn skip(dice: &mut Dice, size: usize) -> Event {
    let target = |dice: &mut Dice| {
        let (kind, name) = match dice.below(4) {
            0 => (TargetType::Member, format!("c{}", dice.below(size + 1))),
            1 => (TargetType::Group, dice.one_of(&["a", "b", "c", "default"]).to_owned()),
            2 => (TargetType::Stage, dice.one_of(&["stage0", "stage1", "stage2", "default"]).to_owned()),
            _ => (TargetType::AfterStageWait, dice.one_of(&["stage0", "stage1"]).to_owned()),
        };
        SkipTarget { kind, name }
    };
    Event::Skip((0..1 + dice.below(2)).map(|_| target(dice)).collect())
}

fn event(dice: &mut Dice, size: usize, clusters: &[Cluster]) -> Event {
    let on_run = match dice.below(8) {
        0 => Some(Event::Stop),
        1 => Some(Event::Start),
        2 => Some(skip(dice, size)),
        3 | 4 => Some(Event::Approve(1 + dice.below(3))),
        5 if dice.once_in(2) => Some(publication(dice)),
        _ => None,
    };
    if clusters.is_empty() {
        return on_run.unwrap_or(Event::Start);
    }
    on_run.unwrap_or_else(|| on_cluster(dice, dice.clone().one_of(clusters).name))
}

fn on_cluster(dice: &mut Dice, name: String) -> Event {
    match dice.below(7) {
        0 => Event::Power(name, PowerState::Stopped),
        1 => Event::Power(name, PowerState::Running),
        2 if dice.once_in(2) => Event::Delete(name),
        3 => Event::Leave(name),
        4 => Event::Abort(name),
        5 => Event::Window(name, (!dice.once_in(3)).then(|| daily("05:00", 4))),
        _ => Event::Busy(name, (!dice.once_in(3)).then(|| TimeDelta::minutes(90))),
    }
}

fn publication(dice: &mut Dice) -> Event {
    let region = dice.one_of(&["westus2", "westeurope", "eastus"]);
    let item = if dice.once_in(2) {
        json!({ "kind": "KubernetesVersion", "version": "1.36.5", "regions": [region] })
    } else {
        let version = dice.one_of(&["202611.16.0", "202612.01.0"]);
        json!({ "kind": "NodeImage", "version": format!("{UBUNTU}-{version}"), "regions": [region] })
    };
    Event::Publish(vec![serde_json::from_value(item).expect("an item in the contract's form")])
}

/// Takes away everything that keeps a run from its end, and starts and approves until it is there; `false` where it
/// does not get there.
pub fn lead_to_its_end(world: &mut World) -> bool {
    use crate::domain::update_run::state::UpdateState as S;
    world.run_out();
    let everywhere = ["1.36.4", "1.36.5"].map(|v| json!({ "kind": "KubernetesVersion", "version": v }));
    let windows = "AKSWindows-2022-containerd-20348.4297.261013".to_owned();
    let images = [format!("{UBUNTU}-202611.16.0"), format!("{AZURE_LINUX}-202611.02.0"), windows];
    let images = images.map(|image| json!({ "kind": "NodeImage", "version": image }));
    let items: Vec<_> = everywhere.into_iter().chain(images).collect();
    let items = serde_json::from_value(Value::Array(items)).expect("items in the contract's form");
    let names: Vec<String> = world.clusters.iter().map(|cluster| cluster.name.clone()).collect();
    for name in names {
        let cluster = world.cluster(&name);
        (cluster.failures, cluster.hangs) = (0, false);
        // In flight members of hanging clusters fail here, and are tried again below.
        for event in [Event::Abort(name.clone()), Event::Power(name, PowerState::Running)] {
            world.happen(event).expect("clusters refuse nothing");
        }
    }
    world.happen(Event::Publish(items)).expect("the catalogue refuses nothing");
    for _ in 0..100 {
        world.run_out();
        let _ = match world.run.status.state {
            S::Completed | S::Skipped => return true,
            S::Stopped | S::Failed | S::NotStarted => {
                // Whoever cannot be upgraded at all leaves the fleet, as an operator would have it.
                let members = &world.run.members;
                let hopeless = |m: &&Member| m.state() == S::Failed && m.operation.is_none();
                let hopeless: Vec<String> = members.iter().filter(hopeless).map(|m| m.name.clone()).collect();
                hopeless.iter().for_each(|name| world.cluster(name).left = true);
                world.happen(Event::Start)
            }
            _ => world.happen(Event::Approve(usize::MAX)),
        };
    }
    false
}
