//! One example of every operation: `openapi/examples.json`, which the OpenAPI document carries.
//!
//! A scenario in which every operation of the route table occurs is played through the router, on both stores. What is
//! recorded of each (the request, and every header and the body of its answer) must be what the file says; clock and ids
//! are the tests' own, so that nothing in it changes by itself. Two bodies are cut: see [`recorder`].
//!
//! The file is written anew as insta's snapshots are; after that `fleetplane openapi` puts it into the document:
//!
//! ```sh
//! INSTA_UPDATE=always cargo nextest run --features test-util -E 'test(api::examples)'
//! cargo run -- openapi
//! ```
//!
//! To add an operation, let it occur in the scenario of its resource.

mod clusters;
mod fleets;
mod placement;
mod recorder;
mod runs;
mod simulator;
mod surroundings;

use std::path::Path;

use fleetplane::service::OperationDurations;
use fleetplane::testing::app::{Backend, TestApp};
use rstest::rstest;
use serde_json::{Map, Value};

use recorder::Recorder;

/// Everything that happens, in an order in which it could.
async fn play(mut recorder: Recorder) -> Map<String, Value> {
    surroundings::begin(&mut recorder).await;
    clusters::begin(&mut recorder).await;
    fleets::begin(&mut recorder).await;
    simulator::begin(&mut recorder).await;
    surroundings::look_around(&mut recorder).await;
    runs::play(&mut recorder).await;
    placement::play(&mut recorder).await;
    fleets::end(&mut recorder).await;
    clusters::end(&mut recorder).await;
    simulator::end(&mut recorder).await;
    surroundings::end(&mut recorder).await;
    recorder.examples()
}

#[rstest]
#[tokio::test]
async fn each_operation_is_answered_as_its_example_says(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::with(backend, OperationDurations::Simulated, |_| {}).await;
    let played = play(Recorder::new(app)).await;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/examples.json");
    let text = serde_json::to_string_pretty(&played).unwrap() + "\n";
    if are_written_anew() {
        std::fs::write(&file, text).unwrap();
        return;
    }
    let found = std::fs::read_to_string(&file).unwrap_or_default();
    let kept: Map<String, Value> = serde_json::from_str(&found).unwrap_or_default();
    for (operation, example) in &played {
        let kept = kept.get(operation).unwrap_or(&Value::Null);
        assert!(kept == example, "{operation} is kept as\n{kept:#}\nand was played as\n{example:#}");
    }
    assert!(found == text, "openapi/examples.json has more, or another order, than what was played");
}

#[rstest]
#[tokio::test]
async fn each_operation_succeeds_after_storage_failed_it_and_another_wrote_first(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (app, faults) = TestApp::with_faults(backend).await;
    let played = play(Recorder::disturbed(app, faults)).await;
    assert_eq!(played.len(), fleetplane::api::routes().len());
}

#[expect(clippy::disallowed_methods, reason = "the variable that rules insta's snapshots rules these too")]
fn are_written_anew() -> bool {
    std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always")
}
