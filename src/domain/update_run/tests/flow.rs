//! The flow of a started run: stages, groups, gates, waits.

use serde_json::{Value, json};

use crate::domain::update_run::state::UpdateState::{self, *};
use crate::domain::update_run::testing::build::*;
use crate::domain::update_run::testing::cluster::Cluster;
use crate::domain::update_run::testing::{Event, World};

fn approval() -> Value {
    json!({"type": "Approval"})
}

/// Tuesdays at six.
fn scheduled() -> Value {
    let schedule = json!({"startDay": "Tuesday", "startTime": "06:00", "utcOffset": "+00:00"});
    json!({"type": "ScheduledStart", "scheduledStartConfiguration": schedule})
}

/// A cluster a name, in the group that its first letter says.
fn run(stages: Value, names: &[&str]) -> World {
    let clusters = names.iter().map(|name| Cluster::new(name).group(&name[..1])).collect();
    World::new(full("1.36.4"), Some(&strategy(stages)), clusters)
}

fn gates(world: &World) -> Vec<UpdateState> {
    world.run.gates().map(|(_, gate)| gate.status.state).collect()
}

#[test]
fn stages_run_one_after_the_other_and_the_groups_of_a_stage_side_by_side() {
    let stages = json!([{"name": "one", "groups": [{"name": "a"}, {"name": "b"}]}, {"name": "two", "groups": [{"name": "c"}]}]);
    let mut world = run(stages, &["a1", "a2", "b1", "c1"]);
    world.start();
    assert_eq!(world.in_flight(), ["a1", "b1"]);
    world.minutes(10);
    assert_eq!(world.in_flight(), ["a2"]);
    assert_eq!((world.group("b").status.state, world.stage("two").status.state), (Completed, NotStarted));
    world.minutes(10);
    assert_eq!(world.in_flight(), ["c1"]);
    world.run_out();
    assert_eq!(world.run.status.completed_time, Some(at("2026-12-07T00:30:00Z")));
}

#[test]
fn a_gate_is_made_when_it_is_reached_and_not_before() {
    let stages = json!([
        {"name": "one", "beforeGates": [approval()], "groups": [{"name": "a", "beforeGates": [approval()], "afterGates": [approval()]}],
         "afterGates": [approval()]},
        {"name": "two", "beforeGates": [approval()], "groups": [{"name": "b"}]},
    ]);
    let mut world = run(stages, &["a1", "b1"]);
    assert!(world.run.gates().all(|(_, gate)| gate.id.is_none()));
    // In the order of `gates`: before and after of stage one, before and after of a, before of stage two.
    let mut seen = Vec::new();
    world.start();
    for _ in 0..5 {
        seen.push(gates(&world));
        assert_eq!(world.run.gates().filter(|(_, gate)| gate.id.is_some()).count(), seen.len());
        assert_eq!(world.run.status.state, Pending);
        assert_eq!(world.run.status.error.as_ref().unwrap().code, "WaitingForApproval");
        world.approve();
        world.minutes(10);
    }
    assert_eq!(
        seen,
        [
            [Pending, NotStarted, NotStarted, NotStarted, NotStarted],
            [Completed, NotStarted, Pending, NotStarted, NotStarted],
            [Completed, NotStarted, Completed, Pending, NotStarted],
            [Completed, Pending, Completed, Completed, NotStarted],
            [Completed, Completed, Completed, Completed, Pending],
        ]
    );
    assert_eq!(world.run.status.state, Completed);
}

#[test]
fn the_gate_of_one_group_does_not_hold_its_siblings() {
    let stages =
        json!([{"name": "s", "groups": [{"name": "a", "beforeGates": [approval()]}, {"name": "b"}]}]);
    let mut world = run(stages, &["a1", "b1"]);
    world.start();
    assert_eq!(world.in_flight(), ["b1"]);
    assert_eq!(world.states("s", "a"), [Running, Running, Pending]);
    world.minutes(10);
    assert_eq!(world.group("b").status.state, Completed);
    assert_eq!(world.states("s", "a"), [Pending; 3]);
}

