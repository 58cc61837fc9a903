//! The contract of the leases in [`Work`](crate::store::Work).

use std::sync::Arc;
use std::time::Duration;

use super::sample::{at, write};
use crate::store::{Claim, Lease, Store, WorkKind};

const MINUTE: Duration = Duration::from_secs(60);

/// Short enough to wait for, long enough for a few statements.
const SHORT: Duration = Duration::from_millis(300);

/// How often a case looks again at something that happens by itself, at most.
const LOOKS: usize = 2_000;

fn lease(owner: &str, duration: Duration) -> Lease {
    Lease { owner: owner.to_owned(), duration }
}

async fn scheduled(store: &Arc<dyn Store>, runs: &[&str]) {
    let mut tx = write(store).await;
    for run in runs {
        tx.schedule(WorkKind::UpdateRun, run, Some(at(0))).await.unwrap();
    }
    tx.commit(false).await.unwrap();
}

async fn claimed(store: &Arc<dyn Store>, owner: &str, duration: Duration) -> Option<Claim> {
    let mut tx = write(store).await;
    let claims = tx.claim(WorkKind::UpdateRun, at(0), &lease(owner, duration), 1).await.unwrap();
    tx.commit(false).await.unwrap();
    claims.into_iter().next()
}

async fn claimed_key(store: &Arc<dyn Store>, owner: &str, duration: Duration) -> Option<(String, bool)> {
    claimed(store, owner, duration).await.map(|claim| (claim.due.key, claim.renewed))
}

