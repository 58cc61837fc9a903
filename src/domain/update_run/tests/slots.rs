//! Slots: who starts when one is free.

use serde_json::json;

use crate::domain::update_run::state::UpdateState::*;
use crate::domain::update_run::testing::build::*;
use crate::domain::update_run::testing::cluster::Cluster;
use crate::domain::update_run::testing::{Event, World};

fn one_group(width: &str, clusters: Vec<Cluster>) -> World {
    let clusters = clusters.into_iter().map(|cluster| cluster.group("g")).collect();
    let stages = json!([{"name": "s", "groups": [{"name": "g", "maxConcurrency": width, "maxAllowedFailures": "100%"}]}]);
    World::new(full("1.36.4"), Some(&strategy(stages)), clusters)
}

#[test]
fn the_best_window_starts_first_open_then_opening_within_four_hours_then_none_then_closed() {
    // It is midnight. A window that opens within four hours is Pending at once; the others show their order.
    let mut world = one_group(
        "1",
        vec![
            Cluster::new("a-closed").window(daily("12:00", 4)),
            Cluster::new("b-none"),
            Cluster::new("c-soon").window(daily("04:00", 4)),
            Cluster::new("d-open").window(daily("23:00", 4)),
        ],
    );
    world.start();
    assert_eq!(world.in_flight(), ["d-open"]);
    assert_eq!(world.state("c-soon"), NotStarted);
    world.minutes(10);
    assert_eq!(world.in_flight(), ["b-none"]);
    assert_eq!((world.state("c-soon"), world.state("a-closed")), (Pending, NotStarted));
    world.minutes(10);
    assert_eq!(world.state("a-closed"), Pending);
    world.minutes(4 * 60 - 20);
    assert_eq!(world.in_flight(), ["c-soon"]);
    world.run_out();
    let started = |name: &str| world.member(name).status.start_time.unwrap();
    assert!(started("d-open") < started("b-none"));
    assert_eq!(world.run.status.state, Completed);
    assert_eq!(world.run.status.completed_time, Some(at("2026-12-07T12:10:00Z")));
}

#[test]
fn among_equals_the_group_with_fewest_in_flight_starts_then_the_first_group_then_the_first_member() {
    let clusters = ["b2", "b1", "a2", "a1", "a3"];
    let clusters = clusters.iter().map(|name| Cluster::new(name).group(&name[..1])).collect();
    let groups = json!([{"name": "b", "maxConcurrency": "9"}, {"name": "a", "maxConcurrency": "9"}]);
    let stages = json!([{"name": "s", "maxConcurrency": "3", "groups": groups}]);
    let mut world = World::new(full("1.36.4"), Some(&strategy(stages)), clusters);
    world.start();
    // b1, then a1 (b has one in flight), then b2 (both have one; b is first).
    let mut flying = world.in_flight();
    flying.sort_unstable();
    assert_eq!(flying, ["a1", "b1", "b2"]);
}

#[test]
fn who_cannot_start_holds_no_slot_and_the_next_is_tried() {
    let busy = |name| Cluster::new(name).but(|c| c.other_operation = Some(Some(at("2026-12-07T00:30:00Z"))));
    let mut world = one_group("1", vec![busy("a"), busy("b"), Cluster::new("c"), Cluster::new("d")]);
    world.start();
    assert_eq!(world.in_flight(), ["c"]);
    assert_eq!([world.state("a"), world.state("b"), world.state("d")], [Pending, Pending, NotStarted]);
    assert_eq!(world.states("s", "g"), [Running; 3]);
    world.run_out();
    assert_eq!(world.run.status.state, Completed);
}

#[test]
fn a_pending_member_whose_reason_is_gone_waits_for_a_slot_says_so_and_comes_first_among_equals() {
    let busy = Cluster::new("b1").but(|c| c.other_operation = Some(Some(at("2026-12-07T00:05:00Z"))));
    let clusters = [Cluster::new("a1"), Cluster::new("a2"), busy, Cluster::new("c1").minutes(30)];
    let clusters = clusters.into_iter().map(|c| c.but(|c| c.group = Some(c.name[..1].to_owned()))).collect();
    let groups = json!([{"name": "a"}, {"name": "b"}, {"name": "c"}]);
    let stages = json!([{"name": "s", "maxConcurrency": "2", "groups": groups}]);
    let mut world = World::new(full("1.36.4"), Some(&strategy(stages)), clusters);
    world.start();
    assert_eq!((world.in_flight(), world.code("b1")), (vec!["a1", "c1"], "OperationInProgress"));
    world.minutes(6);
    assert_eq!((world.state("b1"), world.code("b1")), (Pending, "WaitingForSlot"));
    assert!(world.message("b1").contains("starts when one of"), "{}", world.message("b1"));
    world.minutes(4);
    // a2 stands before it, but has not waited.
    assert_eq!(world.in_flight(), ["b1", "c1"]);
}

