use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::clock::RealTime;
use crate::domain::clock::{ClockSetting, Mode};
use crate::domain::managed_cluster::testing::{self, Ids, NOW};
use crate::domain::observed_cluster::{PoolUpgrade, UpgradeRequest};
use crate::store::sqlite::SqliteStore;
use crate::store::{Access, MigrationMode, NewRecord, Store};

struct Still;

impl RealTime for Still {
    fn now(&self) -> Timestamp {
        start_of_test()
    }
}

fn start_of_test() -> Timestamp {
    NOW.parse().unwrap()
}

fn after(minutes: i64) -> Timestamp {
    start_of_test() + TimeDelta::minutes(minutes)
}

async fn setup(behavior: serde_json::Value) -> (Arc<dyn Store>, SimulatedClusters, String) {
    let store: Arc<dyn Store> =
        Arc::new(SqliteStore::open("sqlite::memory:", MigrationMode::Apply).await.unwrap());
    let now = start_of_test();
    let setting = ClockSetting { mode: Mode::Manual, anchor_real: now, anchor_simulated: now };
    let catalogue = Arc::new(CurrentCatalogue::new(Catalogue::built_in().clone()));
    let clock = Arc::new(ServiceClock::new(Box::new(Still), setting));
    let clusters = SimulatedClusters::new(Arc::new(Ids::default()), catalogue, clock);
    let mut cluster = testing::create(&testing::body()).unwrap();
    cluster.behavior = Some(serde_json::from_value(behavior).unwrap());
    let key = cluster.id.key();
    let mut tx = store.begin(Access::Write).await.unwrap();
    let tag = crate::domain::etag::ETag(Uuid::nil());
    tx.insert(&[NewRecord::of(&cluster, tag)]).await.unwrap();
    tx.commit(false).await.unwrap();
    (store, clusters, key)
}

fn upgrade(cluster: &str, operation: u128) -> StartUpgrade {
    let version = Some("1.37.1".parse().unwrap());
    let pool = PoolUpgrade { name: "win".to_owned(), version, image: None, drop_snapshot: false };
    StartUpgrade {
        cluster: cluster.to_owned(),
        operation: Uuid::from_u128(operation),
        run: "/run".to_owned(),
        request: UpgradeRequest { control_plane: version, pools: vec![pool], security_patch: false },
    }
}

#[tokio::test]
async fn an_upgrade_goes_from_milestone_to_milestone_and_its_outcome_is_kept() {
    let (store, clusters, key) = setup(json!({})).await;
    let mut tx = store.begin(Access::Write).await.unwrap();
    let asked = [upgrade(&key, 7)];
    assert_eq!(clusters.start(tx.as_mut(), &asked, after(0)).await.unwrap(), [StartOutcome::Started]);
    assert_eq!(clusters.start(tx.as_mut(), &asked, after(0)).await.unwrap(), [StartOutcome::AlreadyStarted]);
    assert!(matches!(
        clusters.start(tx.as_mut(), &[upgrade(&key, 8)], after(0)).await.unwrap()[..],
        [StartOutcome::Refused(_)]
    ));
    for minutes in [5, 8] {
        assert!(tx.due(WorkKind::Operation, after(minutes - 1), 9).await.unwrap().is_empty());
        let due = tx.due(WorkKind::Operation, after(minutes), 9).await.unwrap();
        assert_eq!(due.len(), 1);
        clusters.advance(tx.as_mut(), &due, after(minutes)).await.unwrap();
    }
    let guid = Uuid::from_u128(7);
    let outcomes = clusters.outcomes(tx.as_mut(), &[guid, Uuid::from_u128(8)]).await.unwrap();
    assert_eq!(outcomes, BTreeMap::from([(guid, UpgradeOutcome::Succeeded { at: after(8) })]));
    let seen = clusters.observe(tx.as_mut(), &[key.clone(), "/gone".to_owned()], after(8)).await.unwrap();
    assert_eq!(seen.len(), 1);
    assert_eq!((seen[&key].control_plane, seen[&key].busy.clone()), ("1.37.1".parse().unwrap(), None));
    assert!(tx.due(WorkKind::Operation, after(9999), 9).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_cluster_without_durations_is_upgraded_in_the_transaction_that_starts_it() {
    let (store, clusters, key) = setup(json!({"controlPlaneMinutes": 0, "poolBatchMinutes": 0})).await;
    let mut tx = store.begin(Access::Write).await.unwrap();
    clusters.start(tx.as_mut(), &[upgrade(&key, 7)], after(0)).await.unwrap();
    let guid = Uuid::from_u128(7);
    let outcomes = clusters.outcomes(tx.as_mut(), &[guid]).await.unwrap();
    assert_eq!(outcomes[&guid], UpgradeOutcome::Succeeded { at: after(0) });
    assert!(tx.due(WorkKind::Operation, after(9999), 9).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_failure_is_told_with_the_code_and_message_of_its_rule() {
    let rule = json!({"at": "ControlPlane", "code": "Quota", "message": "no cores"});
    let (store, clusters, key) = setup(json!({"failures": [rule]})).await;
    let mut tx = store.begin(Access::Write).await.unwrap();
    clusters.start(tx.as_mut(), &[upgrade(&key, 7)], after(0)).await.unwrap();
    let due = tx.due(WorkKind::Operation, after(5), 9).await.unwrap();
    clusters.advance(tx.as_mut(), &due, after(5)).await.unwrap();
    let guid = Uuid::from_u128(7);
    let outcomes = clusters.outcomes(tx.as_mut(), &[guid]).await.unwrap();
    let error = OperationError { code: "Quota".to_owned(), message: "no cores".to_owned() };
    assert_eq!(outcomes[&guid], UpgradeOutcome::Failed { at: after(5), error });
}
