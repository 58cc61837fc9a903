//! The contract of [`Records`](crate::store::Records), except lists.

use std::sync::Arc;

use serde_json::json;

use super::sample::{
    child, conflict, etag, exists, fleet, fleet_key, found, group_key, inserted, keys, names, read, update,
    updated, with_body, write,
};
use crate::domain::time::from_micros;
use crate::store::{Kind, MemberRow, NewRecord, Store, StoreError, WorkKind};

/// A record comes back as it went in, at version 1, its body to the byte.
pub async fn a_new_record_is_found_as_it_was_inserted(store: Arc<dyn Store>) {
    let body = "{\"b\": 1,  \"a\":\"ü €\", \"a2\":null}";
    let new = NewRecord { body: body.to_owned(), ..fleet("rg", "f") };
    inserted(&store, std::slice::from_ref(&new)).await;
    let record = found(&store, Kind::Fleet, &new.locator.key).await.expect("it was inserted");
    assert_eq!(record.key, new.locator.key);
    assert_eq!(record.kind, Kind::Fleet);
    assert_eq!(record.place, ("rg".to_owned(), "f".to_owned()));
    assert_eq!(record.version, 1);
    assert_eq!(record.etag, etag(1));
    assert_eq!(record.body, body);
}

/// A key is looked up with its kind; another kind's record is not found by it.
pub async fn a_record_of_another_kind_is_not_found(store: Arc<dyn Store>) {
    inserted(&store, &[fleet("rg", "f")]).await;
    let key = fleet_key("rg", "f");
    assert!(found(&store, Kind::Member, &key).await.is_none());
    assert!(found(&store, Kind::Fleet, &fleet_key("rg", "g")).await.is_none());
    let mut tx = read(&store).await;
    assert!(tx.get_many(Kind::Member, std::slice::from_ref(&key)).await.unwrap().is_empty());
    assert!(tx.peek_many(Kind::Member, &[key]).await.unwrap().is_empty());
}

/// Many are returned by key, whatever order they were asked in; missing ones are left out.
pub async fn many_records_come_ordered_by_key(store: Arc<dyn Store>) {
    inserted(&store, &[fleet("rg", "c"), fleet("rg", "a"), fleet("rg", "b")]).await;
    let asked = ["c", "missing", "a", "b", "a"].map(|name| fleet_key("rg", name));
    let mut tx = write(&store).await;
    assert_eq!(names(&tx.get_many(Kind::Fleet, &asked).await.unwrap()), ["a", "b", "c"]);
    assert_eq!(names(&tx.peek_many(Kind::Fleet, &asked).await.unwrap()), ["a", "b", "c"]);
    assert!(tx.get_many(Kind::Fleet, &[]).await.unwrap().is_empty());
}