#[test]
fn a_window_that_shuts_while_a_member_waits_for_a_slot_makes_it_wait_for_the_next_opening() {
    let late = Cluster::new("a").window(daily("00:00", 4)).but(|c| {
        c.other_operation = Some(Some(at("2026-12-07T00:05:00Z")));
    });
    let mut world = one_group("1", vec![late, Cluster::new("b").minutes(300)]);
    world.start();
    world.minutes(10);
    assert_eq!((world.state("a"), world.code("a")), (Pending, "WaitingForSlot"));
    world.minutes(4 * 60);
    assert_eq!((world.state("a"), world.code("a")), (Pending, "MaintenanceWindowClosed"));
    world.run_out();
    assert_eq!(world.member("a").status.completed_time, Some(at("2026-12-08T00:10:00Z")));
}

#[test]
fn an_upgrade_goes_on_when_its_window_closes() {
    let mut world = one_group("1", vec![Cluster::new("a").window(daily("00:00", 4)).minutes(600)]);
    world.start();
    world.run_out();
    assert_eq!(world.member("a").status.completed_time, Some(at("2026-12-07T10:00:00Z")));
}

#[test]
fn a_release_starts_what_waited_for_it_without_anything_else() {
    let mut world = World::new(full("1.36.5"), None, vec![Cluster::new("a").region("westeurope")]);
    world.start();
    world.minutes(60);
    assert_eq!(world.state("a"), Pending);
    let item = json!([{"kind": "KubernetesVersion", "version": "1.36.5", "regions": ["westeurope"]}]);
    world.must(Event::Publish(serde_json::from_value(item).unwrap()));
    assert_eq!(world.state("a"), Running);
    assert_eq!(world.member("a").status.start_time, Some(at("2026-12-07T00:00:00Z")));
}

#[test]
fn a_release_that_is_known_to_come_starts_what_waits_for_it_at_that_instant() {
    let mut world = World::new(full("1.36.5"), None, vec![Cluster::new("a").region("westus2")]);
    world.start();
    world.run_out();
    assert_eq!(world.member("a").status.completed_time, Some(at("2026-12-09T00:10:00Z")));
}

#[test]
fn an_operation_that_outlasts_its_time_does_not_wake_the_run_again_and_again() {
    let mut world = World::new(full("1.36.4"), None, vec![Cluster::new("a")]);
    world.cluster("a").other_operation = Some(Some(at("2026-12-07T00:05:00Z")));
    world.start();
    // The operation goes on beyond what was known.
    world.cluster("a").other_operation = Some(None);
    world.minutes(10);
    assert_eq!(world.state("a"), Pending);
    assert_eq!(world.run.members[0].pending.as_ref().unwrap().until(), None);
    world.must(Event::Abort("a".to_owned()));
    assert_eq!(world.state("a"), Running);
}

#[test]
fn an_upgrade_that_a_crash_lost_is_started_after_all_and_one_that_is_refused_is_judged_again() {
    let mut world = one_group("2", vec![Cluster::new("a"), Cluster::new("b")]);
    let mut first = true;
    world.crashes = Some(Box::new(move |_| {
        let crash = crate::domain::update_run::testing::Crash { effects_done: 0, recovery: minutes(5) };
        std::mem::take(&mut first).then_some(crash)
    }));
    world.start();
    assert_eq!([world.state("a"), world.state("b")], [Running; 2]);
    world.cluster("b").other_operation = Some(Some(at("2026-12-07T01:00:00Z")));
    world.minutes(5);
    assert_eq!([world.state("a"), world.state("b")], [Running, Pending]);
    world.run_out();
    assert_eq!(world.member("a").status.completed_time, Some(at("2026-12-07T00:15:00Z")));
    assert_eq!(world.member("b").status.completed_time, Some(at("2026-12-07T01:10:00Z")));
}
