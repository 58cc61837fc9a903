use chrono::TimeDelta;

use super::*;
use crate::domain::managed_cluster::testing::{self, Ids, NOW};
use crate::domain::managed_cluster::{Behavior, FailureRule, StepName};
use crate::domain::observed_cluster::PoolUpgrade;

fn now() -> Timestamp {
    NOW.parse().unwrap()
}

fn after(minutes: i64) -> Timestamp {
    now() + TimeDelta::minutes(minutes)
}

fn upgrade(cluster: &ManagedCluster) -> Plan {
    let version = "1.37.1".parse().unwrap();
    let pools = cluster.pools.iter().map(|pool| PoolUpgrade {
        name: pool.name.clone(),
        version: Some(version),
        image: None,
        drop_snapshot: false,
    });
    Plan {
        guid: Uuid::from_u128(7),
        action: Action::Upgrade,
        scope: OperationScope::Cluster,
        request: UpgradeRequest {
            control_plane: Some(version),
            pools: pools.collect(),
            security_patch: false,
        },
        duration: TimeDelta::zero(),
    }
}

fn versions(cluster: &ManagedCluster) -> Vec<String> {
    let pools = cluster.pools.iter().map(|pool| pool.current_version);
    std::iter::once(cluster.current_version).chain(pools).map(|version| version.to_string()).collect()
}

/// Begins the upgrade of every test: 5 min of control plane, then 3, 9 (25 nodes by 3) and 1 batches of 3 min.
fn begun(behavior: Option<Behavior>) -> (ManagedCluster, Begun, Ids) {
    let (mut cluster, ids) = (testing::create(&testing::body()).unwrap(), Ids::default());
    cluster.behavior = behavior;
    let plan = upgrade(&cluster);
    let begun = cluster.begin(plan, Catalogue::built_in(), now(), &ids);
    (cluster, begun, ids)
}

fn failing(at: StepName) -> Behavior {
    let (code, message) = ("Quota".to_owned(), "no cores".to_owned());
    Behavior { failures: vec![FailureRule { at, times: 1, code, message }], ..Behavior::default() }
}

#[test]
fn an_upgrade_reaches_the_control_plane_then_pool_after_pool() {
    let (mut cluster, begun, ids) = begun(None);
    assert_eq!(begun.next_due, Some(after(5)));
    assert_eq!(cluster.lifecycle.state, ProvisioningState::Updating);
    assert_eq!(cluster.advance(after(4), &ids), Advanced::default());
    cluster.advance(after(5), &ids);
    assert_eq!(versions(&cluster), ["1.37.1", "1.36.2", "1.36.2", "1.36.2"]);
    cluster.advance(after(14), &ids);
    assert_eq!(versions(&cluster), ["1.37.1", "1.37.1", "1.36.2", "1.36.2"]);
    let advanced = cluster.advance(after(44), &ids);
    assert_eq!(advanced.ended[0].status, OperationStatus::Succeeded);
    assert_eq!(versions(&cluster), ["1.37.1"; 4]);
    assert_eq!(cluster.lifecycle.state, ProvisioningState::Succeeded);
    assert_eq!(cluster.kubernetes_version, "1.37.1");
}

#[test]
fn every_milestone_renews_the_tags_of_the_cluster_and_all_pools() {
    let (mut cluster, begun, ids) = begun(None);
    assert!(begun.advanced.renew);
    let tags = |cluster: &ManagedCluster| cluster.pools.iter().map(|pool| pool.etag).collect::<Vec<_>>();
    let before = tags(&cluster);
    assert!(cluster.advance(after(5), &ids).renew);
    assert!(tags(&cluster).iter().zip(&before).all(|(now, before)| now != before));
}

