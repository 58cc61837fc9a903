use proptest::prelude::*;

use super::*;
use crate::domain::managed_cluster::testing::{self, NOW};
use crate::domain::managed_cluster::{FailureRule, Surge};
use crate::domain::node_image::NodeImage;

const TARGET: KubernetesVersion = KubernetesVersion::new(1, 37, 1);

fn start() -> Timestamp {
    NOW.parse().unwrap()
}

fn request(cluster: &ManagedCluster) -> UpgradeRequest {
    let pool = |pool: &AgentPool| PoolUpgrade {
        name: pool.name.clone(),
        version: Some(TARGET),
        image: None,
        drop_snapshot: false,
    };
    UpgradeRequest {
        control_plane: Some(TARGET),
        pools: cluster.pools.iter().map(pool).collect(),
        security_patch: false,
    }
}

fn failure(at: StepName) -> FailureRule {
    FailureRule { at, times: 1, code: "Broken".to_owned(), message: "as told".to_owned() }
}

proptest! {
    #[test]
    fn milestones_are_monotone_and_the_last_is_the_sum_of_all_batches(
        counts in prop::collection::vec((0_u32..200, 1_u32..=100), 3),
        (control_plane, batch) in (0_u32..30, 0_u32..30),
    ) {
        let mut cluster = testing::create(&testing::body()).unwrap();
        let mut minutes = i64::from(control_plane);
        for (pool, (count, percent)) in cluster.pools.iter_mut().zip(&counts) {
            pool.count = *count;
            pool.properties.insert(
                "upgradeSettings".to_owned(),
                serde_json::json!({ "maxSurge": format!("{percent}%") }),
            );
            let batches = count.div_ceil(Surge::Percent(*percent).nodes(*count));
            minutes += i64::from(batches) * i64::from(batch);
        }
        let mut behavior = Behavior {
            control_plane_minutes: Some(control_plane),
            pool_batch_minutes: Some(batch),
            ..Behavior::default()
        };
        let steps = plan_steps(&cluster, &request(&cluster));
        let milestones = timeline(&cluster, steps, &mut behavior, Catalogue::built_in(), start());
        prop_assert_eq!(milestones.len(), 4);
        prop_assert!(milestones.is_sorted_by_key(|milestone| milestone.at));
        prop_assert_eq!(milestones[3].at, start() + TimeDelta::minutes(minutes));
    }

    #[test]
    fn a_continuation_does_only_the_rest(done in 0_usize..4) {
        let mut cluster = testing::create(&testing::body()).unwrap();
        let asked = request(&cluster);
        let all = plan_steps(&cluster, &asked);
        if done > 0 {
            cluster.current_version = TARGET;
        }
        for pool in cluster.pools.iter_mut().take(done.saturating_sub(1)) {
            pool.current_version = TARGET;
        }
        prop_assert_eq!(plan_steps(&cluster, &asked), all[done..].to_vec());
    }

    #[test]
    fn nothing_comes_after_a_failure_and_only_it_is_counted_down(fails in 0_usize..4) {
        let cluster = testing::create(&testing::body()).unwrap();
        let steps = plan_steps(&cluster, &request(&cluster));
        let names: Vec<StepName> = steps.iter().filter_map(name_of).collect();
        let failures = names[fails..].iter().cloned().map(failure).collect();
        let mut behavior = Behavior { failures, ..Behavior::default() };
        let milestones = timeline(&cluster, steps, &mut behavior, Catalogue::built_in(), start());
        prop_assert_eq!(milestones.len(), fails + 1);
        let failed: Vec<bool> = milestones.iter().map(|milestone| milestone.failure.is_some()).collect();
        prop_assert_eq!(failed.iter().position(|failed| *failed), Some(fails));
        let left: u32 = behavior.failures.iter().map(|rule| rule.times).sum();
        prop_assert_eq!(left as usize, names.len() - fails - 1);
    }
}

#[test]
fn what_is_ahead_is_left_alone() {
    let mut cluster = testing::create(&testing::body()).unwrap();
    let asked = request(&cluster);
    cluster.current_version = KubernetesVersion::new(1, 37, 2);
    cluster.pools[1].current_version = KubernetesVersion::new(1, 37, 2);
    let names: Vec<_> = plan_steps(&cluster, &asked).iter().filter_map(name_of).collect();
    assert_eq!(names, ["sys", "win"].map(|name| StepName::AgentPool(name.to_owned())));
}

#[test]
fn a_live_patch_takes_a_minute_a_pool_and_windows_pools_take_none() {
    let cluster = testing::create(&testing::body()).unwrap();
    let patch = "AKSUbuntu-2204gen2containerd-202611.02.1";
    let item = serde_json::json!({"kind": "SecurityPatch", "version": patch, "livePatch": true});
    let items = vec![serde_json::from_value(item).unwrap()];
    let release = crate::domain::catalogue::Release { id: uuid::Uuid::nil(), at: start(), items };
    let catalogue = Catalogue::built_in().with_releases([&release]);
    let image: NodeImage = patch.parse().unwrap();
    let pool = |name: &str| PoolUpgrade {
        name: name.to_owned(),
        version: None,
        image: Some(image.clone()),
        drop_snapshot: false,
    };
    let pools = vec![pool("sys"), pool("work"), pool("win")];
    let asked = UpgradeRequest { control_plane: None, pools, security_patch: true };
    let steps = plan_steps(&cluster, &asked);
    let milestones = timeline(&cluster, steps, &mut Behavior::default(), &catalogue, start());
    let minutes: Vec<i64> = milestones.iter().map(|one| (one.at - start()).num_minutes()).collect();
    assert_eq!(minutes, [1, 2]);
}
