//! Records and transactions for the cases.

use std::sync::Arc;

use serde_json::json;
use uuid::Uuid;

use crate::domain::etag::ETag;
use crate::domain::time::{Timestamp, from_micros};
use crate::store::{Access, Kind, Locator, NewRecord, Record, Store, StoreError, Transaction, Update};

pub(super) const SUBSCRIPTION: &str = "11111111-2222-3333-4444-555555555555";

/// The instant so many seconds after the first.
pub(super) fn at(seconds: i64) -> Timestamp {
    from_micros(1_796_000_000_000_000 + seconds * 1_000_000)
}

pub(super) fn etag(number: u128) -> ETag {
    ETag(Uuid::from_u128(number))
}

pub(super) fn group_key(group: &str) -> String {
    format!("/subscriptions/{SUBSCRIPTION}/resourcegroups/{group}")
}

pub(super) fn fleet_key(group: &str, name: &str) -> String {
    format!("{}/providers/microsoft.containerservice/fleets/{name}", group_key(group))
}

/// A fleet `name` in `group`.
pub(super) fn fleet(group: &str, name: &str) -> NewRecord {
    let locator = Locator {
        key: fleet_key(group, name),
        parent: group_key(group),
        subscription: SUBSCRIPTION.to_owned(),
        group: group.to_owned(),
        name: name.to_owned(),
    };
    NewRecord {
        locator,
        kind: Kind::Fleet,
        unique: None,
        etag: etag(1),
        body: json!({ "name": name }).to_string(),
    }
}

/// A child of fleet `f` in group `rg`.
pub(super) fn child(kind: Kind, name: &str) -> NewRecord {
    let parent = fleet_key("rg", "f");
    let locator = Locator {
        key: format!("{parent}/{}/{name}", kind.as_str().to_ascii_lowercase()),
        parent,
        name: name.to_owned(),
        ..fleet("rg", "f").locator
    };
    NewRecord { kind, locator, ..fleet("rg", name) }
}

pub(super) fn with_body(record: NewRecord, body: &serde_json::Value) -> NewRecord {
    NewRecord { body: body.to_string(), ..record }
}

/// A write of `key` at `version` that makes the body `{"is": text}`.
pub(super) fn update(key: &str, expected_version: i64, text: &str) -> Update {
    Update { key: key.to_owned(), expected_version, etag: etag(2), body: json!({ "is": text }).to_string() }
}

pub(super) fn names(records: &[Record]) -> Vec<&str> {
    records.iter().map(|record| record.place.1.as_str()).collect()
}

pub(super) fn keys<const N: usize>(keys: [&str; N]) -> Vec<String> {
    keys.map(str::to_owned).to_vec()
}

pub(super) async fn read(store: &Arc<dyn Store>) -> Box<dyn Transaction> {
    store.begin(Access::Read).await.expect("a reading transaction begins")
}

pub(super) async fn write(store: &Arc<dyn Store>) -> Box<dyn Transaction> {
    store.begin(Access::Write).await.expect("a writing transaction begins")
}

/// Inserts and commits.
pub(super) async fn inserted(store: &Arc<dyn Store>, records: &[NewRecord]) {
    let mut tx = write(store).await;
    tx.insert(records).await.expect("the records are new");
    tx.commit(false).await.expect("the insertion commits");
}

/// Updates and commits.
pub(super) async fn updated(store: &Arc<dyn Store>, updates: &[Update]) -> Result<(), StoreError> {
    let mut tx = write(store).await;
    tx.update(updates).await?;
    tx.commit(false).await
}

/// The record as a transaction of its own sees it.
pub(super) async fn found(store: &Arc<dyn Store>, kind: Kind, key: &str) -> Option<Record> {
    read(store).await.get(kind, key).await.expect("a record is looked up")
}

/// The key that a conflict names.
pub(super) fn conflict(result: Result<(), StoreError>) -> String {
    match result {
        Err(StoreError::Conflict { key }) => key,
        other => panic!("expected a conflict, got {other:?}"),
    }
}

/// The key that is said to exist.
pub(super) fn exists(result: Result<(), StoreError>) -> String {
    match result {
        Err(StoreError::Exists { key }) => key,
        other => panic!("expected that a key exists, got {other:?}"),
    }
}
