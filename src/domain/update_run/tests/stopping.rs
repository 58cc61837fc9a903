//! Breach, stop and restart.

use rstest::rstest;
use serde_json::{Value, json};

use crate::domain::refusal::Code;
use crate::domain::update_run::state::UpdateState::{self, *};
use crate::domain::update_run::testing::build::*;
use crate::domain::update_run::testing::cluster::Cluster;
use crate::domain::update_run::testing::{Event, World};

fn run(stages: Value, clusters: Vec<Cluster>) -> World {
    World::new(full("1.36.4"), Some(&strategy(stages)), clusters)
}

fn m(name: &str) -> Cluster {
    Cluster::new(name).group(&name[..1])
}

#[test]
fn a_breach_lets_those_in_flight_end_and_starts_nobody_else() {
    let groups = json!([{"name": "a", "maxConcurrency": "2"}, {"name": "b"}, {"name": "c", "beforeGates": [{"type": "Approval"}]}]);
    let stages = json!([{"name": "s", "groups": groups}, {"name": "t", "groups": [{"name": "d"}]}]);
    let clusters = vec![
        m("a1").minutes(5).failing(1),
        m("a2").minutes(30),
        m("a3"),
        m("b1").minutes(8),
        m("b2"),
        m("c1"),
        m("d1"),
    ];
    let mut world = run(stages, clusters);
    world.start();
    world.minutes(5);
    assert_eq!([world.state("a1"), world.state("a2"), world.state("b1")], [Failed, Stopping, Stopping]);
    assert_eq!(world.states("s", "a"), [Stopping; 3]);
    assert_eq!(world.run.status.error.as_ref().unwrap().code, "Stopping");
    world.minutes(10);
    // b has none in flight any more, a has.
    assert_eq!((world.group("a").status.state, world.group("b").status.state), (Stopping, Stopped));
    world.minutes(20);
    assert_eq!(world.states("s", "a"), [Failed; 3]);
    assert_eq!([world.group("b").status.state, world.group("c").status.state], [Stopped; 2]);
    assert_eq!([world.stage("t").status.state, world.group("d").status.state], [NotStarted; 2]);
    assert_eq!([world.state("a3"), world.state("b2"), world.state("d1")], [NotStarted; 3]);
    assert_eq!(world.run.status.completed_time, Some(at("2026-12-07T00:30:00Z")));
    let error = world.run.status.error.clone().unwrap();
    assert_eq!(error.code, "MaxAllowedFailuresExceeded");
    assert!(error.message.contains("group 'a'") && error.message.contains("a1"), "{}", error.message);
    // The gate that was Pending stays so, and can be approved.
    world.approve();
    assert_eq!(world.run.stages[0].groups[2].before_gates[0].status.state, Completed);
    assert!(world.in_flight().is_empty());
}

#[test]
fn the_stages_budget_counts_over_groups_that_keep_theirs() {
    let groups = json!([{"name": "a", "maxAllowedFailures": "1"}, {"name": "b", "maxAllowedFailures": "1"}]);
    let stages = json!([{"name": "s", "maxAllowedFailures": "1", "groups": groups}]);
    let mut world = run(stages, vec![m("a1").failing(1), m("b1").minutes(20).failing(1), m("b2")]);
    world.start();
    world.run_out();
    assert_eq!(world.states("s", "a"), [Failed, Failed, Completed]);
    assert_eq!((world.group("b").status.state, world.state("b2")), (Stopped, NotStarted));
    let error = world.stage("s").status.error.clone().unwrap();
    assert!(error.message.contains("stage 's'") && error.message.starts_with("2 "), "{}", error.message);
}

#[test]
fn more_members_may_have_failed_than_allowed_where_several_were_in_flight() {
    let stages =
        json!([{"name": "s", "groups": [{"name": "a", "maxConcurrency": "3", "maxAllowedFailures": "1"}]}]);
    let mut world = run(stages, vec![m("a1").failing(1), m("a2").failing(1), m("a3").failing(1), m("a4")]);
    world.start();
    world.run_out();
    let stage = &world.run.stages[0];
    assert_eq!((world.run.failures(&stage.members()), world.run.status.state), (3, Failed));
}

