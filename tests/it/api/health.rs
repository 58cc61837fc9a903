//! `/livez`, `/readyz`, `/metrics` and `/openapi.json`: what is asked by whoever watches over the process, or reads about it.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use fleetplane::api;
use fleetplane::app::App;
use fleetplane::lifecycle::shutdown;
use fleetplane::testing::app::{Backend, FLEET, TestApp};
use rstest::rstest;
use tower::ServiceExt as _;

#[rstest]
#[tokio::test]
async fn a_process_lives_before_its_scheduler_does(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    let _ = app.get("/livez").await.expect(200);
    let refused = app.get("/readyz").await.expect(503);
    assert_eq!((refused.code().as_str(), refused.header("retry-after")), ("ServiceUnavailable", "1"));
}

#[rstest]
#[tokio::test]
async fn a_process_is_ready_while_its_scheduler_reaches_the_store(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let test = TestApp::new(backend).await;
    let app = App::of(test.service.clone(), None, true);
    let router = api::router(app.api);
    let ready = async || {
        let request = Request::get("/readyz").body(Body::empty()).unwrap();
        router.clone().oneshot(request).await.unwrap().status()
    };
    let (trigger, until) = shutdown();
    let driver = tokio::spawn(async move { app.scheduler.run(until).await });
    while ready().await != StatusCode::OK {
        tokio::task::yield_now().await;
    }
    trigger.request();
    driver.await.unwrap();
    assert_eq!(ready().await, StatusCode::SERVICE_UNAVAILABLE, "nobody advances runs any more");
}

#[tokio::test]
async fn a_process_without_its_store_lives_and_is_not_ready() {
    let app = TestApp::new(Backend::Sqlite).await;
    app.service.store.close().await;
    let _ = app.get("/livez").await.expect(200);
    let refused = app.get("/readyz").await.expect(503).json();
    assert!(refused["error"]["message"].as_str().unwrap().starts_with("Storage"), "{refused}");
    let metrics = app.get("/metrics").await.expect(200);
    assert!(metrics.text.contains("fleetplane_http_requests_total"), "{}", metrics.text);
}

#[rstest]
#[tokio::test]
async fn runs_are_counted_by_state(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let app = TestApp::new(backend).await;
    super::with_fleet(&app).await;
    for run in ["r1", "r2"] {
        let _ = app.put(&format!("{FLEET}/updateRuns/{run}"), super::run_body()).await.expect(201);
    }
    let metrics = app.get("/metrics").await.expect(200);
    assert_eq!(metrics.header("content-type"), "application/openmetrics-text; version=1.0.0; charset=utf-8");
    for line in ["{state=\"NotStarted\"} 2", "{state=\"Running\"} 0"] {
        let line = format!("fleetplane_update_runs{line}");
        assert!(metrics.text.lines().any(|found| found == line), "{line} is not in\n{}", metrics.text);
    }
    let _ = app.delete(&format!("{FLEET}/updateRuns/r1")).await.expect(200);
    let metrics = app.get("/metrics").await.expect(200);
    assert!(metrics.text.contains("fleetplane_update_runs{state=\"NotStarted\"} 1\n"), "{}", metrics.text);
}

#[rstest]
#[tokio::test]
async fn the_document_shows_what_this_process_serves(#[values(true, false)] simulator: bool) {
    let test = TestApp::new(Backend::Sqlite).await;
    let router = api::router(App::of(test.service.clone(), None, simulator).api);
    let request = Request::get("/openapi.json").body(Body::empty()).unwrap();
    let response = router.oneshot(request).await.unwrap();
    let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    let document: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.contains_key("/openapi.json"));
    assert_eq!(paths.keys().any(|path| path.starts_with("/simulator")), simulator);
}
