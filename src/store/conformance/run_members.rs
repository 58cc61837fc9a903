//! The contract of [`RunMembers`](crate::store::RunMembers).

use std::sync::Arc;

use super::sample::{at, conflict, keys, read, write};
use crate::store::{Access, MemberRow, Store, WorkKind};

fn row(ordinal: u32, cluster: &str, open: bool) -> MemberRow {
    MemberRow { ordinal, cluster: cluster.to_owned(), open, body: format!("{{\"n\": {ordinal}}}") }
}

async fn planned(store: &Arc<dyn Store>, run: &str, rows: &[MemberRow]) {
    let mut tx = write(store).await;
    tx.replace_members(run, rows).await.unwrap();
    tx.commit(false).await.unwrap();
}

async fn members(store: &Arc<dyn Store>, run: &str) -> Vec<MemberRow> {
    read(store).await.members(run).await.unwrap()
}

/// A plan comes back as it was written, by ordinal.
pub async fn a_plan_comes_back_by_ordinal(store: Arc<dyn Store>) {
    planned(&store, "/run", &[row(10, "/c", false), row(2, "/b", true), row(0, "/a", true)]).await;
    planned(&store, "/run2", &[row(0, "/z", true)]).await;
    let expected = [row(0, "/a", true), row(2, "/b", true), row(10, "/c", false)];
    assert_eq!(members(&store, "/run").await, expected);
}

/// Replacing a plan leaves nothing of the one before.
pub async fn a_plan_is_replaced_as_a_whole(store: Arc<dyn Store>) {
    planned(&store, "/run", &[row(0, "/a", true), row(1, "/b", true)]).await;
    planned(&store, "/run", &[row(0, "/c", false)]).await;
    assert_eq!(members(&store, "/run").await, [row(0, "/c", false)]);
    planned(&store, "/run", &[]).await;
    assert!(members(&store, "/run").await.is_empty());
}

/// An update writes the members it names and no others.
pub async fn an_update_writes_the_members_it_names(store: Arc<dyn Store>) {
    let rows = [row(0, "/a", true), row(1, "/b", true), row(2, "/c", true)];
    planned(&store, "/run", &rows).await;
    planned(&store, "/run2", &rows).await;
    let changed = MemberRow { open: false, body: "{\"done\": true}".to_owned(), ..row(1, "/b2", true) };
    let mut tx = write(&store).await;
    tx.update_members("/run", std::slice::from_ref(&changed)).await.unwrap();
    tx.update_members("/run", &[]).await.unwrap();
    tx.commit(false).await.unwrap();
    assert_eq!(members(&store, "/run").await, [row(0, "/a", true), changed, row(2, "/c", true)]);
    assert_eq!(members(&store, "/run2").await, rows);
}

/// A member that the plan does not have can't be written.
pub async fn an_update_of_a_missing_member_is_a_conflict(store: Arc<dyn Store>) {
    planned(&store, "/run", &[row(0, "/a", true)]).await;
    let mut tx = write(&store).await;
    let result = tx.update_members("/run", &[row(0, "/a", false), row(1, "/b", true)]).await;
    assert_eq!(conflict(result), "/run");
}

/// Removing a plan removes what is noted of its members, and no other run's.
pub async fn a_removed_plan_takes_its_notes_along(store: Arc<dyn Store>) {
    planned(&store, "/run", &[row(0, "/a", true)]).await;
    planned(&store, "/run2", &[row(3, "/a", true)]).await;
    let mut tx = write(&store).await;
    tx.touch_clusters(&keys(["/a"]), at(0)).await.unwrap();
    tx.delete_members("/run").await.unwrap();
    assert!(tx.members("/run").await.unwrap().is_empty());
    assert!(tx.take_touched("/run").await.unwrap().is_empty());
    assert_eq!(tx.take_touched("/run2").await.unwrap(), [3]);
}

