//! How fast clusters are made and runs go through the whole service, on both stores, side by side in one run of this program.
//!
//! `cargo bench --features test-util --bench runs`; Postgres takes part where `TEST_DATABASE_URL` names a server.

mod bulk;
mod many;
mod scale;
mod service;
mod weeks;

use fleetplane::testing::databases::TestDatabase;

fn main() {
    // The standard harness would be asked to list tests; this program has none.
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    let runtime = tokio::runtime::Runtime::new().expect("threads can be started");
    runtime.block_on(async {
        measure("sqlite", TestDatabase::sqlite).await;
        #[expect(
            clippy::disallowed_methods,
            reason = "whether there is a server is the environment's to say"
        )]
        if std::env::var("TEST_DATABASE_URL").is_ok() {
            let databases: Vec<TestDatabase> = vec![
                TestDatabase::postgres().await,
                TestDatabase::postgres().await,
                TestDatabase::postgres().await,
                TestDatabase::postgres().await,
                TestDatabase::postgres().await,
            ];
            let mut databases = databases.into_iter();
            measure("postgres", move || databases.next().expect("one for each measurement")).await;
        } else {
            println!("postgres: left out, TEST_DATABASE_URL names no server");
        }
    });
}

/// Every measurement on databases of one sort, each on a new one.
async fn measure(name: &str, mut database: impl FnMut() -> TestDatabase) {
    bulk::measure(name, &database()).await;
    many::measure(name, &database()).await;
    scale::measure(name, &database(), &database()).await;
    weeks::measure(name, &database()).await;
}
