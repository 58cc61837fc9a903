//! Whole courses of runs as texts, a file each in `snapshots/`: the documentation's examples, every reason, every state.

use rstest::rstest;
use serde_json::{Value, json};

use crate::domain::observed_cluster::PowerState;
use crate::domain::update_run::state::UpdateState::{self, *};
use crate::domain::update_run::target::Target;
use crate::domain::update_run::testing::build::*;
use crate::domain::update_run::testing::cluster::Cluster;
use crate::domain::update_run::testing::{Event, World, diary};

/// Compares the diary and the end of a run with the text of this name.
fn golden(name: &str, about: &str, world: &World) {
    let text = format!("{}\n\n{}", world.diary.join("\n"), diary::summary(&world.run).join("\n"));
    compare(name, about, &text);
}

fn compare(name: &str, about: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description(about);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// Clusters named by their group and a number, whose upgrades take 10, 11, 12 … minutes.
fn fleet(groups: &[(&str, usize)]) -> Vec<Cluster> {
    let names = groups.iter().flat_map(|(group, n)| (1..=*n).map(move |i| (group, i)));
    names
        .zip(10..)
        .map(|((group, i), takes)| Cluster::new(&format!("{group}{i:02}")).group(group).minutes(takes))
        .collect()
}

fn with_limits(key: &str, stage: Option<&str>, a: Option<&str>, b: Option<&str>) -> Value {
    let scope = |name: &str, limit: Option<&str>| {
        let mut scope = json!({ "name": name });
        if let Some(limit) = limit {
            scope[key] = json!(limit);
        }
        scope
    };
    let mut stage = scope("stage", stage);
    stage["groups"] = json!([scope("A", a), scope("B", b)]);
    json!([stage])
}

fn played(target: Target, stages: Value, clusters: Vec<Cluster>) -> World {
    let mut world = World::new(target, Some(&strategy(stages)), clusters);
    world.start();
    world.run_out();
    world
}

#[test]
fn concurrency_example_1_fixed_limits() {
    let stages = with_limits("maxConcurrency", Some("4"), Some("2"), Some("2"));
    let world = played(full("1.36.4"), stages, fleet(&[("A", 4), ("B", 4)]));
    golden("concurrency_1_fixed_limits", "Up to four clusters at once, at most two a group.", &world);
}

#[test]
fn concurrency_example_2_the_stage_limits_its_groups() {
    let stages = with_limits("maxConcurrency", Some("2"), Some("5"), Some("5"));
    let world = played(full("1.36.4"), stages, fleet(&[("A", 3), ("B", 3)]));
    golden(
        "concurrency_2_stage_limits_groups",
        "Only two clusters at once: the stage's limit comes first.",
        &world,
    );
}

#[test]
fn concurrency_example_3_percentages() {
    let stages = with_limits("maxConcurrency", Some("25%"), Some("25%"), Some("25%"));
    let world = played(full("1.36.4"), stages, fleet(&[("A", 8), ("B", 12)]));
    golden(
        "concurrency_3_percentages",
        "Twenty clusters, 8 and 12: five at once, two of A and three of B.",
        &world,
    );
}

#[test]
fn failures_example_1_fixed_limits() {
    let stages = with_limits("maxAllowedFailures", Some("5"), Some("2"), Some("3"));
    let failing = |clusters: Vec<Cluster>, a: &str| {
        clusters
            .into_iter()
            .map(|c| {
                let fails = c.name.as_str() <= a || c.name.starts_with('B');
                if fails { c.failing(1) } else { c }
            })
            .collect()
    };
    let world = played(full("1.36.4"), stages.clone(), failing(fleet(&[("A", 4), ("B", 3)]), "A02"));
    golden("failures_1_within_fixed_limits", "A tolerates two failures, B three, the stage five.", &world);
    let world = played(full("1.36.4"), stages, failing(fleet(&[("A", 4), ("B", 3)]), "A03"));
    golden(
        "failures_1_beyond_fixed_limits",
        "The third failure in A is one too many: the run stops.",
        &world,
    );
}

#[test]
fn failures_example_2_percentages() {
    let stages = with_limits("maxAllowedFailures", Some("25%"), Some("25%"), Some("25%"));
    let clusters = fleet(&[("A", 7), ("B", 12)]).into_iter();
    let clusters =
        clusters.map(|c| if c.name.as_str() > "B09" || c.name == "A01" { c.failing(1) } else { c });
    let world = played(full("1.36.4"), stages, clusters.collect());
    golden(
        "failures_2_percentages",
        "Nineteen clusters, 7 and 12, a quarter may fail, rounded up: 5, 2 and 3.",
        &world,
    );
}

#[test]
fn completed_with_no_success_at_all() {
    let stages = json!([{"name": "stage", "groups": [{"name": "A", "maxAllowedFailures": "4"}]}]);
    let clusters = fleet(&[("A", 4)]).into_iter().map(|c| c.failing(1)).collect();
    golden(
        "completed_with_0_percent_success",
        "Four failures equal the tolerance.",
        &played(full("1.36.4"), stages, clusters),
    );
}

fn c() -> Cluster {
    Cluster::new("c")
}

fn busy(until: Option<&str>) -> Cluster {
    c().but(|c| c.other_operation = Some(until.map(at)))
}

#[rstest]
#[case::window("window_closed", full("1.36.4"), c().window(daily("12:00", 4)))]
#[case::version("version_comes", full("1.36.5"), c().region("westus2"))]
#[case::version_unknown("version_not_known_to_come", full("1.36.5"), c().region("westeurope"))]
#[case::image("image_not_available", custom(images(), &["AKSUbuntu-2204gen2containerd-202611.16.0"]), c().region("westus2"))]
#[case::busy("operation_in_progress", full("1.36.4"), busy(Some("2026-12-07T01:00:00Z")))]
#[case::busy_unknown("operation_without_end", full("1.36.4"), busy(None))]
fn each_reason_to_wait(#[case] name: &str, #[case] target: Target, #[case] cluster: Cluster) {
    let mut world = World::new(target, None, vec![cluster]);
    world.start();
    world.run_out();
    golden(
        &format!("pending_{name}"),
        "A member waits and, where the reason goes away, starts by itself.",
        &world,
    );
}

#[rstest]
#[case::there("already_there", full("1.36.4"), c().version("1.36.4").image("202611.16.0"))]
#[case::no_target("no_consistent_image", consistent(images()), c().region("westeurope").pool("w", "AKSWindows-2022-containerd", "1.0"))]
#[case::no_family("no_custom_image", custom(images(), &["AKSAzureLinux-V3gen2-202611.02.0"]), c())]
#[case::arc("unsupported_kind", full("1.36.4"), c().but(|c| c.unsupported = true))]
#[case::provisioned("auto_provisioning", full("1.36.4"), c().but(|c| c.observed.node_auto_provisioning = true))]
#[case::behind("too_far_behind_for_auto_upgrade", Target { by_auto_upgrade: true, ..full("1.36.4") }, c().version("1.34.5"))]
fn each_reason_to_skip(#[case] name: &str, #[case] target: Target, #[case] cluster: Cluster) {
    let mut world = World::new(target, None, vec![cluster]);
    world.start();
    world.run_out();
    golden(&format!("skipped_{name}"), "A member is skipped when it is judged.", &world);
}

#[test]
fn skipped_by_request_and_left_the_fleet() {
    let stages = json!([
        {"name": "one", "groups": [{"name": "A"}, {"name": "B"}, {"name": "C"}], "afterStageWaitInSeconds": 3600},
        {"name": "two", "groups": [{"name": "D"}]},
    ]);
    let clusters = fleet(&[("A", 2), ("B", 2), ("C", 2), ("D", 1)]);
    let mut world = World::new(full("1.36.4"), Some(&strategy(stages)), clusters);
    world.start();
    world.minutes(1);
    world.skip(&[member("A02"), group("B"), stage("two")]);
    world.must(Event::Leave("C01".to_owned()));
    world.must(Event::Leave("C02".to_owned()));
    world.minutes(30);
    world.skip(&[wait_after("one")]);
    golden(
        "skipped_by_request_and_left",
        "A member, a group, a stage and a wait are skipped; two members leave.",
        &world,
    );
}

#[test]
fn a_strategy_with_everything() {
    let approval = json!([{"type": "Approval", "displayName": "looks good"}]);
    let schedule = json!({"startDay": "Wednesday", "startTime": "06:00", "utcOffset": "+01:00"});
    let stages = json!([
        {"name": "canary", "groups": [{"name": "A", "afterGates": approval}], "afterStageWaitInSeconds": 7200},
        {"name": "production", "maxConcurrency": "2", "maxAllowedFailures": "1",
         "beforeGates": [{"type": "Approval"}, {"type": "ScheduledStart", "scheduledStartConfiguration": schedule}],
         "groups": [{"name": "B", "maxConcurrency": "2", "beforeGates": approval}, {"name": "C"}],
         "afterGates": approval},
    ]);
    let mut clusters = fleet(&[("A", 1), ("B", 3), ("C", 2)]);
    clusters[1] = clusters[1].clone().window(daily("22:00", 4));
    clusters[4] = clusters[4].clone().failing(1);
    let mut world = World::new(consistent(full("1.36.4")), Some(&strategy(stages)), clusters);
    world.start();
    for _ in 0..6 {
        world.minutes(12 * 60);
        world.approve();
    }
    world.run_out();
    golden(
        "a_strategy_with_everything",
        "Gates of both kinds, a wait, a window, a tolerated failure.",
        &world,
    );
}

#[test]
fn breach_and_restart() {
    let stages = json!([
        {"name": "one", "groups": [{"name": "A", "maxConcurrency": "2"}, {"name": "B"}]},
        {"name": "two", "groups": [{"name": "C"}]},
    ]);
    let mut clusters = fleet(&[("A", 3), ("B", 2), ("C", 1)]);
    clusters[0] = clusters[0].clone().minutes(5).failing(1);
    let mut world = World::new(full("1.36.4"), Some(&strategy(stages)), clusters);
    world.start();
    world.minutes(60);
    world.start();
    world.run_out();
    golden(
        "breach_and_restart",
        "A failure while others are in flight; the next start tries it again.",
        &world,
    );
}

#[test]
fn stop_and_restart() {
    let stages = json!([{"name": "one", "groups": [{"name": "A", "maxConcurrency": "2"}], "afterStageWaitInSeconds": 3600}]);
    let mut clusters = fleet(&[("A", 4)]);
    clusters[1] = clusters[1].clone().but(|c| c.other_operation = Some(None));
    let mut world = World::new(full("1.36.4"), Some(&strategy(stages)), clusters);
    world.start();
    world.minutes(5);
    world.stop();
    world.minutes(60);
    world.must(Event::Abort("A02".to_owned()));
    world.start();
    world.minutes(45);
    world.stop();
    world.minutes(120);
    world.start();
    golden(
        "stop_and_restart",
        "Stopped with upgrades in flight, and again in the wait, which goes on and ends meanwhile.",
        &world,
    );
}

#[test]
fn deleted_aborted_powered_off() {
    let stages = json!([{"name": "one", "groups": [{"name": "A", "maxConcurrency": "3", "maxAllowedFailures": "100%"}]}]);
    let mut world = World::new(full("1.36.4"), Some(&strategy(stages)), fleet(&[("A", 5)]));
    world.start();
    world.minutes(1);
    world.must(Event::Power("A05".to_owned(), PowerState::Stopped));
    world.must(Event::Delete("A01".to_owned()));
    world.must(Event::Abort("A02".to_owned()));
    world.run_out();
    golden(
        "deleted_aborted_powered_off",
        "What happens to clusters in flight and before their turn.",
        &world,
    );
}

/// A run in each of its states.
fn in_state(state: UpdateState) -> World {
    let stages = json!([{"name": "s", "groups": [{"name": "a"}], "afterStageWaitInSeconds": 60}]);
    let a1 = Cluster::new("a1").group("a");
    let a1 = match state {
        Failed => a1.failing(1),
        Pending => a1.but(|c| c.other_operation = Some(None)),
        Skipped => a1.version("1.36.4").image("202611.16.0"),
        _ => a1,
    };
    let mut world = World::new(full("1.36.4"), Some(&strategy(stages)), vec![a1]);
    if state != NotStarted {
        world.start();
    }
    if matches!(state, Stopping | Stopped) {
        world.stop();
    }
    if !matches!(state, Running | Stopping) {
        world.run_out();
    }
    world
}

#[test]
fn each_action_in_each_state() {
    let mut lines = Vec::new();
    for state in [NotStarted, Running, Pending, Stopping, Stopped, Skipped, Failed, Completed] {
        let actions = [
            Event::Start,
            Event::Stop,
            Event::Skip(vec![member("a1")]),
            Event::Skip(vec![group("a")]),
            Event::Skip(vec![stage("s")]),
            Event::Skip(vec![wait_after("s")]),
        ];
        for action in actions {
            let mut world = in_state(state);
            let what = diary::words(&action);
            let result = match world.happen(action) {
                Ok(()) => format!("run {:?}, a1 {:?}", world.run.status.state, world.state("a1")),
                Err(refusal) => format!("{:?}: {}", refusal.code, refusal.message),
            };
            lines.push(format!("{state:?}: {what} → {result}"));
        }
    }
    compare(
        "each_action_in_each_state",
        "What each action leads to in each state of a run.",
        &lines.join("\n"),
    );
}
