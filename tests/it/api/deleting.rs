//! What is still possible in something that is being deleted: reading and deleting, nothing else.

use axum::http::Method;
use fleetplane::api::route::Route;
use fleetplane::testing::app::{Backend, FLEET, GROUP};
use rstest::rstest;

use super::CLUSTER;
use super::estate::{Estate, is_read_by_post};

/// Whether the route changes something in what `place` names.
fn writes_in(route: &Route, place: &str) -> bool {
    let changes = !matches!(route.method, Method::GET | Method::HEAD | Method::DELETE);
    route.is_arm() && route.path.contains(&format!("{place}/")) && changes && !is_read_by_post(route)
}

#[rstest]
#[case::fleet(FLEET, "{fleetName}")]
#[case::cluster(CLUSTER, "{resourceName}")]
#[case::group(GROUP, "{resourceGroupName}")]
#[tokio::test]
async fn nothing_is_written_into_what_is_being_deleted(
    #[case] parent: &str,
    #[case] place: &str,
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let estate = Estate::new(backend).await.slow().await;
    let _ = estate.app.delete(parent).await.expect(202);
    let routes = fleetplane::api::routes();
    for route in routes.iter().filter(|route| writes_in(route, place)) {
        let asked = estate.asked(route);
        let refused = estate.send(route, &asked.path).await;
        let id = route.operation.id;
        assert_eq!(refused.status.as_u16(), 409, "{id}: {}", refused.text);
        assert_eq!(refused.code(), "OperationNotAllowed", "{id}");
    }
    for route in routes.iter().filter(|route| route.is_arm() && route.path.contains(place)) {
        let id = route.operation.id;
        let reads = matches!(route.method, Method::GET | Method::HEAD) || is_read_by_post(route);
        if !reads && route.method != Method::DELETE {
            continue;
        }
        let answer = estate.send(route, &estate.asked(route).path).await;
        let told = route.operation.answers.iter().any(|told| told.status == answer.status.as_u16());
        // A cluster has one operation at a time, and that is its deletion.
        let waits = answer.status.as_u16() == 409 && id == "AgentPools_Delete";
        assert!(told || waits, "{id}: {}", answer.text);
    }
    estate.app.pass(300).await;
    let _ = estate.app.get(parent).await.expect(404);
}