#[test]
fn a_run_completes_though_all_have_failed_within_the_budget() {
    let stages = json!([{"name": "s", "groups": [{"name": "a", "maxAllowedFailures": "4"}]}]);
    let clusters = (1..=4).map(|n| m(&format!("a{n}")).failing(1)).collect();
    let mut world = run(stages, clusters);
    world.start();
    world.run_out();
    assert_eq!(world.states("s", "a"), [Completed; 3]);
    assert_eq!(world.run.failures(&world.group("a").members), 4);
}

#[test]
fn nothing_starts_in_the_instant_of_a_breach() {
    let stages = json!([{"name": "s", "groups": [{"name": "a", "maxConcurrency": "9"}]}]);
    let mut world = run(stages, vec![m("a1"), m("a2").version("1.34.5")]);
    world.start();
    assert_eq!([world.state("a1"), world.state("a2")], [NotStarted, Failed]);
    assert!(world.cluster("a1").upgrades.is_empty());
    assert_eq!(world.run.status.state, Failed);
}

#[test]
fn a_stop_takes_effect_at_once_at_gates_and_in_waits_and_their_clocks_run_on() {
    let stages = json!([
        {"name": "s", "groups": [{"name": "a"}], "afterStageWaitInSeconds": 600, "afterGates": [{"type": "Approval"}]},
        {"name": "t", "groups": [{"name": "b"}]},
    ]);
    let mut world = run(stages, vec![m("a1"), m("b1")]);
    world.start();
    world.minutes(12);
    world.stop();
    assert_eq!(world.states("s", "a"), [Stopped, Stopped, Completed]);
    world.minutes(60);
    let wait = &world.stage("s").wait.as_ref().unwrap().status;
    assert_eq!((wait.state, wait.completed_time), (Completed, Some(at("2026-12-07T00:20:00Z"))));
    world.approve();
    assert_eq!(world.states("s", "a"), [Stopped, Stopped, Completed]);
    world.start();
    assert_eq!(world.in_flight(), ["b1"]);
}

#[test]
fn a_stop_lets_those_in_flight_end_and_members_that_wait_are_as_before() {
    let busy = m("a2").but(|c| c.other_operation = Some(None));
    let stages = json!([{"name": "s", "groups": [{"name": "a", "maxConcurrency": "3"}]}]);
    let mut world = run(stages, vec![m("a1"), busy]);
    world.start();
    assert_eq!(world.state("a2"), Pending);
    world.minutes(5);
    world.stop();
    assert_eq!(world.states("s", "a"), [Stopping; 3]);
    assert_eq!(world.member("a2").status, Default::default());
    world.run_out();
    assert_eq!([world.state("a1"), world.state("a2")], [Completed, NotStarted]);
    assert_eq!(world.states("s", "a"), [Stopped; 3]);
}

#[test]
fn a_stop_while_the_last_member_is_in_flight_stops_the_run_and_the_next_start_ends_it() {
    let mut world = run(json!([{"name": "s", "groups": [{"name": "a"}]}]), vec![m("a1")]);
    world.start();
    world.stop();
    world.run_out();
    assert_eq!((world.states("s", "a"), world.state("a1")), ([Stopped; 3], Completed));
    world.minutes(60);
    world.start();
    assert_eq!(world.states("s", "a"), [Completed; 3]);
    assert_eq!(world.run.status.start_time, Some(at("2026-12-07T00:00:00Z")));
}

#[test]
fn a_breach_while_stopping_fails_the_run() {
    let mut world = run(json!([{"name": "s", "groups": [{"name": "a"}]}]), vec![m("a1").failing(1), m("a2")]);
    world.start();
    world.stop();
    world.run_out();
    assert_eq!(world.states("s", "a"), [Failed; 3]);
}

