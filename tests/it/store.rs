//! The conformance suite of the stores, a named test a case on each, and what only one of them does.

use fleetplane::store::conformance;
use fleetplane::testing::databases::TestDatabase;

mod each_store;

/// Makes a test of every case on both stores.
macro_rules! on_both_stores {
    ($($case:ident,)*) => {
        const LISTED: &[&str] = &[$(stringify!($case)),*];

        mod sqlite {
            use super::*;
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    let database = TestDatabase::sqlite();
                    conformance::$case(database.open().await.unwrap()).await;
                }
            )*
        }

        mod postgres {
            use super::*;
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    let database = TestDatabase::postgres().await;
                    conformance::$case(database.open().await.unwrap()).await;
                }
            )*
        }
    };
}

fleetplane::for_each_store_case!(on_both_stores);

#[test]
fn every_case_is_listed() {
    let written = conformance::SOURCES
        .iter()
        .flat_map(|source| source.lines())
        .filter_map(|line| line.strip_prefix("pub async fn ")?.split('(').next());
    for case in written {
        assert!(LISTED.contains(&case), "{case} is not in for_each_store_case");
    }
}
