//! What clients ask about subscriptions, providers and regions, and before they sign in.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use fleetplane::api;
use fleetplane::app::App;
use fleetplane::testing::app::{Backend, FLEET, SUBSCRIPTION, TestApp, beginning};
use rstest::rstest;
use tower::ServiceExt as _;

#[tokio::test]
async fn the_surroundings_answer() {
    let app = TestApp::new(Backend::Sqlite).await;
    let version = "?api-version=2022-12-01";
    let list = app.get(&format!("/subscriptions{version}")).await.expect(200).json();
    assert_eq!(list["value"].as_array().map(Vec::len), Some(1), "one to begin with");
    super::with_fleet(&app).await;
    let list = app.get(&format!("/subscriptions{version}")).await.expect(200).json();
    assert_eq!(list["value"][0]["id"], SUBSCRIPTION);
    let _ = app.get(&format!("/tenants{version}")).await.expect(200);
    let _ = app.get(SUBSCRIPTION).await.expect(200);
    let regions = app.get(&format!("{SUBSCRIPTION}/locations")).await.expect(200).json();
    assert!(regions["value"].as_array().unwrap().iter().any(|region| region["name"] == "westeurope"));
    let provider = app.get(&format!("{SUBSCRIPTION}/providers/Microsoft.ContainerService")).await.expect(200);
    assert_eq!(provider.json()["resourceTypes"][0]["apiVersions"][0], "2026-06-02-preview");
    let _ = app.get(&format!("{SUBSCRIPTION}/providers")).await.expect(200);
    let path = format!("/providers/Microsoft.ContainerService/operations{version}");
    let operations = app.get(&path).await.expect(200).json();
    let names: Vec<&str> =
        operations["value"].as_array().unwrap().iter().filter_map(|o| o["name"].as_str()).collect();
    let has = |name: &str| names.contains(&format!("Microsoft.ContainerService/{name}").as_str());
    let there = [
        "fleets/read",
        "fleets/write",
        "fleets/delete",
        "fleets/listCredentials/action",
        "fleets/updateRuns/skip/action",
        "fleets/gates/read",
        "fleets/gates/write",
        "managedClusters/agentPools/abort/action",
        "managedClusters/listClusterUserCredential/action",
        "locations/operations/read",
        "register/action",
    ];
    assert!(there.into_iter().all(has), "{names:#?}");
    assert!(!has("fleets/gates/delete") && !names.iter().any(|name| name.contains('{')), "{names:#?}");
    let different: std::collections::BTreeSet<_> = names.iter().collect();
    assert_eq!(different.len(), names.len(), "each is told once");
}

#[tokio::test]
async fn the_service_describes_itself_as_a_cloud() {
    let app = TestApp::new(Backend::Sqlite).await;
    let cloud = app.get("/metadata/endpoints?api-version=2022-09-01").await.expect(200).json();
    assert_eq!(cloud["resourceManager"], "http://localhost/");
    assert_eq!(cloud["authentication"]["audiences"], serde_json::json!(["http://localhost/"]));
    let tenants = app.get("/tenants?api-version=2022-12-01").await.expect(200).json();
    assert_eq!(cloud["authentication"]["tenant"], tenants["value"][0]["tenantId"]);
    let refused = app.get("/metadata/endpoints").await.expect(400);
    assert_eq!(refused.code(), "MissingApiVersionParameter");
}

#[tokio::test]
async fn a_development_identity_gets_tokens() {
    let app = TestApp::new(Backend::Sqlite).await;
    let path = "/dev/identity/token?api-version=2019-08-01&resource=https://localhost/";
    let answer = app.request(Method::GET, path).header("X-IDENTITY-HEADER", "x").send().await;
    let token = answer.expect(200).json();
    assert_eq!((&token["token_type"], &token["resource"]), (&"Bearer".into(), &"https://localhost/".into()));
    let expires: i64 = token["expires_on"].as_str().unwrap().parse().unwrap();
    assert_eq!(expires, beginning().timestamp() + 24 * 3600);
    let bearer = format!("Bearer {}", token["access_token"].as_str().unwrap());
    let fleet = app.request(Method::PUT, FLEET).header("authorization", &bearer);
    let fleet = fleet.json(super::fleet_body()).send().await.expect(201).json();
    assert_eq!(fleet["systemData"]["createdBy"], token["client_id"]);
    assert_eq!(fleet["systemData"]["createdByType"], "Application");
}

#[rstest]
#[case("&resource=r", None, &["X-IDENTITY-HEADER"])]
#[case("", Some("x"), &["resource"])]
#[case("&resource=", Some("x"), &["resource"])]
#[case("&resource=r&client_id=c&mi_res_id=m", Some("x"), &["client_id", "mi_res_id"])]
#[tokio::test]
async fn a_token_is_refused_with_all_that_is_wrong(
    #[case] query: &str,
    #[case] secret: Option<&str>,
    #[case] targets: &[&str],
) {
    let app = TestApp::new(Backend::Sqlite).await;
    let path = format!("/dev/identity/token?api-version=2019-08-01{query}");
    let request = app.request(Method::GET, &path);
    let request =
        secret.into_iter().fold(request, |request, value| request.header("X-IDENTITY-HEADER", value));
    let refused = request.send().await.expect(400);
    assert_eq!(refused.code(), "BadRequest");
    for target in targets {
        assert!(refused.text.contains(&format!(r#""target":"{target}""#)), "{}", refused.text);
    }
}

#[tokio::test]
async fn a_service_without_a_development_identity_gives_no_tokens() {
    let test = TestApp::new(Backend::Sqlite).await;
    let router = api::router(App::of(test.service.clone(), None, true).api);
    let path = "/dev/identity/token?api-version=2019-08-01&resource=r";
    let request = Request::get(path).header("x-identity-header", "x").body(Body::empty()).unwrap();
    assert_eq!(router.oneshot(request).await.unwrap().status(), StatusCode::NOT_FOUND);
}
