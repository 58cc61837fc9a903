//! Collections, page by page.

use fleetplane::testing::app::{Backend, FLEET, TestApp};
use rstest::rstest;

#[rstest]
#[tokio::test]
async fn walking_pages_sees_everything_once_whatever_comes_and_goes(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    super::with_fleet(&app).await;
    let path = |name: &str| format!("{FLEET}/updateStrategies/{name}");
    for name in ["a", "c", "e", "g"] {
        let _ = app.put(&path(name), super::strategy_body()).await.expect(201);
    }
    let mut seen = Vec::new();
    let mut next = format!("{FLEET}/updateStrategies?$top=2&api-version=2026-06-01");
    loop {
        let page = app.get(&next).await.expect(200).json();
        seen.extend(
            page["value"].as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap().to_owned()),
        );
        let Some(link) = page.get("nextLink") else { break };
        let link = link.as_str().unwrap();
        assert!(link.contains("api-version=2026-06-01") && link.contains("$top=2"), "{link}");
        next = link.strip_prefix("http://localhost").unwrap().to_owned();
        // Behind the page that was seen, and the very resource it ended with.
        let _ = app.put(&path("b"), super::strategy_body()).await;
        let _ = app.delete(&path("c")).await;
    }
    assert_eq!(seen, ["a", "c", "e", "g"]);
}
