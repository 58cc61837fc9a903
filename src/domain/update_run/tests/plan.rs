//! The plan: who runs where, and within which limits.

use rstest::rstest;
use serde_json::{Value, json};

use crate::domain::strategy::Strategy;
use crate::domain::update_run::state::UpdateState;
use crate::domain::update_run::testing::World;
use crate::domain::update_run::testing::build::*;
use crate::domain::update_run::testing::cluster::Cluster;

fn planned(stages: Value, clusters: Vec<Cluster>) -> World {
    World::new(full("1.36.4"), Some(&strategy(stages)), clusters)
}

/// `stage/group: member …`, with members that run elsewhere in brackets.
fn shape(world: &World) -> Vec<String> {
    let places =
        world.run.stages.iter().flat_map(|stage| stage.groups.iter().map(move |group| (stage, group)));
    let places = places.map(|(stage, group)| {
        let members = world.run.members_of(&group.members).iter().map(|member| match member.runs_elsewhere {
            true => format!("[{}]", member.name),
            false => member.name.clone(),
        });
        format!("{}/{}: {}", stage.name, group.name, members.collect::<Vec<_>>().join(" "))
    });
    places.collect()
}

fn in_group(group: &str, names: &[&str]) -> Vec<Cluster> {
    names.iter().map(|name| Cluster::new(name).group(group)).collect()
}

fn many(group: &str, n: usize) -> Vec<Cluster> {
    (0..n).map(|i| Cluster::new(&format!("{group}{i}")).group(group)).collect()
}

#[test]
fn without_a_strategy_there_is_one_stage_with_one_group_in_the_order_of_joining_one_by_one() {
    let world = World::new(full("1.36.4"), None, in_group("x", &["c", "a", "b"]));
    assert_eq!(shape(&world), ["default/default: c a b"]);
    let (stage, group) = (world.stage("default"), world.group("default"));
    assert_eq!((group.max_concurrency, group.max_allowed_failures, stage.max_allowed_failures), (1, 0, 0));
}

#[test]
fn members_of_a_named_group_stand_by_name_and_those_of_no_group_run_nowhere() {
    let mut clusters = in_group("a", &["m2", "m1"]);
    clusters.push(Cluster::new("alone"));
    clusters.push(Cluster::new("other").group("b"));
    let world = planned(json!([{"name": "s", "groups": [{"name": "a"}, {"name": "none"}]}]), clusters);
    assert_eq!(shape(&world), ["s/a: m1 m2", "s/none: "]);
}

#[test]
fn a_stage_selector_without_groups_makes_one_group_of_its_name_with_the_stages_limits() {
    let clusters = (0..8).map(|n| Cluster::new(&format!("m{n}")).label("tier", "dev")).collect();
    let stage = json!({"name": "dev", "memberSelector": {"byLabel": "tier=dev"},
        "maxConcurrency": "25%", "maxAllowedFailures": "50%"});
    let world = planned(json!([stage]), clusters);
    assert_eq!(shape(&world), ["dev/dev: m0 m1 m2 m3 m4 m5 m6 m7"]);
    let (stage, group) = (world.stage("dev"), world.group("dev"));
    assert_eq!((stage.max_concurrency, group.max_concurrency), (2, 2));
    assert_eq!((stage.max_allowed_failures, group.max_allowed_failures), (4, 4));
}

#[test]
fn an_implicit_group_without_limits_is_as_wide_as_a_stage() {
    let clusters = (0..60).map(|n| Cluster::new(&format!("m{n:02}"))).collect();
    let world = planned(json!([{"name": "all", "memberSelector": {"byLabel": ""}}]), clusters);
    assert_eq!(world.group("all").max_concurrency, 50);
}

#[test]
fn a_stage_selector_filters_before_names_and_a_group_selector_replaces_names() {
    let clusters = vec![
        Cluster::new("m1").group("a").label("tier", "prod"),
        Cluster::new("m2").group("a").label("tier", "dev"),
        Cluster::new("m3").group("z").label("tier", "prod").label("kind", "gpu"),
        Cluster::new("m4").group("z").label("tier", "dev").label("kind", "gpu"),
    ];
    let groups = json!([{"name": "a"}, {"name": "b", "memberSelector": {"byLabel": "kind=gpu"}}]);
    let stage = json!({"name": "s", "memberSelector": {"byLabel": "tier=prod"}, "groups": groups});
    assert_eq!(shape(&planned(json!([stage]), clusters)), ["s/a: m1", "s/b: m3"]);
}

