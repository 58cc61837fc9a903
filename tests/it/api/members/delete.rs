//! `DELETE fleets/{fleet}/members/{member}`.

use fleetplane::testing::app::{Backend, FLEET, TestApp};

#[tokio::test]
async fn a_cluster_that_left_may_join_again() {
    let app = TestApp::new(Backend::Sqlite).await;
    super::super::with_fleet(&app).await;
    let path = format!("{FLEET}/members/m1");
    let _ = app.put(&path, super::super::member_body("c1")).await.expect(201);
    let answer = app.delete(&path).await.expect(202);
    assert_eq!(answer.json()["properties"]["provisioningState"], "Leaving");
    let _ = app.delete(&path).await.expect(204);
    let _ = app.put(&format!("{FLEET}/members/m2"), super::super::member_body("c1")).await.expect(201);
}
