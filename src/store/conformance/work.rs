//! The contract of [`Work`](crate::store::Work), except leases.

use std::sync::Arc;

use super::sample::{at, keys, write};
use crate::domain::time::Timestamp;
use crate::store::{Due, Store, Transaction, WorkKind};

async fn scheduled(tx: &mut dyn Transaction, key: &str, at: Option<Timestamp>) {
    tx.schedule(WorkKind::Operation, key, at).await.unwrap();
}

async fn due(tx: &mut dyn Transaction, now: Timestamp) -> Vec<Due> {
    tx.due(WorkKind::Operation, now, 100).await.unwrap()
}

fn operation(key: &str, at: Timestamp) -> Due {
    Due { kind: WorkKind::Operation, key: key.to_owned(), at }
}

/// Due is what has an instant that has come, by key.
pub async fn what_is_due_comes_by_key(store: Arc<dyn Store>) {
    let mut tx = write(&store).await;
    scheduled(&mut *tx, "/c", Some(at(1))).await;
    scheduled(&mut *tx, "/a", Some(at(2))).await;
    scheduled(&mut *tx, "/b", Some(at(3))).await;
    scheduled(&mut *tx, "/never", None).await;
    tx.schedule(WorkKind::Release, "/other-kind", Some(at(0))).await.unwrap();
    assert!(due(&mut *tx, at(0)).await.is_empty());
    assert_eq!(due(&mut *tx, at(2)).await, [operation("/a", at(2)), operation("/c", at(1))]);
    assert_eq!(tx.due(WorkKind::Operation, at(9), 2).await.unwrap().len(), 2);
}

/// Scheduling replaces the instant, also by none.
pub async fn scheduling_replaces_the_instant(store: Arc<dyn Store>) {
    let mut tx = write(&store).await;
    scheduled(&mut *tx, "/a", Some(at(1))).await;
    scheduled(&mut *tx, "/a", Some(at(5))).await;
    assert!(due(&mut *tx, at(4)).await.is_empty());
    assert_eq!(due(&mut *tx, at(5)).await, [operation("/a", at(5))]);
    scheduled(&mut *tx, "/a", None).await;
    assert!(due(&mut *tx, at(9)).await.is_empty());
}

/// Many are scheduled like one: each has its instant replaced, also by none.
pub async fn many_are_scheduled_like_one(store: Arc<dyn Store>) {
    let mut tx = write(&store).await;
    scheduled(&mut *tx, "/late", Some(at(9))).await;
    scheduled(&mut *tx, "/off", Some(at(1))).await;
    let instants = [("/late", Some(at(2))), ("/new", Some(at(1))), ("/off", None), ("/other", None)];
    let instants = instants.map(|(key, at)| (key.to_owned(), at));
    tx.schedule_many(WorkKind::Operation, &instants).await.unwrap();
    tx.schedule_many(WorkKind::Operation, &[]).await.unwrap();
    assert_eq!(due(&mut *tx, at(9)).await, [operation("/late", at(2)), operation("/new", at(1))]);
}

/// Waking keeps an earlier instant, sets a missing or later one, and makes rows that are not there.
pub async fn waking_keeps_an_earlier_instant(store: Arc<dyn Store>) {
    let mut tx = write(&store).await;
    scheduled(&mut *tx, "/early", Some(at(1))).await;
    scheduled(&mut *tx, "/late", Some(at(9))).await;
    scheduled(&mut *tx, "/never", None).await;
    let woken = keys(["/never", "/early", "/late", "/new", "/new"]);
    tx.wake(WorkKind::Operation, &woken, at(5)).await.unwrap();
    tx.wake(WorkKind::Operation, &[], at(0)).await.unwrap();
    let expected =
        [("/early", 1), ("/late", 5), ("/never", 5), ("/new", 5)].map(|(key, n)| operation(key, at(n)));
    assert_eq!(due(&mut *tx, at(5)).await, expected);
}

/// What is forgotten is not due, and forgetting it again is no error.
pub async fn what_is_unscheduled_is_forgotten(store: Arc<dyn Store>) {
    let mut tx = write(&store).await;
    scheduled(&mut *tx, "/a", Some(at(1))).await;
    tx.schedule(WorkKind::Release, "/a", Some(at(1))).await.unwrap();
    scheduled(&mut *tx, "/b", Some(at(1))).await;
    scheduled(&mut *tx, "/c", Some(at(1))).await;
    tx.unschedule(WorkKind::Operation, &keys(["/a", "/c"])).await.unwrap();
    tx.unschedule(WorkKind::Operation, &keys(["/a"])).await.unwrap();
    tx.unschedule(WorkKind::Operation, &[]).await.unwrap();
    assert_eq!(due(&mut *tx, at(9)).await, [operation("/b", at(1))]);
    assert_eq!(tx.due(WorkKind::Release, at(9), 9).await.unwrap().len(), 1);
}

/// The next instant is the earliest of all kinds, to the microsecond.
pub async fn the_next_instant_is_the_earliest_of_all_kinds(store: Arc<dyn Store>) {
    let early = at(1) + chrono::TimeDelta::microseconds(1);
    let mut tx = write(&store).await;
    assert_eq!(tx.next_due("me").await.unwrap(), None);
    scheduled(&mut *tx, "/never", None).await;
    assert_eq!(tx.next_due("me").await.unwrap(), None);
    scheduled(&mut *tx, "/a", Some(at(2))).await;
    tx.schedule(WorkKind::AutoUpgradeProfile, "/p", Some(early)).await.unwrap();
    assert_eq!(tx.next_due("me").await.unwrap(), Some(early));
}

/// Work that is due is done by one transaction at a time: two that look at once never both get a row.
pub async fn due_work_is_done_once(store: Arc<dyn Store>) {
    let mut tx = write(&store).await;
    for number in 0..10 {
        scheduled(&mut *tx, &format!("/o{number}"), Some(at(0))).await;
    }
    tx.commit(false).await.unwrap();
    let mut workers = tokio::task::JoinSet::new();
    for _ in 0..6 {
        let store = Arc::clone(&store);
        workers.spawn(async move {
            let mut done = Vec::new();
            loop {
                let mut tx = write(&store).await;
                let due = tx.due(WorkKind::Operation, at(0), 2).await.unwrap();
                if due.is_empty() {
                    return done;
                }
                let due: Vec<String> = due.into_iter().map(|due| due.key).collect();
                tx.unschedule(WorkKind::Operation, &due).await.unwrap();
                done.extend(due);
                tx.commit(false).await.unwrap();
            }
        });
    }
    let mut done = workers.join_all().await.concat();
    done.sort();
    assert_eq!(done, (0..10).map(|number| format!("/o{number}")).collect::<Vec<_>>());
}
