//! The contract of [`Counters`](crate::store::Counters).

use std::sync::Arc;

use super::sample::{read, write};
use crate::store::{Counter, Store};

/// A counter starts at zero and moves by one.
pub async fn a_counter_moves_by_one(store: Arc<dyn Store>) {
    for expected in 0..3 {
        let mut tx = write(&store).await;
        assert_eq!(tx.counter(Counter::Releases).await.unwrap(), expected);
        tx.bump(Counter::Releases).await.unwrap();
        tx.commit(false).await.unwrap();
    }
}

/// No move is lost, however many move it at once.
pub async fn concurrent_moves_of_a_counter_all_count(store: Arc<dyn Store>) {
    let mut writers = tokio::task::JoinSet::new();
    for _ in 0..12 {
        let store = Arc::clone(&store);
        writers.spawn(async move {
            let mut tx = write(&store).await;
            tx.bump(Counter::Releases).await.unwrap();
            tx.commit(false).await.unwrap();
        });
    }
    writers.join_all().await;
    assert_eq!(read(&store).await.counter(Counter::Releases).await.unwrap(), 12);
}
