//! The contract of [`Store`] and [`Transaction`](crate::store::Transaction).

use std::sync::Arc;

use super::sample::{at, child, fleet, fleet_key, found, inserted, read, update, updated, write};
use crate::domain::clock::{ClockSetting, Mode};
use crate::store::{Counter, Kind, MemberRow, Store, Transaction, WorkKind};

async fn write_everywhere(tx: &mut dyn Transaction) {
    let row = MemberRow { ordinal: 0, cluster: "/c".to_owned(), open: true, body: "{}".to_owned() };
    tx.insert(&[fleet("rg", "f")]).await.unwrap();
    tx.replace_members("/run", &[row]).await.unwrap();
    tx.schedule(WorkKind::UpdateRun, "/run", Some(at(0))).await.unwrap();
    tx.bump(Counter::Releases).await.unwrap();
}

/// A transaction that is dropped leaves nothing, in any port.
pub async fn a_dropped_transaction_leaves_nothing(store: Arc<dyn Store>) {
    let mut tx = write(&store).await;
    write_everywhere(&mut *tx).await;
    drop(tx);
    let mut tx = write(&store).await;
    assert!(tx.get(Kind::Fleet, &fleet_key("rg", "f")).await.unwrap().is_none());
    assert!(tx.members("/run").await.unwrap().is_empty());
    assert!(tx.due(WorkKind::UpdateRun, at(0), 1).await.unwrap().is_empty());
    assert_eq!(tx.counter(Counter::Releases).await.unwrap(), 0);
}

/// A transaction that commits leaves everything, in all ports.
pub async fn a_committed_transaction_leaves_everything(store: Arc<dyn Store>) {
    let mut tx = write(&store).await;
    write_everywhere(&mut *tx).await;
    tx.commit(true).await.unwrap();
    let mut tx = write(&store).await;
    assert!(tx.get(Kind::Fleet, &fleet_key("rg", "f")).await.unwrap().is_some());
    assert_eq!(tx.members("/run").await.unwrap().len(), 1);
    assert_eq!(tx.due(WorkKind::UpdateRun, at(0), 1).await.unwrap().len(), 1);
    assert_eq!(tx.counter(Counter::Releases).await.unwrap(), 1);
}

/// A transaction sees its own writes before they are committed; others do not.
pub async fn a_transaction_sees_its_own_writes(store: Arc<dyn Store>) {
    let mut tx = write(&store).await;
    tx.insert(&[fleet("rg", "f")]).await.unwrap();
    assert!(tx.get(Kind::Fleet, &fleet_key("rg", "f")).await.unwrap().is_some());
    assert!(found(&store, Kind::Fleet, &fleet_key("rg", "f")).await.is_none());
    tx.commit(false).await.unwrap();
    assert!(found(&store, Kind::Fleet, &fleet_key("rg", "f")).await.is_some());
}

/// A reading transaction goes on seeing the state it first saw.
pub async fn a_reading_transaction_sees_one_state(store: Arc<dyn Store>) {
    inserted(&store, &[fleet("rg", "f"), child(Kind::Member, "a")]).await;
    let (key, parent) = (fleet_key("rg", "f"), fleet_key("rg", "f"));
    let mut tx = read(&store).await;
    assert_eq!(tx.get(Kind::Fleet, &key).await.unwrap().unwrap().version, 1);
    updated(&store, &[update(&key, 1, "x")]).await.unwrap();
    inserted(&store, &[child(Kind::Member, "b")]).await;
    assert_eq!(tx.get(Kind::Fleet, &key).await.unwrap().unwrap().version, 1);
    assert_eq!(tx.count(Kind::Member, &parent).await.unwrap(), 1);
    drop(tx);
    assert_eq!(found(&store, Kind::Fleet, &key).await.unwrap().version, 2);
}

/// A reading transaction refuses to write.
pub async fn a_reading_transaction_cannot_write(store: Arc<dyn Store>) {
    let mut tx = read(&store).await;
    assert!(tx.insert(&[fleet("rg", "f")]).await.is_err());
    drop(tx);
    inserted(&store, &[fleet("rg", "f")]).await;
}

/// The clock is a row that is absent until it is set, and comes back to the microsecond.
pub async fn the_clock_is_kept(store: Arc<dyn Store>) {
    assert_eq!(read(&store).await.clock().await.unwrap(), None);
    let scaled = ClockSetting {
        mode: Mode::Scaled { scale: 0.1 },
        anchor_real: at(1) + chrono::TimeDelta::microseconds(123_457),
        anchor_simulated: at(2),
    };
    let manual = ClockSetting { mode: Mode::Manual, ..scaled };
    for setting in [scaled, manual] {
        let mut tx = write(&store).await;
        tx.set_clock(setting).await.unwrap();
        tx.commit(false).await.unwrap();
        assert_eq!(read(&store).await.clock().await.unwrap(), Some(setting));
    }
}

/// A store that is open is ready and says so; its pool counts its connections.
pub async fn an_open_store_is_ready(store: Arc<dyn Store>) {
    store.ready().await.unwrap();
    let tx = read(&store).await;
    let pool = store.pool();
    assert!(pool.open >= 1 && pool.idle < pool.open, "{pool:?}");
    drop(tx);
}

/// The guard may be taken again by the process that has it.
pub async fn the_guard_is_held_by_one_process(store: Arc<dyn Store>) {
    store.hold_single_process_guard().await.unwrap();
    store.hold_single_process_guard().await.unwrap();
}

/// A closed store answers nothing more.
pub async fn a_closed_store_is_not_ready(store: Arc<dyn Store>) {
    store.close().await;
    assert!(store.ready().await.is_err());
}
