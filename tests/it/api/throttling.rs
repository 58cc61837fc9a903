//! `--throttle`: what a client sees of its limits. How buckets fill is told with them.

use axum::body::Body;
use axum::http::Request;
use axum::response::Response;
use fleetplane::api;
use fleetplane::app::App;
use fleetplane::testing::app::{Backend, SUBSCRIPTION, TestApp};
use tower::ServiceExt as _;

const REMAINING: &str = "x-ms-ratelimit-remaining-subscription-reads";

#[tokio::test]
async fn reads_are_counted_down_and_then_refused_until_later() {
    let test = TestApp::new(Backend::Sqlite).await;
    let mut app = App::of(test.service.clone(), None, true);
    app.api.throttle = Some(Default::default());
    let router = api::router(app.api);
    let read = async |path: &str| -> Response {
        let request = Request::get(format!("{path}?api-version=2022-12-01")).body(Body::empty()).unwrap();
        router.clone().oneshot(request).await.unwrap()
    };
    for left in (0..250).rev() {
        let answer = read(SUBSCRIPTION).await;
        assert_eq!(answer.status(), 200);
        assert_eq!(answer.headers()[REMAINING], left.to_string());
    }
    let refused = read(SUBSCRIPTION).await;
    assert_eq!(refused.status(), 429);
    assert_eq!(refused.headers()["retry-after"], "1");
    assert_eq!(refused.headers()["x-ms-error-code"], "TooManyRequests");
    assert!(refused.headers().contains_key("x-ms-request-id"));
    assert_eq!(read("/tenants").await.status(), 200, "in no subscription");
}

#[tokio::test]
async fn without_throttling_nothing_is_counted() {
    let test = TestApp::new(Backend::Sqlite).await;
    assert_eq!(test.get(SUBSCRIPTION).await.expect(200).header(REMAINING), "");
}