/// An update moves the version by one and replaces tag and body, nothing else.
pub async fn an_update_moves_the_version_by_one(store: Arc<dyn Store>) {
    inserted(&store, &[fleet("rg", "f")]).await;
    let key = fleet_key("rg", "f");
    let before = found(&store, Kind::Fleet, &key).await.unwrap();
    updated(&store, &[update(&key, 1, "new")]).await.unwrap();
    let after = found(&store, Kind::Fleet, &key).await.unwrap();
    assert_eq!((after.version, after.etag), (2, etag(2)));
    assert_eq!(after.body, r#"{"is":"new"}"#);
    assert_eq!((after.sequence, after.place), (before.sequence, before.place));
}

/// Whoever saw an older version loses, and the loser's write leaves nothing.
pub async fn a_stale_update_is_a_conflict(store: Arc<dyn Store>) {
    inserted(&store, &[fleet("rg", "f")]).await;
    let key = fleet_key("rg", "f");
    updated(&store, &[update(&key, 1, "first")]).await.unwrap();
    assert_eq!(conflict(updated(&store, &[update(&key, 1, "second")]).await), key);
    assert_eq!(conflict(updated(&store, &[update(&key, 3, "third")]).await), key);
    assert_eq!(found(&store, Kind::Fleet, &key).await.unwrap().body, r#"{"is":"first"}"#);
}

/// A record that does not exist can't be updated.
pub async fn an_update_of_a_missing_record_is_a_conflict(store: Arc<dyn Store>) {
    let key = fleet_key("rg", "missing");
    assert_eq!(conflict(updated(&store, &[update(&key, 1, "x")]).await), key);
}

/// Several updates are all written or none; the conflict names the one at fault.
pub async fn updates_are_written_all_or_none(store: Arc<dyn Store>) {
    inserted(&store, &[fleet("rg", "a"), fleet("rg", "b"), fleet("rg", "c")]).await;
    let [a, b, c] = ["a", "b", "c"].map(|name| fleet_key("rg", name));
    let updates = [update(&a, 1, "x"), update(&b, 7, "x"), update(&c, 1, "x")];
    assert_eq!(conflict(updated(&store, &updates).await), b);
    for key in [&a, &b, &c] {
        assert_eq!(found(&store, Kind::Fleet, key).await.unwrap().version, 1);
    }
    updated(&store, &[update(&c, 1, "c"), update(&a, 1, "a"), update(&b, 1, "b")]).await.unwrap();
    assert_eq!(found(&store, Kind::Fleet, &b).await.unwrap().body, r#"{"is":"b"}"#);
    assert_eq!(found(&store, Kind::Fleet, &c).await.unwrap().body, r#"{"is":"c"}"#);
}

/// One version can be left once, also inside one call.
pub async fn two_updates_of_one_version_are_a_conflict(store: Arc<dyn Store>) {
    inserted(&store, &[fleet("rg", "f")]).await;
    let key = fleet_key("rg", "f");
    assert_eq!(conflict(updated(&store, &[update(&key, 1, "x"), update(&key, 1, "y")]).await), key);
}

/// Of any number of writers that saw one version, one wins.
pub async fn of_concurrent_writers_exactly_one_wins(store: Arc<dyn Store>) {
    inserted(&store, &[fleet("rg", "f")]).await;
    let key = fleet_key("rg", "f");
    let mut writers = tokio::task::JoinSet::new();
    for number in 0..12 {
        let (store, update) = (Arc::clone(&store), update(&key, 1, &number.to_string()));
        writers.spawn(async move { updated(&store, &[update]).await });
    }
    let outcomes = writers.join_all().await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    for outcome in outcomes.into_iter().filter(Result::is_err) {
        assert_eq!(conflict(outcome), key);
    }
    assert_eq!(found(&store, Kind::Fleet, &key).await.unwrap().version, 2);
}

/// A record that was got in a writing transaction can't be written by others until its end, so that read, decide,
/// write never loses.
pub async fn a_record_that_was_got_stays_locked(store: Arc<dyn Store>) {
    inserted(&store, &[with_body(fleet("rg", "f"), &json!({ "is": "0" }))]).await;
    let key = fleet_key("rg", "f");
    let mut writers = tokio::task::JoinSet::new();
    for number in 0..12 {
        let (store, key) = (Arc::clone(&store), key.clone());
        writers.spawn(async move {
            let mut tx = write(&store).await;
            let seen = if number % 2 == 0 {
                tx.get(Kind::Fleet, &key).await?.expect("nobody removes it")
            } else {
                tx.get_many(Kind::Fleet, std::slice::from_ref(&key)).await?.remove(0)
            };
            tokio::task::yield_now().await;
            tx.update(&[update(&key, seen.version, "x")]).await?;
            tx.commit(false).await
        });
    }
    let outcomes: Vec<Result<(), StoreError>> = writers.join_all().await;
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    assert_eq!(found(&store, Kind::Fleet, &key).await.unwrap().version, 13);
}

/// A taken key is refused by name, and nothing of the insertion stays.
pub async fn a_key_that_exists_is_refused(store: Arc<dyn Store>) {
    inserted(&store, &[fleet("rg", "b")]).await;
    let mut tx = write(&store).await;
    let result = tx.insert(&[fleet("rg", "a"), fleet("rg", "b"), fleet("rg", "c")]).await;
    assert_eq!(exists(result), fleet_key("rg", "b"));
    drop(tx);
    for name in ["a", "c"] {
        assert!(found(&store, Kind::Fleet, &fleet_key("rg", name)).await.is_none());
    }
}

/// One key twice in one insertion is refused like any other.
pub async fn a_key_twice_in_one_insertion_is_refused(store: Arc<dyn Store>) {
    let mut tx = write(&store).await;
    let result = tx.insert(&[fleet("rg", "a"), fleet("rg", "b"), fleet("rg", "a")]).await;
    assert_eq!(exists(result), fleet_key("rg", "a"));
}

/// Of two transactions that insert one key, one wins.
pub async fn of_concurrent_insertions_exactly_one_wins(store: Arc<dyn Store>) {
    let mut writers = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let store = Arc::clone(&store);
        writers.spawn(async move {
            let mut tx = write(&store).await;
            tx.insert(&[fleet("rg", "f")]).await?;
            tx.commit(false).await
        });
    }
    let outcomes = writers.join_all().await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    for outcome in outcomes.into_iter().filter(Result::is_err) {
        assert_eq!(exists(outcome), fleet_key("rg", "f"));
    }
}

/// A unique key is taken once a kind; records without one don't mind each other.
pub async fn a_unique_key_is_taken_once_a_kind(store: Arc<dyn Store>) {
    let unique = |kind, name| NewRecord { unique: Some("/cluster".to_owned()), ..child(kind, name) };
    inserted(&store, &[unique(Kind::Member, "a"), unique(Kind::Gate, "a"), child(Kind::Member, "b")]).await;
    inserted(&store, &[child(Kind::Member, "c")]).await;
    let mut tx = write(&store).await;
    assert_eq!(exists(tx.insert(&[unique(Kind::Member, "d")]).await), "/cluster");
    drop(tx);
    let mut tx = read(&store).await;
    let found = tx.get_unique(Kind::Member, "/cluster").await.unwrap().expect("it is taken");
    assert_eq!(found.place.1, "a");
    assert!(tx.get_unique(Kind::Member, "/other").await.unwrap().is_none());
    assert!(tx.get_unique(Kind::Fleet, "/cluster").await.unwrap().is_none());
}

/// A unique key is free again when its record is gone.
pub async fn a_unique_key_is_freed_by_deletion(store: Arc<dyn Store>) {
    let unique = |name| NewRecord { unique: Some("/cluster".to_owned()), ..child(Kind::Member, name) };
    inserted(&store, &[unique("a")]).await;
    let mut tx = write(&store).await;
    tx.delete(&unique("a").locator.key, 1).await.unwrap();
    tx.insert(&[unique("b")]).await.unwrap();
    tx.commit(false).await.unwrap();
}

/// A record is removed at the version that was seen, and only then.
pub async fn a_deletion_names_the_version(store: Arc<dyn Store>) {
    inserted(&store, &[fleet("rg", "f")]).await;
    let key = fleet_key("rg", "f");
    updated(&store, &[update(&key, 1, "x")]).await.unwrap();
    let mut tx = write(&store).await;
    assert_eq!(conflict(tx.delete(&key, 1).await), key);
    drop(tx);
    assert!(found(&store, Kind::Fleet, &key).await.is_some());
    let mut tx = write(&store).await;
    tx.delete(&key, 2).await.unwrap();
    assert_eq!(conflict(tx.delete(&key, 2).await), key);
    tx.commit(false).await.unwrap();
    assert!(found(&store, Kind::Fleet, &key).await.is_none());
}

/// Everything below a key goes, with its run members and work rows; the key itself and its neighbours stay.
pub async fn what_is_below_a_key_is_removed(store: Arc<dyn Store>) {
    let run = child(Kind::UpdateRun, "r");
    let neighbours = [fleet("rg", "f"), fleet("rg", "f-2"), fleet("rg", "f0"), fleet("rg2", "f")];
    inserted(&store, &neighbours).await;
    inserted(&store, &[run.clone(), child(Kind::Member, "m")]).await;
    let kept = fleet_key("rg", "f-2");
    let row = MemberRow { ordinal: 0, cluster: "/c".to_owned(), open: true, body: "{}".to_owned() };
    let mut tx = write(&store).await;
    for key in [&run.locator.key, &kept] {
        tx.replace_members(key, std::slice::from_ref(&row)).await.unwrap();
        tx.touch_clusters(&keys(["/c"]), from_micros(0)).await.unwrap();
    }
    assert_eq!(tx.delete_below(&fleet_key("rg", "f")).await.unwrap(), 2);
    tx.commit(false).await.unwrap();

    let mut tx = write(&store).await;
    assert_eq!(tx.count(Kind::UpdateRun, &fleet_key("rg", "f")).await.unwrap(), 0);
    assert_eq!(tx.count(Kind::Member, &fleet_key("rg", "f")).await.unwrap(), 0);
    assert!(tx.members(&run.locator.key).await.unwrap().is_empty());
    assert!(tx.take_touched(&run.locator.key).await.unwrap().is_empty());
    assert_eq!(tx.members(&kept).await.unwrap().len(), 1);
    assert_eq!(tx.take_touched(&kept).await.unwrap(), [0]);
    let due = tx.due(WorkKind::UpdateRun, from_micros(0), 10).await.unwrap();
    assert_eq!(due.iter().map(|due| due.key.as_str()).collect::<Vec<_>>(), [kept.as_str()]);
    for record in &neighbours {
        assert!(tx.get(Kind::Fleet, &record.locator.key).await.unwrap().is_some());
    }
}

/// Below a resource group's key is everything in the group, at any depth.
pub async fn below_a_group_is_everything_in_it(store: Arc<dyn Store>) {
    inserted(&store, &[fleet("rg", "f"), child(Kind::Member, "m"), fleet("rg-2", "f")]).await;
    let mut tx = write(&store).await;
    assert_eq!(tx.delete_below(&group_key("rg")).await.unwrap(), 2);
    tx.commit(false).await.unwrap();
    assert!(found(&store, Kind::Fleet, &fleet_key("rg-2", "f")).await.is_some());
}

/// Ten thousand records go in at once.
pub async fn many_records_are_inserted_and_updated_at_once(store: Arc<dyn Store>) {
    let records: Vec<NewRecord> =
        (0..10_000).map(|number| child(Kind::Member, &format!("m{number:05}"))).collect();
    inserted(&store, &records).await;
    let updates: Vec<_> = records.iter().map(|record| update(&record.locator.key, 1, "x")).collect();
    updated(&store, &updates).await.unwrap();
    let mut tx = read(&store).await;
    let children = tx.children(Kind::Member, &fleet_key("rg", "f")).await.unwrap();
    assert_eq!(children.len(), 10_000);
    assert!(children.iter().all(|record| record.version == 2));
}