#[test]
fn a_failure_leaves_what_was_done_and_the_next_attempt_does_only_the_rest() {
    let (mut cluster, _, ids) = begun(Some(failing(StepName::AgentPool("work".to_owned()))));
    let advanced = cluster.advance(after(600), &ids);
    assert_eq!(advanced.ended.len(), 1);
    assert_eq!(advanced.ended[0].error.as_ref().map(|error| &*error.code), Some("Quota"));
    assert_eq!(versions(&cluster), ["1.37.1", "1.37.1", "1.36.2", "1.36.2"]);
    assert_eq!(cluster.lifecycle.state, ProvisioningState::Failed);
    let plan = Plan { guid: Uuid::from_u128(8), ..upgrade(&cluster) };
    let again = cluster.begin(plan, Catalogue::built_in(), after(600), &ids);
    assert_eq!(again.next_due, Some(after(600 + 27)));
    cluster.advance(after(600 + 30), &ids);
    assert_eq!(versions(&cluster), ["1.37.1"; 4]);
}

#[test]
fn a_cluster_that_takes_no_time_is_upgraded_where_the_upgrade_begins() {
    let instant =
        Behavior { control_plane_minutes: Some(0), pool_batch_minutes: Some(0), ..Behavior::default() };
    let (cluster, begun, _) = begun(Some(instant));
    assert_eq!((versions(&cluster), begun.next_due), (vec!["1.37.1".to_owned(); 4], None));
    assert_eq!(begun.advanced.ended[0].status, OperationStatus::Succeeded);
}

#[test]
fn a_hang_ends_by_removing_it_and_the_upgrade_goes_on_from_there() {
    let (mut cluster, begun, ids) = begun(Some(Behavior { hang: true, ..Behavior::default() }));
    assert_eq!(begun.next_due, None);
    assert_eq!(cluster.advance(after(9999), &ids), Advanced::default());
    assert_eq!(cluster.busy(after(9999)).unwrap().until, None);
    assert_eq!(cluster.end_hang(after(100)), [(Uuid::from_u128(7), after(105))]);
    cluster.advance(after(144), &ids);
    assert_eq!(versions(&cluster), ["1.37.1"; 4]);
}

#[test]
fn an_abort_ends_what_is_under_way_and_keeps_what_was_done() {
    let (mut cluster, _, ids) = begun(None);
    cluster.advance(after(5), &ids);
    let error = OperationError { code: "OperationAborted".to_owned(), message: "aborted".to_owned() };
    let advanced = cluster.cancel(&OperationScope::Cluster, &error, &ids);
    assert_eq!(advanced.ended[0].status, OperationStatus::Canceled);
    assert_eq!(versions(&cluster)[0], "1.37.1");
    assert_eq!(cluster.advance(after(600), &ids), Advanced::default());
    assert!(cluster.busy(after(600)).is_none());
}

#[test]
fn a_pool_operation_renews_only_its_own_pools_tag_and_leaves_others_free() {
    let (mut cluster, ids) = (testing::create(&testing::body()).unwrap(), Ids::default());
    let tags: Vec<ETag> = cluster.pools.iter().map(|pool| pool.etag).collect();
    let scope = OperationScope::Pool("work".to_owned());
    let request = UpgradeRequest::default();
    let duration = TimeDelta::seconds(5);
    let plan = Plan { guid: Uuid::from_u128(7), action: Action::Update, scope, request, duration };
    let begun = cluster.begin(plan, Catalogue::built_in(), now(), &ids);
    assert!(!begun.advanced.renew);
    let renewed: Vec<bool> = cluster.pools.iter().zip(tags).map(|(pool, tag)| pool.etag != tag).collect();
    assert_eq!(renewed, [false, true, false]);
    assert!(cluster.busy(now()).is_some());
    assert!(cluster.pool_busy("work", now()).is_some() && cluster.pool_busy("sys", now()).is_none());
}

#[test]
fn a_cluster_told_to_be_busy_is_busy_until_then() {
    let mut cluster = testing::create(&testing::body()).unwrap();
    cluster.behavior = Some(Behavior { busy_until: Some(after(10)), ..Behavior::default() });
    assert_eq!(cluster.busy(after(9)).unwrap().until, Some(after(10)));
    assert!(cluster.busy(after(10)).is_none());
}
