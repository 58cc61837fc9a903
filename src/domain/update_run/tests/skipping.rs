//! Skipping members, groups, stages and waits.

use rstest::rstest;
use serde_json::{Value, json};

use crate::domain::refusal::Code;
use crate::domain::update_run::skip::SkipTarget;
use crate::domain::update_run::state::UpdateState::{self, *};
use crate::domain::update_run::testing::build::*;
use crate::domain::update_run::testing::cluster::Cluster;
use crate::domain::update_run::testing::{Event, World};

fn gate() -> Value {
    json!([{"type": "Approval"}])
}

/// Two stages with gates and a wait; the letter of a member says its group.
fn run() -> World {
    run_of(&["a1", "a2", "b1", "c1"])
}

fn run_of(names: &[&str]) -> World {
    let groups = json!([{"name": "a", "beforeGates": gate(), "afterGates": gate()}, {"name": "b"}]);
    let stages = json!([
        {"name": "s", "groups": groups, "afterGates": gate(), "afterStageWaitInSeconds": 600},
        {"name": "t", "beforeGates": gate(), "groups": [{"name": "c", "beforeGates": gate()}]},
    ]);
    let clusters = names.iter().map(|name| Cluster::new(name).group(&name[..1])).collect();
    World::new(full("1.36.4"), Some(&strategy(stages)), clusters)
}

fn gates(world: &World) -> Vec<UpdateState> {
    world.run.gates().map(|(_, gate)| gate.status.state).collect()
}

#[test]
fn a_skipped_member_has_an_end_and_no_beginning() {
    let mut world = run();
    world.start();
    world.minutes(3);
    world.skip(&[member("a1")]);
    let status = &world.member("a1").status;
    assert_eq!((status.state, status.start_time, status.completed_time), (Skipped, None, Some(world.now)));
    assert_eq!(world.message("a1"), "skipped by request.");
}

#[test]
fn a_skipped_group_drops_its_gates_and_its_siblings_go_on() {
    let mut world = run();
    world.start();
    world.skip(&[group("a")]);
    assert_eq!((world.group("a").status.state, world.in_flight()), (Skipped, vec!["b1"]));
    // Of stage s: its after-gate; of a: before and after; of stage t: before, and that of c.
    assert_eq!(gates(&world), [NotStarted, Skipped, Skipped, NotStarted, NotStarted]);
}

#[test]
fn members_in_flight_of_a_skipped_group_end_first() {
    let mut world = run();
    world.start();
    world.approve();
    assert_eq!(world.in_flight(), ["a1", "b1"]);
    world.skip(&[group("a")]);
    assert_eq!([world.state("a1"), world.state("a2")], [Running, Skipped]);
    assert_eq!(world.group("a").status.state, Running);
    world.minutes(10);
    assert_eq!(world.group("a").status.state, Completed);
    assert_eq!(gates(&world)[..3], [Pending, Completed, Skipped]);
}

#[test]
fn a_skipped_stage_drops_gates_and_wait_and_the_next_one_begins() {
    let mut world = run();
    world.start();
    world.skip(&[stage("s")]);
    world.minutes(10);
    assert_eq!(world.stage("s").status.state, Completed);
    assert_eq!(world.stage("s").wait.as_ref().unwrap().status.state, Skipped);
    assert_eq!(gates(&world), [Skipped, Skipped, Skipped, Pending, NotStarted]);
}

#[test]
fn a_stage_that_is_skipped_before_its_turn_reads_so_at_once() {
    let mut world = run();
    world.start();
    world.skip(&[stage("t")]);
    assert_eq!([world.stage("t").status.state, world.group("c").status.state], [Skipped; 2]);
    assert_eq!(gates(&world)[3..], [Skipped, Skipped]);
}

#[test]
fn a_stage_whose_members_are_all_skipped_before_its_turn_is_not_waited_for() {
    let mut world = run();
    world.start();
    world.skip(&[member("c1")]);
    assert_eq!([world.stage("t").status.state, world.group("c").status.state], [Skipped; 2]);
    assert_eq!(gates(&world)[3..], [Skipped, Skipped]);
}

#[test]
fn a_skipped_wait_lets_the_next_stage_begin_as_soon_as_the_gates_are_over() {
    let mut world = run();
    world.start();
    world.skip(&[group("a"), wait_after("s")]);
    world.minutes(10);
    assert_eq!(world.stage("s").status.state, Pending);
    world.approve();
    assert_eq!(world.stage("s").status.state, Completed);
    assert_eq!(world.stage("s").wait.as_ref().unwrap().status.state, Skipped);
}

#[test]
fn a_running_wait_can_be_skipped() {
    let mut world = run();
    world.start();
    world.skip(&[group("a")]);
    world.minutes(10);
    assert_eq!(world.stage("s").wait.as_ref().unwrap().status.state, Running);
    world.skip(&[wait_after("s")]);
    assert_eq!(world.stage("s").wait.as_ref().unwrap().status.state, Skipped);
}

