//! The flow of a started run: stages, groups, gates, waits.

use crate::domain::update_run::state::UpdateState;
use crate::domain::update_run::testing::build::*;
use crate::domain::update_run::testing::cluster::Cluster;
use crate::domain::update_run::testing::{Event, World};

#[test]
fn without_a_strategy_members_are_upgraded_one_by_one_in_the_order_in_which_they_joined() {
    let mut world = World::new(full("1.36.4"), None, vec![Cluster::new("b"), Cluster::new("a")]);
    world.happen(Event::Start).unwrap();
    world.run_out();
    assert_eq!(world.run.status.state, UpdateState::Completed);
}