/// A change of clusters is noted for the open members on them, and only for those.
pub async fn open_members_on_a_touched_cluster_are_noted(store: Arc<dyn Store>) {
    planned(&store, "/run1", &[row(0, "/a", true), row(1, "/b", true), row(2, "/c", true)]).await;
    planned(&store, "/run2", &[row(7, "/b", true), row(8, "/a", false)]).await;
    planned(&store, "/run3", &[row(0, "/a", false)]).await;
    let mut tx = write(&store).await;
    tx.touch_clusters(&keys(["/b", "/missing", "/a"]), at(5)).await.unwrap();
    tx.commit(false).await.unwrap();
    let mut tx = write(&store).await;
    assert_eq!(tx.take_touched("/run1").await.unwrap(), [0, 1]);
    assert_eq!(tx.take_touched("/run2").await.unwrap(), [7]);
    assert!(tx.take_touched("/run3").await.unwrap().is_empty());
    let due = tx.due(WorkKind::UpdateRun, at(5), 10).await.unwrap();
    let due: Vec<_> = due.iter().map(|due| (due.key.as_str(), due.at)).collect();
    assert_eq!(due, [("/run1", at(5)), ("/run2", at(5))]);
}

/// Touching wakes a run, and never makes it due later than it was.
pub async fn touching_keeps_an_earlier_instant(store: Arc<dyn Store>) {
    planned(&store, "/run", &[row(0, "/a", true)]).await;
    let mut tx = write(&store).await;
    tx.schedule(WorkKind::UpdateRun, "/run", Some(at(3))).await.unwrap();
    tx.touch_clusters(&keys(["/a"]), at(5)).await.unwrap();
    assert_eq!(tx.next_due("me").await.unwrap(), Some(at(3)));
    tx.touch_clusters(&keys(["/a"]), at(1)).await.unwrap();
    assert_eq!(tx.next_due("me").await.unwrap(), Some(at(1)));
}

/// Notes are taken once: each ordinal once, ascending, however often it was touched.
pub async fn notes_are_taken_once(store: Arc<dyn Store>) {
    planned(&store, "/run", &[row(1, "/a", true), row(0, "/b", true)]).await;
    for _ in 0..2 {
        let mut tx = write(&store).await;
        tx.touch_clusters(&keys(["/a", "/b"]), at(0)).await.unwrap();
        tx.touch_clusters(&keys(["/a"]), at(0)).await.unwrap();
        tx.commit(false).await.unwrap();
    }
    let mut tx = write(&store).await;
    assert_eq!(tx.take_touched("/run").await.unwrap(), [0, 1]);
    assert!(tx.take_touched("/run").await.unwrap().is_empty());
    drop(tx);
    let mut tx = write(&store).await;
    assert_eq!(tx.take_touched("/run").await.unwrap(), [0, 1], "a dropped transaction takes nothing");
}

/// A note made while another transaction takes notes is kept for the next.
pub async fn no_note_is_lost_between_two_transactions(store: Arc<dyn Store>) {
    planned(&store, "/run", &[row(0, "/a", true)]).await;
    let mut touchers = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let store = Arc::clone(&store);
        touchers.spawn(async move {
            let mut tx = write(&store).await;
            tx.touch_clusters(&keys(["/a"]), at(0)).await.unwrap();
            tx.commit(false).await.unwrap();
            let mut tx = store.begin(Access::Write).await.unwrap();
            let taken = tx.take_touched("/run").await.unwrap();
            tx.commit(false).await.unwrap();
            !taken.is_empty()
        });
    }
    let took = touchers.join_all().await;
    assert!(took.contains(&true));
    assert!(write(&store).await.take_touched("/run").await.unwrap().is_empty());
}

/// Ten thousand members are written and updated at once.
pub async fn ten_thousand_members_are_written_at_once(store: Arc<dyn Store>) {
    let mut rows: Vec<MemberRow> = (0..10_000).map(|n| row(n, &format!("/c{n}"), true)).collect();
    planned(&store, "/run", &rows).await;
    assert_eq!(members(&store, "/run").await, rows);
    for row in &mut rows {
        row.open = false;
    }
    let mut tx = write(&store).await;
    tx.update_members("/run", &rows).await.unwrap();
    tx.commit(false).await.unwrap();
    assert_eq!(members(&store, "/run").await, rows);
}
