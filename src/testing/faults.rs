//! A store that fails when a test says so, around a real one.
//!
//! Two faults are enough, as a transaction is all or nothing: a commit that another writer's came before
//! ([`StorageFaults::lose_commits`]), and storage that does not answer ([`StorageFaults::cut_off`]). To add a method to a port, add
//! its line here.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use async_trait::async_trait;

use crate::domain::clock::ClockSetting;
use crate::domain::time::Timestamp;
use crate::store::{
    Access, Claim, Counter, Counters, Due, Kind, Lease, ListQuery, MemberRow, NewRecord, PoolStatus, Record,
    Records, RunMembers, Store, StoreError, Transaction, Update, Work, WorkKind,
};

/// What is to fail; shared by the test and its store.
#[derive(Debug, Default)]
pub struct StorageFaults {
    commits_to_lose: AtomicU32,
    cut_off: AtomicBool,
}

impl StorageFaults {
    /// The next `commits` are undone instead, as if another had written the same rows meanwhile.
    pub fn lose_commits(&self, commits: u32) {
        self.commits_to_lose.store(commits, Ordering::Relaxed);
    }

    /// How many commits are still to be lost.
    pub fn commits_to_lose(&self) -> u32 {
        self.commits_to_lose.load(Ordering::Relaxed)
    }

    /// From now on storage can't be reached, or can be again.
    pub fn cut_off(&self, cut_off: bool) {
        self.cut_off.store(cut_off, Ordering::Relaxed);
    }

    fn check(&self) -> Result<(), StoreError> {
        match self.cut_off.load(Ordering::Relaxed) {
            true => Err(StoreError::Unavailable("a test has cut off the store".into())),
            false => Ok(()),
        }
    }

    fn takes_a_commit(&self) -> bool {
        let one_less = |left: u32| left.checked_sub(1);
        self.commits_to_lose.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok()
    }
}

/// The store around the real one.
#[derive(Debug)]
pub struct FaultyStore {
    store: Arc<dyn Store>,
    faults: Arc<StorageFaults>,
}

impl FaultyStore {
    /// A store that works like `store`, apart from `faults`.
    pub fn around(store: Arc<dyn Store>, faults: Arc<StorageFaults>) -> Self {
        Self { store, faults }
    }
}

#[async_trait]
impl Store for FaultyStore {
    async fn begin(&self, access: Access) -> Result<Box<dyn Transaction>, StoreError> {
        self.faults.check()?;
        let (tx, faults) = (self.store.begin(access).await?, Arc::clone(&self.faults));
        Ok(Box::new(FaultyTransaction { tx, faults, access }))
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.faults.check()?;
        self.store.ready().await
    }

    async fn changed(&self) -> Result<(), StoreError> {
        self.store.changed().await
    }

    async fn hold_single_process_guard(&self) -> Result<(), StoreError> {
        self.store.hold_single_process_guard().await
    }

    async fn share_with_other_processes(&self) -> Result<(), StoreError> {
        self.store.share_with_other_processes().await
    }

    fn pool(&self) -> PoolStatus {
        self.store.pool()
    }

    async fn close(&self) {
        self.store.close().await;
    }
}

struct FaultyTransaction {
    tx: Box<dyn Transaction>,
    faults: Arc<StorageFaults>,
    access: Access,
}

#[async_trait]
impl Transaction for FaultyTransaction {
    async fn clock(&mut self) -> Result<Option<ClockSetting>, StoreError> {
        self.tx.clock().await
    }

    async fn set_clock(&mut self, setting: ClockSetting) -> Result<(), StoreError> {
        self.tx.set_clock(setting).await
    }

    async fn commit(self: Box<Self>, notify: bool) -> Result<(), StoreError> {
        self.faults.check()?;
        if self.access == Access::Write && self.faults.takes_a_commit() {
            return Err(StoreError::Conflict { key: "a test lets another write first".to_owned() });
        }
        self.tx.commit(notify).await
    }
}

/// Implements a port by passing each call on.
macro_rules! pass_on {
    ($port:ident: $($method:ident($($name:ident: $kind:ty),*) -> $answer:ty;)*) => {
        #[async_trait]
        impl $port for FaultyTransaction {
            $(async fn $method(&mut self, $($name: $kind),*) -> Result<$answer, StoreError> {
                self.tx.$method($($name),*).await
            })*
        }
    };
}

pass_on! { Records:
    get(kind: Kind, key: &str) -> Option<Record>;
    get_many(kind: Kind, keys: &[String]) -> Vec<Record>;
    peek_many(kind: Kind, keys: &[String]) -> Vec<Record>;
    get_unique(kind: Kind, unique: &str) -> Option<Record>;
    list(query: &ListQuery) -> Vec<Record>;
    children(kind: Kind, parent: &str) -> Vec<Record>;
    all(kind: Kind) -> Vec<Record>;
    created_after(kind: Kind, sequence: i64, limit: u32) -> Vec<Record>;
    count(kind: Kind, parent: &str) -> u64;
    tally(kind: Kind, path: &'static [&'static str]) -> Vec<(String, u64)>;
    insert(records: &[NewRecord]) -> ();
    update(updates: &[Update]) -> ();
    delete(key: &str, expected_version: i64) -> ();
    delete_below(key: &str) -> u64;
}

pass_on! { RunMembers:
    members(run: &str) -> Vec<MemberRow>;
    replace_members(run: &str, rows: &[MemberRow]) -> ();
    update_members(run: &str, rows: &[MemberRow]) -> ();
    delete_members(run: &str) -> ();
    touch_clusters(clusters: &[String], now: Timestamp) -> ();
    take_touched(run: &str) -> Vec<u32>;
}

pass_on! { Work:
    schedule(kind: WorkKind, key: &str, at: Option<Timestamp>) -> ();
    wake(kind: WorkKind, keys: &[String], at: Timestamp) -> ();
    wake_all(kind: WorkKind, at: Timestamp) -> ();
    schedule_many(kind: WorkKind, instants: &[(String, Option<Timestamp>)]) -> ();
    unschedule(kind: WorkKind, keys: &[String]) -> ();
    due(kind: WorkKind, now: Timestamp, limit: u32) -> Vec<Due>;
    claim(kind: WorkKind, now: Timestamp, lease: &Lease, limit: u32) -> Vec<Claim>;
    next_due(owner: &str) -> Option<Timestamp>;
    next_expiry(owner: &str) -> Option<std::time::Duration>;
    renew(lease: &Lease) -> u64;
    release(kind: WorkKind, key: &str, owner: &str) -> ();
    release_all(owner: Option<&str>) -> u64;
}

pass_on! { Counters:
    counter(counter: Counter) -> i64;
    bump(counter: Counter) -> ();
}