#[test]
fn before_the_start_groups_and_stages_roll_up_at_once_and_the_run_stays() {
    let mut world = run();
    world.skip(&[member("a1"), member("a2"), stage("t")]);
    assert_eq!([world.group("a").status.state, world.stage("t").status.state], [Skipped; 2]);
    assert_eq!([world.run.status.state, world.stage("s").status.state], [NotStarted; 2]);
    world.skip(&[group("b")]);
    assert_eq!((world.stage("s").status.state, world.run.status.state), (Skipped, NotStarted));
    world.start();
    assert_eq!(world.run.status.state, Skipped);
}

#[test]
fn a_failed_member_that_a_start_would_try_again_can_be_skipped_and_leaves_the_count() {
    let mut world = run();
    world.cluster("b1").failures = 1;
    world.start();
    world.minutes(10);
    assert_eq!((world.run.status.state, world.run.failures(&world.group("b").members)), (Failed, 1));
    world.skip(&[member("b1")]);
    assert_eq!((world.state("b1"), world.run.failures(&world.group("b").members)), (Skipped, 0));
    assert_eq!(world.run.status.state, Failed);
    assert!(world.run.status.error.as_ref().unwrap().message.contains("skipped since"));
    world.start();
    assert_eq!((world.group("b").status.state, world.run.status.state), (Skipped, Pending));
}

#[test]
fn a_skip_in_a_failed_run_leaves_alone_what_it_does_not_name() {
    let mut world = run_of(&["b1", "b2", "c1"]);
    world.cluster("b1").failures = 1;
    world.start();
    world.minutes(10);
    assert_eq!(world.group("b").status.state, Failed);
    world.skip(&[stage("t")]);
    assert_eq!((world.group("b").status.state, world.state("b1")), (Failed, Failed));
    world.start();
    assert_eq!(world.in_flight(), ["b1"]);
}

#[test]
fn a_skip_in_a_stopped_run_does_not_drop_gates_it_does_not_name() {
    let stages = json!([
        {"name": "s", "groups": [{"name": "a", "afterGates": gate()}]},
        {"name": "t", "groups": [{"name": "b"}]},
    ]);
    let there = Cluster::new("a1").group("a").version("1.36.4").image("202611.16.0");
    let clusters = vec![there, Cluster::new("b1").group("b")];
    let mut world = World::new(full("1.36.4"), Some(&strategy(stages)), clusters);
    world.start();
    world.stop();
    assert_eq!(gates(&world), [Pending]);
    world.skip(&[member("b1")]);
    assert_eq!(gates(&world), [Pending]);
    world.start();
    assert_eq!(world.run.status.state, Pending);
}

#[test]
fn a_group_name_that_stands_in_several_stages_hits_them_all() {
    let all = json!({"byLabel": ""});
    let stages = json!([
        {"name": "s", "memberSelector": {"byLabel": "x"}, "groups": [{"name": "a", "memberSelector": all}]},
        {"name": "t", "memberSelector": {"byLabel": "!x"}, "groups": [{"name": "a", "memberSelector": all}]},
    ]);
    let clusters = vec![Cluster::new("m1").label("x", ""), Cluster::new("m2")];
    let mut world = World::new(full("1.36.4"), Some(&strategy(stages)), clusters);
    world.skip(&[group("A")]);
    assert_eq!([world.state("m1"), world.state("m2")], [Skipped; 2]);
}

#[rstest]
#[case::in_flight(&[member("b1")], Code::OperationNotAllowed, "targets[0]")]
#[case::unknown_member(&[member("nobody")], Code::InvalidParameter, "targets[0].name")]
#[case::unknown_group(&[group("z")], Code::InvalidParameter, "targets[0].name")]
#[case::unknown_stage(&[stage("z")], Code::InvalidParameter, "targets[0].name")]
#[case::no_wait(&[wait_after("t")], Code::InvalidParameter, "targets[0].name")]
#[case::unknown_before_in_flight(&[member("b1"), group("z")], Code::InvalidParameter, "targets[1].name")]
#[case::all_or_none(&[group("a"), member("b1")], Code::OperationNotAllowed, "targets[1]")]
fn targets_that_cannot_be_skipped_are_refused_and_nothing_changes(
    #[case] targets: &[SkipTarget],
    #[case] code: Code,
    #[case] target: &str,
) {
    let mut world = run();
    world.start();
    let before = world.run.clone();
    let refusal = world.happen(Event::Skip(targets.to_vec())).unwrap_err();
    assert_eq!((refusal.code, refusal.target.as_deref()), (code, Some(target)));
    assert_eq!(world.run, before);
}

#[test]
fn what_has_ended_cannot_be_skipped() {
    let mut world = run_of(&["b1", "c1"]);
    world.start();
    world.minutes(10);
    world.approve();
    world.minutes(10);
    assert_eq!(world.stage("s").status.state, Completed);
    for target in [member("b1"), group("b"), group("a"), stage("s"), wait_after("s")] {
        let refusal = world.happen(Event::Skip(vec![target.clone()])).unwrap_err();
        assert_eq!(refusal.code, Code::OperationNotAllowed, "{target:?}");
        assert!(refusal.message.contains(&target.name), "{}", refusal.message);
    }
}
