//! What is particular to one store: who may share it, how its schema is checked, how processes hear of each other.

use std::time::Duration;

use fleetplane::store::{Access, Counter, MigrationMode, Store, StoreError};
use fleetplane::testing::databases::TestDatabase;

/// Far longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(30);

mod sqlite {
    use super::*;
    use fleetplane::store::sqlite::SqliteStore;

    #[tokio::test]
    async fn a_file_serves_one_process() {
        let database = TestDatabase::sqlite();
        let first = database.open().await.unwrap();
        let refusal = database.open().await.unwrap_err();
        assert!(matches!(refusal, StoreError::Held(_)), "{refusal:?}");
        assert!(refusal.to_string().contains("Postgres"), "{refusal}");
        first.close().await;
        database.open().await.unwrap();
    }

    #[tokio::test]
    async fn a_file_keeps_what_was_committed() {
        let database = TestDatabase::sqlite();
        let store = database.open().await.unwrap();
        let mut tx = store.begin(Access::Write).await.unwrap();
        tx.bump(Counter::Releases).await.unwrap();
        tx.commit(false).await.unwrap();
        drop(store);
        let store = database.open().await.unwrap();
        let mut tx = store.begin(Access::Read).await.unwrap();
        assert_eq!(tx.counter(Counter::Releases).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn pending_migrations_are_refused_or_applied() {
        let database = TestDatabase::sqlite();
        assert!(
            SqliteStore::open(database.url(), MigrationMode::RefusePending).await.is_err(),
            "no file yet"
        );
        let applied = SqliteStore::migrate(database.url()).await.unwrap();
        assert_eq!(applied[0], "0001 initial");
        assert!(SqliteStore::migrate(database.url()).await.unwrap().is_empty());
        SqliteStore::open(database.url(), MigrationMode::RefusePending).await.unwrap().ready().await.unwrap();
    }

    #[tokio::test]
    async fn a_database_in_memory_lives_as_long_as_its_store() {
        let store = SqliteStore::open("sqlite::memory:", MigrationMode::Apply).await.unwrap();
        let other = SqliteStore::open("sqlite::memory:", MigrationMode::Apply).await.unwrap();
        let mut tx = store.begin(Access::Write).await.unwrap();
        tx.bump(Counter::Releases).await.unwrap();
        tx.commit(true).await.unwrap();
        for (store, expected) in [(&store, 1), (&other, 0)] {
            let mut tx = store.begin(Access::Read).await.unwrap();
            assert_eq!(tx.counter(Counter::Releases).await.unwrap(), expected);
        }
        assert_eq!(store.pool().open, 1);
    }
}

mod postgres {
    use super::*;
    use fleetplane::domain::etag::ETag;
    use fleetplane::domain::resource_id::ResourceId;
    use fleetplane::domain::time::from_micros;
    use fleetplane::store::postgres::PgStore;
    use fleetplane::store::{Kind, Lease, Locator, NewRecord, WorkKind};

    #[tokio::test]
    async fn the_guard_is_one_process_s_until_it_ends() {
        let database = TestDatabase::postgres().await;
        let (first, second) = (database.open().await.unwrap(), database.open().await.unwrap());
        first.hold_single_process_guard().await.unwrap();
        let refusal = second.hold_single_process_guard().await.unwrap_err();
        assert!(matches!(refusal, StoreError::Held(_)), "{refusal:?}");
        first.close().await;
        second.hold_single_process_guard().await.unwrap();
    }

    #[tokio::test]
    async fn processes_that_share_keep_the_guard_from_each_other() {
        let database = TestDatabase::postgres().await;
        let (first, second) = (database.open().await.unwrap(), database.open().await.unwrap());
        first.share_with_other_processes().await.unwrap();
        second.share_with_other_processes().await.unwrap();
        let refusal = first.hold_single_process_guard().await.unwrap_err();
        assert!(matches!(refusal, StoreError::Held(_)), "{refusal:?}");
        // Refused, it shares as before.
        second.hold_single_process_guard().await.unwrap_err();
        first.close().await;
        second.hold_single_process_guard().await.unwrap();
        let third = database.open().await.unwrap();
        let refusal = third.share_with_other_processes().await.unwrap_err();
        assert!(matches!(refusal, StoreError::Held(_)), "{refusal:?}");
        second.share_with_other_processes().await.unwrap();
        third.share_with_other_processes().await.unwrap();
    }

    #[tokio::test]
    async fn pending_migrations_are_refused_or_applied() {
        let database = TestDatabase::postgres().await;
        let refusal = PgStore::connect(database.url(), MigrationMode::RefusePending).await.unwrap_err();
        assert!(matches!(&refusal, StoreError::Schema(text) if text.contains("0001 initial")), "{refusal:?}");
        assert_eq!(PgStore::migrate(database.url()).await.unwrap()[0], "0001 initial");
        assert!(PgStore::migrate(database.url()).await.unwrap().is_empty());
        let store = PgStore::connect(database.url(), MigrationMode::RefusePending).await.unwrap();
        store.ready().await.unwrap();
    }

    #[tokio::test]
    async fn another_process_hears_of_a_write_and_this_one_does_not() {
        let database = TestDatabase::postgres().await;
        let (writer, listener) = (database.open().await.unwrap(), database.open().await.unwrap());
        for store in [&writer, &listener] {
            // The first signal says that it listens now.
            tokio::time::timeout(PATIENCE, store.changed()).await.unwrap().unwrap();
        }
        for notify in [true, false, true] {
            let mut tx = writer.begin(Access::Write).await.unwrap();
            tx.bump(Counter::Releases).await.unwrap();
            tx.commit(notify).await.unwrap();
            if notify {
                tokio::time::timeout(PATIENCE, listener.changed()).await.unwrap().unwrap();
            }
        }
        // By now the writer's own signals would have come too: the server delivers in order, and its last is heard.
        let mut tx = listener.begin(Access::Write).await.unwrap();
        tx.bump(Counter::Releases).await.unwrap();
        tx.commit(true).await.unwrap();
        tokio::time::timeout(PATIENCE, writer.changed()).await.unwrap().unwrap();
        let own = tokio::time::timeout(Duration::from_millis(50), writer.changed()).await;
        assert!(own.is_err(), "one signal was the listener's, so another would be the writer's own");
    }

    #[tokio::test]
    async fn work_locked_by_a_tick_is_passed_over_and_never_waited_for() {
        let database = TestDatabase::postgres().await;
        let store = database.open().await.unwrap();
        let lease = |owner: &str| Lease { owner: owner.to_owned(), duration: PATIENCE };
        let mut tx = store.begin(Access::Write).await.unwrap();
        for run in ["/a", "/b"] {
            tx.schedule(WorkKind::UpdateRun, run, Some(from_micros(0))).await.unwrap();
        }
        tx.commit(false).await.unwrap();
        let mut tick = store.begin(Access::Write).await.unwrap();
        assert_eq!(tick.claim(WorkKind::UpdateRun, from_micros(0), &lease("me"), 1).await.unwrap().len(), 1);
        let others = async {
            let mut tx = store.begin(Access::Write).await.unwrap();
            let due = tx.due(WorkKind::UpdateRun, from_micros(0), 9).await.unwrap();
            assert_eq!(due.iter().map(|due| due.key.as_str()).collect::<Vec<_>>(), ["/b"]);
            let claims = tx.claim(WorkKind::UpdateRun, from_micros(0), &lease("you"), 9).await.unwrap();
            assert_eq!(claims.iter().map(|claim| claim.due.key.as_str()).collect::<Vec<_>>(), ["/b"]);
            assert_eq!(tx.claim(WorkKind::UpdateRun, from_micros(0), &lease("she"), 9).await.unwrap(), []);
            tx.renew(&lease("me")).await.unwrap();
        };
        tokio::time::timeout(PATIENCE, others).await.expect("nobody waits for the tick");
    }

    #[tokio::test]
    async fn a_locked_record_can_be_read() {
        let database = TestDatabase::postgres().await;
        let store = database.open().await.unwrap();
        let id = ResourceId::resource_group("s", "rg").child("fleets", "f");
        let mut tx = store.begin(Access::Write).await.unwrap();
        let fleet = NewRecord {
            locator: Locator::from(&id),
            kind: Kind::Fleet,
            unique: None,
            etag: ETag(uuid::Uuid::nil()),
            body: "{}".to_owned(),
        };
        tx.insert(&[fleet]).await.unwrap();
        tx.commit(false).await.unwrap();
        let mut tick = store.begin(Access::Write).await.unwrap();
        tick.get(Kind::Fleet, &id.key()).await.unwrap().unwrap();
        let others = async {
            let mut tx = store.begin(Access::Read).await.unwrap();
            tx.get(Kind::Fleet, &id.key()).await.unwrap().unwrap();
            let mut tx = store.begin(Access::Write).await.unwrap();
            assert_eq!(tx.peek_many(Kind::Fleet, &[id.key()]).await.unwrap().len(), 1);
        };
        tokio::time::timeout(PATIENCE, others).await.expect("readers wait for nobody");
    }

    #[tokio::test]
    async fn a_lost_connection_is_unavailable_and_comes_back() {
        let database = TestDatabase::postgres().await;
        let store = database.open().await.unwrap();
        tokio::time::timeout(PATIENCE, store.changed()).await.unwrap().unwrap();
        let mut tx = store.begin(Access::Write).await.unwrap();
        tx.bump(Counter::Releases).await.unwrap();
        terminate_others(&database).await;
        let lost = tx.commit(false).await.unwrap_err();
        assert!(matches!(lost, StoreError::Unavailable(_)), "{lost:?}");
        let mut tx = store.begin(Access::Read).await.unwrap();
        assert_eq!(tx.counter(Counter::Releases).await.unwrap(), 0, "what was not acknowledged is not there");
        // It listens again, and says that something may have been missed.
        tokio::time::timeout(PATIENCE, store.changed()).await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn a_server_that_is_away_is_unavailable() {
        let error =
            PgStore::connect("postgres://nobody@127.0.0.1:1/none", MigrationMode::Apply).await.unwrap_err();
        assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
    }

    /// Ends all other connections to this database, as a restart of the server does.
    async fn terminate_others(database: &TestDatabase) {
        use sqlx::Connection;
        let mut connection = sqlx::PgConnection::connect(database.url()).await.expect("the server answers");
        sqlx::query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
             WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )
        .execute(&mut connection)
        .await
        .expect("the user may end its own connections");
    }
}
