//! The long run that benchmarks use.

use crate::domain::update_run::state::UpdateState;
use crate::domain::update_run::testing::cost;

#[test]
fn the_benchmarks_run_comes_to_its_end_under_watch_with_its_failures_within_the_budget() {
    let mut world = cost::world(100);
    world.watched = true;
    assert!(cost::play(&mut world) > 100);
    assert_eq!(world.run.status.state, UpdateState::Completed);
    assert_eq!(world.run.failures(&(0..100)), 7);
}