#[test]
fn all_gates_of_a_list_are_reached_at_once_and_all_must_be_over() {
    let stages = json!([{"name": "s", "beforeGates": [approval(), approval()], "groups": [{"name": "a"}]}]);
    let mut world = run(stages, &["a1"]);
    world.start();
    assert_eq!(gates(&world), [Pending, Pending]);
    world.must(Event::Approve(1));
    assert_eq!((gates(&world), world.run.status.state), (vec![Completed, Pending], Pending));
    world.must(Event::Approve(1));
    assert_eq!(world.in_flight(), ["a1"]);
}

#[test]
fn a_scheduled_start_opens_by_itself_exactly_then_or_earlier_when_completed() {
    let stages = json!([{"name": "s", "beforeGates": [scheduled()], "groups": [{"name": "a"}]}]);
    let mut world = run(stages.clone(), &["a1"]);
    world.start();
    let error = world.run.status.error.clone().unwrap();
    assert_eq!(error.code, "WaitingForScheduledStart");
    assert!(error.message.contains("2026-12-08T06:00:00Z"), "{}", error.message);
    world.run_out();
    assert_eq!(world.member("a1").status.start_time, Some(at("2026-12-08T06:00:00Z")));

    let mut world = run(stages, &["a1"]);
    world.start();
    world.minutes(5);
    world.approve();
    assert_eq!(world.member("a1").status.start_time, Some(at("2026-12-07T00:05:00Z")));
}

#[test]
fn a_schedule_that_passed_before_the_approval_beside_it_does_not_come_again() {
    let stages = json!([{"name": "s", "beforeGates": [approval(), scheduled()], "groups": [{"name": "a"}]}]);
    let mut world = run(stages, &["a1"]);
    world.start();
    world.minutes(3 * 24 * 60);
    assert_eq!(gates(&world), [Pending, Completed]);
    world.approve();
    assert_eq!(world.in_flight(), ["a1"]);
}

fn gate_beside_wait() -> World {
    let stages = json!([
        {"name": "s", "groups": [{"name": "a"}], "afterGates": [approval()], "afterStageWaitInSeconds": 3600},
        {"name": "t", "groups": [{"name": "b"}]},
    ]);
    let mut world = run(stages, &["a1", "b1"]);
    world.start();
    world.minutes(10);
    world
}

#[test]
fn after_gates_and_the_wait_run_side_by_side_from_the_end_of_the_last_group() {
    let mut world = gate_beside_wait();
    let wait = world.stage("s").wait.clone().unwrap();
    assert_eq!((gates(&world), wait.status.state), (vec![Pending], Running));
    assert_eq!(wait.status.start_time, world.group("a").status.completed_time);
    // A Pending gate wins over the running wait.
    assert_eq!(world.states("s", "a"), [Pending, Pending, Completed]);
    world.minutes(30);
    world.approve();
    assert_eq!(world.states("s", "a"), [Running, Running, Completed]);
    world.run_out();
    assert_eq!(world.stage("s").status.completed_time, Some(at("2026-12-07T01:10:00Z")));
    assert_eq!(world.member("b1").status.start_time, Some(at("2026-12-07T01:10:00Z")));
}

#[test]
fn an_after_gate_holds_the_stage_when_the_wait_is_over() {
    let mut world = gate_beside_wait();
    world.minutes(120);
    let wait = world.stage("s").wait.clone().unwrap();
    assert_eq!(
        (wait.status.state, wait.status.completed_time),
        (Completed, Some(at("2026-12-07T01:10:00Z")))
    );
    assert_eq!(world.run.status.state, Pending);
    world.approve();
    assert_eq!(world.in_flight(), ["b1"]);
}

#[test]
fn the_last_stage_waits_too() {
    let stages = json!([{"name": "s", "groups": [{"name": "a"}], "afterStageWaitInSeconds": 600}]);
    let mut world = run(stages, &["a1"]);
    world.start();
    world.minutes(15);
    assert_eq!(world.states("s", "a"), [Running, Running, Completed]);
    world.run_out();
    assert_eq!(world.run.status.completed_time, Some(at("2026-12-07T00:20:00Z")));
}

