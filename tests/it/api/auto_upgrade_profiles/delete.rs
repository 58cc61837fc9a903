//! `DELETE fleets/{fleet}/autoUpgradeProfiles/{profile}`.

use fleetplane::testing::app::{Backend, TestApp};
use rstest::rstest;
use serde_json::json;

use super::super::with_fleet;
use super::{body, path};

#[rstest]
#[tokio::test]
async fn a_profile_goes_at_once_and_answers_204_either_way(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    with_fleet(&app).await;
    let _ = app.put(&path(), body(json!({ "channel": "Rapid" }))).await.expect(201);
    assert_eq!(app.delete(&path()).await.expect(204).text, "");
    let _ = app.get(&path()).await.expect(404);
    let _ = app.delete(&path()).await.expect(204);
    // Nobody looks at what is gone.
    app.tick().await;
}