#[test]
fn a_start_tries_the_failed_again_and_leaves_what_is_done() {
    let groups = json!([{"name": "a", "maxConcurrency": "2"}, {"name": "b", "maxAllowedFailures": "1"}]);
    let stages = json!([{"name": "s", "maxAllowedFailures": "1", "groups": groups}]);
    let mut world = run(stages, vec![m("a1").minutes(20).failing(1), m("a2"), m("b1").failing(1)]);
    world.start();
    world.run_out();
    assert_eq!(world.states("s", "b"), [Failed, Failed, Completed]);
    let (first, began) = (world.member("a1").operation, world.group("a").status.start_time);
    world.minutes(60);
    let now = world.now;
    world.start();
    assert_eq!((world.state("a1"), world.state("b1")), (Running, Failed));
    assert_eq!(world.states("s", "a"), [Running; 3]);
    assert!(world.member("a1").operation != first && world.member("a1").operation.is_some());
    assert_eq!(world.member("a1").status.start_time, Some(now));
    assert_eq!(world.group("a").status.start_time, began);
    assert_eq!((world.run.status.error.clone(), world.run.status.completed_time), (None, None));
    world.run_out();
    assert_eq!(world.states("s", "a"), [Completed; 3]);
}

#[test]
fn gates_that_are_completed_stay_so_over_stop_and_start() {
    let stages = json!([{"name": "s", "beforeGates": [{"type": "Approval"}], "groups": [{"name": "a"}]}]);
    let mut world = run(stages, vec![m("a1").failing(1)]);
    world.start();
    world.approve();
    world.run_out();
    assert_eq!(world.run.status.state, Failed);
    world.start();
    assert_eq!(world.in_flight(), ["a1"]);
}

#[rstest]
#[case::deleted(Event::Delete("a1".to_owned()), Failed, "OperationCanceled")]
#[case::aborted(Event::Abort("a1".to_owned()), Failed, "OperationAborted")]
#[case::left(Event::Leave("a1".to_owned()), Skipped, "")]
fn what_happens_to_a_cluster_in_flight_ends_its_member(
    #[case] event: Event,
    #[case] state: UpdateState,
    #[case] code: &str,
) {
    let mut world = run(json!([{"name": "s", "groups": [{"name": "a"}]}]), vec![m("a1")]);
    world.start();
    world.must(event);
    assert_eq!((world.state("a1"), world.code("a1")), (state, code));
}

#[rstest]
#[case::deleted(Event::Delete("a1".to_owned()), Failed)]
#[case::left(Event::Leave("a1".to_owned()), Skipped)]
fn what_happens_to_a_cluster_that_waits_ends_its_member(#[case] event: Event, #[case] state: UpdateState) {
    let waits = m("a1").but(|c| c.other_operation = Some(None));
    let mut world = run(json!([{"name": "s", "groups": [{"name": "a"}]}]), vec![waits]);
    world.start();
    assert_eq!(world.state("a1"), Pending);
    world.must(event);
    assert_eq!((world.state("a1"), world.run.status.state), (state, state));
}

/// A run in each of its states.
fn in_state(state: UpdateState) -> World {
    let stages = json!([{"name": "s", "groups": [{"name": "a"}]}]);
    let a1 = match state {
        Failed => m("a1").failing(1),
        Pending => m("a1").but(|c| c.other_operation = Some(None)),
        Skipped => m("a1").version("1.36.4").image("202611.16.0"),
        _ => m("a1"),
    };
    let mut world = run(stages, vec![a1]);
    if state != NotStarted {
        world.start();
    }
    if matches!(state, Stopping | Stopped) {
        world.stop();
    }
    if !matches!(state, Running | Stopping) {
        world.run_out();
    }
    assert_eq!(world.run.status.state, state);
    world
}

#[rstest]
fn each_action_is_allowed_in_its_states_only(
    #[values(NotStarted, Running, Pending, Stopping, Stopped, Skipped, Failed, Completed)] state: UpdateState,
) {
    let allowed = |event: Event| match in_state(state).happen(event) {
        Ok(()) => true,
        Err(refusal) => {
            assert_eq!(refusal.code, Code::OperationNotAllowed);
            assert!(
                refusal.message.contains(&format!("{state:?}")) || refusal.message.contains("a1"),
                "{refusal}"
            );
            false
        }
    };
    assert_eq!(allowed(Event::Start), matches!(state, NotStarted | Stopped | Failed));
    assert_eq!(allowed(Event::Stop), matches!(state, Running | Pending));
    let may_skip = matches!(state, NotStarted | Running | Pending | Stopped | Failed);
    assert_eq!(allowed(Event::Skip(vec![stage("s")])), may_skip);
}