#[test]
fn a_group_without_members_is_skipped_with_its_gates_when_its_stage_is_reached() {
    let stages = json!([
        {"name": "s", "beforeGates": [approval()], "groups": [{"name": "x", "beforeGates": [approval()]}, {"name": "a"}]},
    ]);
    let mut world = run(stages, &["a1"]);
    world.start();
    assert_eq!(world.group("x").status.state, NotStarted);
    world.approve();
    assert_eq!(world.group("x").status.state, Skipped);
    assert_eq!(gates(&world), [Completed, Skipped]);
}

#[test]
fn a_stage_without_members_is_skipped_at_once_with_gates_and_wait() {
    let stages = json!([
        {"name": "s", "beforeGates": [approval()], "afterGates": [approval()], "afterStageWaitInSeconds": 86_400, "groups": [{"name": "x"}]},
        {"name": "t", "groups": [{"name": "a"}]},
    ]);
    let mut world = run(stages, &["a1"]);
    world.start();
    assert_eq!((world.stage("s").status.state, gates(&world)), (Skipped, vec![Skipped, Skipped]));
    assert_eq!(world.stage("s").wait.as_ref().unwrap().status.state, Skipped);
    assert_eq!(world.in_flight(), ["a1"]);
}

#[test]
fn where_all_members_turn_out_to_be_there_after_gates_and_wait_still_run() {
    let stages = json!([
        {"name": "s", "groups": [{"name": "a"}], "afterGates": [approval()], "afterStageWaitInSeconds": 600},
    ]);
    let there = Cluster::new("a1").group("a").version("1.36.4").image("202611.16.0");
    let mut world = World::new(full("1.36.4"), Some(&strategy(stages)), vec![there]);
    world.start();
    assert_eq!(world.states("s", "a"), [Pending, Pending, Skipped]);
    world.approve();
    assert_eq!(world.states("s", "a"), [Running, Running, Skipped]);
    world.run_out();
    assert_eq!(world.states("s", "a"), [Skipped; 3]);
}

#[test]
fn a_run_without_members_is_skipped_when_started() {
    let mut world = World::new(full("1.36.4"), None, Vec::new());
    assert_eq!(world.run.status.state, NotStarted);
    world.start();
    assert_eq!(world.states("default", "default"), [Skipped; 3]);
}

#[test]
fn times_are_those_of_the_first_judgement_and_of_the_end() {
    let stages = json!([{"name": "s", "beforeGates": [approval()], "groups": [{"name": "a"}]}]);
    let mut world = run(stages, &["a1", "a2"]);
    world.start();
    assert_eq!(world.run.status.start_time, Some(at("2026-12-07T00:00:00Z")));
    assert_eq!(world.stage("s").status.start_time, None);
    world.minutes(5);
    world.approve();
    world.run_out();
    let times = |status: &crate::domain::update_run::state::Status| {
        let minute =
            |time: Option<crate::domain::time::Timestamp>| time.map(|at| at.format("%M").to_string());
        (minute(status.start_time).unwrap(), minute(status.completed_time).unwrap())
    };
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(times(&world.run.stages[0].before_gates[0].status), pair("00", "05"));
    assert_eq!(times(&world.member("a1").status), pair("05", "15"));
    assert_eq!(times(&world.member("a2").status), pair("15", "25"));
    assert_eq!(times(&world.group("a").status), pair("05", "25"));
    assert_eq!(times(&world.stage("s").status), pair("05", "25"));
    assert_eq!(times(&world.run.status), pair("00", "25"));
}

#[test]
fn a_stage_names_five_of_the_reasons_it_waits_for_and_counts_the_rest() {
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    let groups = names.map(|name| json!({"name": name, "beforeGates": [approval()]}));
    let mut world =
        run(json!([{"name": "s", "groups": groups}]), &["a1", "b1", "c1", "d1", "e1", "f1", "g1"]);
    world.start();
    let error = world.run.status.error.clone().unwrap();
    assert_eq!((error.code.as_str(), error.details.len()), ("WaitingForApproval", 5));
    assert!(error.message.ends_with("And 2 more."), "{}", error.message);
}