/// Looks until `claimed` yields something.
async fn claimed_at_last(store: &Arc<dyn Store>, owner: &str) -> (String, bool) {
    for _ in 0..LOOKS {
        if let Some(claim) = claimed_key(store, owner, MINUTE).await {
            return claim;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the lease never expired");
}

/// As many due rows as are asked for are claimed at once, by key.
pub async fn a_claim_takes_as_many_as_are_asked_for(store: Arc<dyn Store>) {
    scheduled(&store, &["/c", "/a", "/b"]).await;
    let mut tx = write(&store).await;
    let claims = tx.claim(WorkKind::UpdateRun, at(0), &lease("me", MINUTE), 2).await.unwrap();
    tx.commit(false).await.unwrap();
    assert_eq!(claims.iter().map(|claim| claim.due.key.as_str()).collect::<Vec<_>>(), ["/a", "/b"]);
    assert_eq!(claimed_key(&store, "you", MINUTE).await, Some(("/c".to_owned(), false)));
    assert_eq!(claimed_key(&store, "you", MINUTE).await, Some(("/c".to_owned(), true)));
}

/// The first due row by key is claimed; the claim says what it is and that it is new.
pub async fn a_claim_takes_the_first_due_row(store: Arc<dyn Store>) {
    scheduled(&store, &["/b", "/a"]).await;
    let mut tx = write(&store).await;
    tx.schedule(WorkKind::UpdateRun, "/0", Some(at(1))).await.unwrap();
    tx.schedule(WorkKind::UpdateRun, "/00", None).await.unwrap();
    tx.schedule(WorkKind::Operation, "/000", Some(at(0))).await.unwrap();
    tx.commit(false).await.unwrap();
    let claim = claimed(&store, "me", MINUTE).await.unwrap();
    assert_eq!((claim.due.kind, claim.due.key.as_str()), (WorkKind::UpdateRun, "/a"));
    assert_eq!((claim.due.at, claim.renewed), (at(0), false));
}

/// What another holds is passed over; what this process holds is claimed again, and said to be.
pub async fn a_claim_passes_over_what_others_hold(store: Arc<dyn Store>) {
    scheduled(&store, &["/a", "/b"]).await;
    assert_eq!(claimed_key(&store, "me", MINUTE).await, Some(("/a".to_owned(), false)));
    assert_eq!(claimed_key(&store, "you", MINUTE).await, Some(("/b".to_owned(), false)));
    assert_eq!(claimed_key(&store, "she", MINUTE).await, None);
    assert_eq!(claimed_key(&store, "you", MINUTE).await, Some(("/b".to_owned(), true)));
}

/// A row that another transaction is claiming right now is passed over, or waited for, but never had twice.
pub async fn concurrent_claims_never_share_a_row(store: Arc<dyn Store>) {
    let runs: Vec<String> = (0..6).map(|number| format!("/r{number}")).collect();
    scheduled(&store, &runs.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let mut claimers = tokio::task::JoinSet::new();
    for number in 0..6 {
        let store = Arc::clone(&store);
        claimers.spawn(async move { claimed_key(&store, &format!("p{number}"), MINUTE).await });
    }
    let mut keys: Vec<String> = claimers.join_all().await.into_iter().flatten().map(|(key, _)| key).collect();
    keys.sort();
    keys.dedup();
    assert_eq!(keys, runs);
}

/// An expired lease keeps nobody away.
pub async fn an_expired_lease_is_taken_over(store: Arc<dyn Store>) {
    scheduled(&store, &["/a"]).await;
    claimed(&store, "dead", Duration::ZERO).await.unwrap();
    assert_eq!(claimed_key(&store, "me", MINUTE).await, Some(("/a".to_owned(), false)));
    assert_eq!(claimed_key(&store, "dead", MINUTE).await, None, "it has lost the row");
}

/// A lease ends by itself when its time is over, and not before.
pub async fn a_lease_ends_by_the_databases_clock(store: Arc<dyn Store>) {
    scheduled(&store, &["/a"]).await;
    let started = std::time::Instant::now();
    claimed(&store, "dead", SHORT).await.unwrap();
    assert_eq!(claimed_at_last(&store, "me").await, ("/a".to_owned(), false));
    assert!(started.elapsed() >= SHORT - Duration::from_millis(2), "it ended after {:?}", started.elapsed());
}

/// Renewing extends every lease of the owner that has not expired, and says how many.
pub async fn renewing_extends_what_has_not_expired(store: Arc<dyn Store>) {
    scheduled(&store, &["/a", "/b"]).await;
    claimed(&store, "me", SHORT).await.unwrap();
    claimed(&store, "you", Duration::ZERO).await.unwrap();
    let mut tx = write(&store).await;
    assert_eq!(tx.renew(&lease("me", MINUTE)).await.unwrap(), 1);
    assert_eq!(tx.renew(&lease("you", MINUTE)).await.unwrap(), 0, "an expired lease stays expired");
    assert_eq!(tx.renew(&lease("she", MINUTE)).await.unwrap(), 0);
    tx.commit(false).await.unwrap();
    assert_eq!(claimed_key(&store, "she", MINUTE).await, Some(("/b".to_owned(), false)));
    let left = write(&store).await.next_expiry("she").await.unwrap().unwrap();
    assert!(left > SHORT && left <= MINUTE, "{left:?}");
}

/// Given back, a row is free at once; only its owner can give it back.
pub async fn a_released_row_is_free(store: Arc<dyn Store>) {
    scheduled(&store, &["/a"]).await;
    claimed(&store, "me", MINUTE).await.unwrap();
    let mut tx = write(&store).await;
    tx.release(WorkKind::UpdateRun, "/a", "you").await.unwrap();
    tx.release(WorkKind::Operation, "/a", "me").await.unwrap();
    tx.commit(false).await.unwrap();
    assert_eq!(claimed_key(&store, "you", MINUTE).await, None);
    let mut tx = write(&store).await;
    tx.release(WorkKind::UpdateRun, "/a", "me").await.unwrap();
    tx.commit(false).await.unwrap();
    assert_eq!(claimed_key(&store, "you", MINUTE).await, Some(("/a".to_owned(), false)));
}

/// All leases of one owner, or of everybody, are given back and counted.
pub async fn all_leases_are_released(store: Arc<dyn Store>) {
    scheduled(&store, &["/a", "/b", "/c"]).await;
    for owner in ["me", "you", "she"] {
        claimed(&store, owner, MINUTE).await.unwrap();
    }
    let mut tx = write(&store).await;
    assert_eq!(tx.release_all(Some("me")).await.unwrap(), 1);
    assert_eq!(tx.release_all(Some("nobody")).await.unwrap(), 0);
    assert_eq!(tx.release_all(None).await.unwrap(), 2);
    tx.commit(false).await.unwrap();
    assert_eq!(write(&store).await.next_expiry("nobody").await.unwrap(), None);
}

/// Scheduling and waking leave the lease as it is.
pub async fn scheduling_keeps_the_lease(store: Arc<dyn Store>) {
    scheduled(&store, &["/a"]).await;
    claimed(&store, "me", MINUTE).await.unwrap();
    let mut tx = write(&store).await;
    tx.schedule(WorkKind::UpdateRun, "/a", Some(at(0))).await.unwrap();
    tx.wake(WorkKind::UpdateRun, &["/a".to_owned()], at(-1)).await.unwrap();
    tx.commit(false).await.unwrap();
    assert_eq!(claimed_key(&store, "you", MINUTE).await, None);
    assert_eq!(claimed_key(&store, "me", MINUTE).await, Some(("/a".to_owned(), true)));
}

/// The next instant leaves out what others hold, until their leases expire.
pub async fn the_next_instant_leaves_out_what_others_hold(store: Arc<dyn Store>) {
    scheduled(&store, &["/a"]).await;
    claimed(&store, "me", MINUTE).await.unwrap();
    let mut tx = write(&store).await;
    assert_eq!(tx.next_due("me").await.unwrap(), Some(at(0)));
    assert_eq!(tx.next_due("you").await.unwrap(), None);
    drop(tx);
    claimed(&store, "me", Duration::ZERO).await.unwrap();
    assert_eq!(write(&store).await.next_due("you").await.unwrap(), Some(at(0)));
}

/// The next expiry is that of another's lease on a row that has an instant.
pub async fn the_next_expiry_is_of_anothers_lease(store: Arc<dyn Store>) {
    scheduled(&store, &["/a"]).await;
    let mut tx = write(&store).await;
    assert_eq!(tx.next_expiry("you").await.unwrap(), None);
    tx.commit(false).await.unwrap();
    claimed(&store, "me", MINUTE).await.unwrap();
    let mut tx = write(&store).await;
    assert_eq!(tx.next_expiry("me").await.unwrap(), None);
    let left = tx.next_expiry("you").await.unwrap().unwrap();
    assert!(left > MINUTE / 2 && left <= MINUTE, "{left:?}");
    tx.schedule(WorkKind::UpdateRun, "/a", None).await.unwrap();
    assert_eq!(tx.next_expiry("you").await.unwrap(), None, "a row without an instant needs nobody");
    tx.schedule(WorkKind::UpdateRun, "/a", Some(at(0))).await.unwrap();
    assert_eq!(tx.claim(WorkKind::UpdateRun, at(0), &lease("me", Duration::ZERO), 1).await.unwrap().len(), 1);
    assert_eq!(tx.next_expiry("you").await.unwrap(), None, "an expired lease is nobody's");
}
