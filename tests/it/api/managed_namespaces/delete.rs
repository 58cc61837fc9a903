//! `DELETE fleets/{fleet}/managedNamespaces/{namespace}`.

use fleetplane::testing::app::{Backend, FLEET, TestApp};
use rstest::rstest;

use super::super::{namespace_body, with_hub};
use super::path;

#[rstest]
#[tokio::test]
async fn it_is_gone_when_its_operation_has_ended(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::simulated(backend).await;
    with_hub(&app).await;
    let _ = app.put(&path(), namespace_body()).await.expect(201);
    let answer = app.delete(&path()).await.expect(202);
    assert_eq!(answer.json()["properties"]["provisioningState"], "Deleting");
    let again = app.delete(&path()).await.expect(202);
    assert_eq!(again.header("location"), answer.header("location"), "the running one");
    app.pass(2).await;
    let _ = app.get(&path()).await.expect(404);
    let _ = app.delete(&path()).await.expect(204);
}

#[tokio::test]
async fn it_goes_with_its_fleet() {
    let app = TestApp::new(Backend::Sqlite).await;
    with_hub(&app).await;
    let _ = app.put(&path(), namespace_body()).await.expect(201);
    let _ = app.delete(FLEET).await.expect(202);
    let _ = app.get(&path()).await.expect(404);
}
