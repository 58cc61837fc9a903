//! `DELETE fleets/{fleet}`.

use fleetplane::testing::app::{Backend, FLEET, TestApp};
use rstest::rstest;

#[rstest]
#[tokio::test]
async fn a_fleet_goes_with_everything_in_it(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let app = TestApp::new(backend).await;
    super::super::with_fleet(&app).await;
    let member = format!("{FLEET}/members/m1");
    let _ = app.put(&member, super::super::member_body("c1")).await.expect(201);
    let answer = app.delete(FLEET).await.expect(202);
    assert_eq!(answer.json()["properties"]["provisioningState"], "Deleting");
    assert!(!answer.header("location").is_empty());
    let _ = app.get(FLEET).await.expect(404);
    let _ = app.delete(FLEET).await.expect(204);
    super::super::with_fleet(&app).await;
    let _ = app.get(&member).await.expect(404);
    let _ = app.put(&member, super::super::member_body("c1")).await.expect(201);
}
