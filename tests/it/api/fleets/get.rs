//! `GET fleets/{fleet}`.

use axum::http::Method;
use fleetplane::testing::app::{Backend, FLEET, TestApp};
use rstest::rstest;

#[rstest]
#[tokio::test]
async fn a_fleet_reads_the_same_every_time(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let app = TestApp::new(backend).await;
    super::super::with_fleet(&app).await;
    let once = app.get(FLEET).await.expect(200);
    assert_eq!(once.text, app.get(FLEET).await.text);
}

#[tokio::test]
async fn system_data_tells_who_wrote_first_and_last() {
    let app = TestApp::new(Backend::Sqlite).await;
    // {"upn":"ada@example.com"} and {"appid":"robot"}
    for token in ["e30.eyJ1cG4iOiJhZGFAZXhhbXBsZS5jb20ifQ.x", "e30.eyJhcHBpZCI6InJvYm90In0.x"] {
        let request = app.request(Method::PUT, FLEET).header("authorization", &format!("Bearer {token}"));
        let _ = request.json(super::super::fleet_body()).send().await;
    }
    let data = app.get(FLEET).await.json()["systemData"].clone();
    assert_eq!((&data["createdBy"], &data["createdByType"]), (&"ada@example.com".into(), &"User".into()));
    assert_eq!(
        (&data["lastModifiedBy"], &data["lastModifiedByType"]),
        (&"robot".into(), &"Application".into())
    );
}
