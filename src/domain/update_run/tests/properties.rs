//! The guarantees, over random fleets, strategies, faults, commands and crashes. Every step of a [`World`] is checked;
//! a failing case is printed as its seed and size, for `chance::world(seed, size)`.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::domain::update_run::state::Run;
use crate::domain::update_run::testing::{World, chance};

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(4),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn played(seed: u64, size: usize, crashes: Option<(usize, bool)>) -> World {
    let mut world = chance::world(seed, size);
    world.crashes = crashes.map(|(often, late)| chance::crashes(seed, often, late));
    world.run_out();
    world
}

fn result(world: World) -> (Run, Vec<String>) {
    (world.run, world.diary)
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn every_run_keeps_the_guarantees_and_comes_to_its_end(seed: u64, size in 1_usize..14) {
        let mut world = chance::world(seed, size);
        prop_assert!(
            chance::lead_to_its_end(&mut world),
            "{}\n{:#?}", world.diary.join("\n"), world.run,
        );
    }

    #[test]
    fn every_run_keeps_the_guarantees_through_crashes_that_last(seed: u64, size in 1_usize..14) {
        let mut world = chance::world(seed, size);
        world.crashes = Some(chance::crashes(seed, 4, true));
        world.run_out();
        world.crashes = None;
        prop_assert!(chance::lead_to_its_end(&mut world), "{}", world.diary.join("\n"));
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn a_crash_at_any_point_changes_nothing(seed: u64, size in 1_usize..14) {
        let (plain, crashed) = (played(seed, size, None), played(seed, size, Some((2, false))));
        prop_assert_eq!(plain.run, crashed.run, "{}\n\n{}", plain.diary.join("\n"), crashed.diary.join("\n"));
    }

    #[test]
    fn the_same_inputs_have_the_same_result(seed: u64, size in 1_usize..14) {
        prop_assert_eq!(result(played(seed, size, None)), result(played(seed, size, None)));
    }
}