#[test]
fn a_member_matched_twice_runs_in_the_first_place_and_later_ones_say_so() {
    let clusters = vec![Cluster::new("m1").group("a"), Cluster::new("m2").group("b")];
    let all = json!({"byLabel": ""});
    let stages = json!([
        {"name": "one", "groups": [{"name": "a"}, {"name": "every", "memberSelector": all}]},
        {"name": "two", "memberSelector": all, "maxAllowedFailures": "100%"},
    ]);
    let world = planned(stages, clusters);
    assert_eq!(shape(&world), ["one/a: m1", "one/every: [m1] m2", "two/two: [m1] [m2]"]);
    let shown = &world.run.members[1];
    assert_eq!(shown.state(), UpdateState::Skipped);
    assert_eq!(
        shown.message.as_deref(),
        Some("The member runs in an earlier place of this run: stage 'one', group 'a'.")
    );
    // Who runs elsewhere does not count where percentages are resolved.
    assert_eq!(world.stage("two").max_allowed_failures, 0);
}

#[test]
fn a_leaving_member_is_not_planned() {
    let clusters = vec![Cluster::new("a"), Cluster::new("b").but(|b| b.left = true)];
    assert_eq!(shape(&World::new(full("1.36.4"), None, clusters)), ["default/default: a"]);
}

fn limits(stage: Value, groups: &[(&str, usize, Value)]) -> (u32, Vec<u32>, u32, Vec<u32>) {
    let mut clusters = Vec::new();
    let mut specs = Vec::new();
    for (name, size, spec) in groups {
        clusters.extend(many(name, *size));
        let mut spec = spec.clone();
        spec["name"] = json!(name);
        specs.push(spec);
    }
    let mut stage = stage;
    stage["name"] = json!("s");
    stage["groups"] = json!(specs);
    let strategy: Strategy = strategy(json!([stage]));
    let world = World::new(full("1.36.4"), Some(&strategy), clusters);
    let stage = world.stage("s");
    (
        stage.max_concurrency,
        stage.groups.iter().map(|group| group.max_concurrency).collect(),
        stage.max_allowed_failures,
        stage.groups.iter().map(|group| group.max_allowed_failures).collect(),
    )
}

#[rstest]
#[case::defaults(json!({}), [json!({}), json!({})], 50, [1, 1])]
#[case::clamped_to_the_size(json!({}), [json!({"maxConcurrency": "40"}), json!({"maxConcurrency": "100%"})], 50, [8, 12])]
#[case::clamped_to_the_stage(json!({"maxConcurrency": "2"}), [json!({"maxConcurrency": "5"}), json!({})], 2, [2, 1])]
#[case::percentages_round_down(
    json!({"maxConcurrency": "33%"}), [json!({"maxConcurrency": "33%"}), json!({"maxConcurrency": "33%"})], 6, [2, 3])]
#[case::never_below_one(json!({"maxConcurrency": "1%"}), [json!({"maxConcurrency": "1%"}), json!({})], 1, [1, 1])]
fn concurrency_is_resolved_at_creation(
    #[case] stage: Value,
    #[case] groups: [Value; 2],
    #[case] of_stage: u32,
    #[case] of_groups: [u32; 2],
) {
    let [a, b] = groups;
    let (stage, groups, ..) = limits(stage, &[("a", 8, a), ("b", 12, b)]);
    assert_eq!((stage, groups), (of_stage, of_groups.to_vec()));
}

#[rstest]
#[case::not_set(json!({}), [json!({}), json!({})], 0, [0, 0])]
#[case::empty_is_not_set(json!({"maxAllowedFailures": ""}), [json!({"maxAllowedFailures": "2"}), json!({})], 2, [2, 0])]
#[case::only_the_stage(json!({"maxAllowedFailures": "3"}), [json!({}), json!({})], 3, [3, 3])]
#[case::only_the_groups(json!({}), [json!({"maxAllowedFailures": "25%"}), json!({"maxAllowedFailures": "1"})], 3, [2, 1])]
#[case::an_explicit_zero_is_strict(json!({"maxAllowedFailures": "0"}), [json!({"maxAllowedFailures": "2"}), json!({})], 0, [2, 0])]
#[case::percentages_round_up(
    json!({"maxAllowedFailures": "25%"}), [json!({"maxAllowedFailures": "25%"}), json!({"maxAllowedFailures": "25%"})], 5, [2, 3])]
fn failure_budgets_are_resolved_at_creation(
    #[case] stage: Value,
    #[case] groups: [Value; 2],
    #[case] of_stage: u32,
    #[case] of_groups: [u32; 2],
) {
    let [a, b] = groups;
    let (_, _, stage, groups) = limits(stage, &[("a", 7, a), ("b", 12, b)]);
    assert_eq!((stage, groups), (of_stage, of_groups.to_vec()));
}
