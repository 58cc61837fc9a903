//! Answers of the framework itself leave in ARM's envelope too.

use axum::http::Method;
use fleetplane::testing::app::{Backend, FLEET, GROUP, SUBSCRIPTION, TestApp};
use rstest::rstest;

#[rstest]
#[case::nowhere("/nowhere", 404, "NotFound")]
#[case::root("/", 404, "NotFound")]
#[case::unknown_type(&format!("{GROUP}/providers/Microsoft.ContainerService/ships/x"), 404, "InvalidResourceType")]
#[case::unknown_child(&format!("{FLEET}/ships/x"), 404, "InvalidResourceType")]
#[case::other_namespace(&format!("{GROUP}/providers/Microsoft.Compute/virtualMachines/x"), 404, "InvalidResourceNamespace")]
#[case::no_guid("/subscriptions/mine/resourceGroups", 400, "InvalidSubscriptionId")]
#[case::unknown_version(&format!("{FLEET}?api-version=2026-06-02"), 400, "NoRegisteredProviderFound")]
#[case::malformed_version(&format!("{FLEET}?api-version=latest"), 400, "InvalidApiVersionParameter")]
#[case::bad_filter(&format!("{FLEET}/members?$filter=x"), 400, "InvalidFilter")]
#[case::bad_top(&format!("{SUBSCRIPTION}/providers/Microsoft.ContainerService/fleets?$top=0"), 400, "InvalidTop")]
#[tokio::test]
async fn what_is_wrong_with_a_url_is_said(#[case] path: &str, #[case] status: u16, #[case] code: &str) {
    let app = TestApp::new(Backend::Sqlite).await;
    let answer = app.get(path).await.expect(status);
    assert_eq!(answer.code(), code);
    assert_eq!(answer.header("content-type"), "application/json");
}

#[rstest]
#[case(&format!("{GROUP}/providers/Microsoft.Resources/deployments/d"), "InvalidResourceType", "The namespace Microsoft.Resources has no resource type 'deployments' at this place.")]
#[case(&format!("{FLEET}/providers/microsoft.authorization/roleAssignments"), "InvalidResourceNamespace", "The namespace 'microsoft.authorization' is not served here; Microsoft.ContainerService is.")]
#[case(&format!("{GROUP}/providers/microsoft.containerservice"), "InvalidResourceType", "The path names no resource type of the namespace Microsoft.ContainerService.")]
#[case(&format!("{GROUP}/providers/Microsoft.ContainerService/fleets/providers/ships/x"), "InvalidResourceType", "The namespace Microsoft.ContainerService has no resource type 'fleets/ships' at this place.")]
#[tokio::test]
async fn a_path_that_nobody_serves_is_told_its_own_namespace_and_type(
    #[case] path: &str,
    #[case] code: &str,
    #[case] message: &str,
) {
    let app = TestApp::new(Backend::Sqlite).await;
    let answer = app.get(path).await.expect(404);
    assert_eq!((answer.code().as_str(), &answer.json()["error"]["message"]), (code, &message.into()));
}

#[rstest]
#[tokio::test]
async fn a_host_that_is_none_gets_into_no_url(
    #[values("evil\"<>/x", "a b", "h/path", "user@h", "h:port")] host: &str,
) {
    let app = TestApp::new(Backend::Sqlite).await;
    super::with_fleet(&app).await;
    for path in [FLEET, "/metadata/endpoints?api-version=2022-09-01"] {
        let answer = app.request(Method::GET, path).header("host", host).send().await.expect(400);
        assert_eq!(
            (answer.code().as_str(), &answer.json()["error"]["target"]),
            ("BadRequest", &"Host".into())
        );
    }
}

#[tokio::test]
async fn a_wrong_method_is_told_which_are_right() {
    let app = TestApp::new(Backend::Sqlite).await;
    let answer = app.put(&format!("{FLEET}/gates/x"), serde_json::json!({})).await.expect(405);
    assert_eq!(answer.code(), "MethodNotAllowed");
    let allowed: Vec<&str> = answer.header("allow").split(',').map(str::trim).collect();
    assert!(
        allowed.contains(&"GET") && allowed.contains(&"PATCH") && !allowed.contains(&"PUT"),
        "{allowed:?}"
    );
}

#[rstest]
#[tokio::test]
async fn u_0000_is_refused_wherever_a_text_can_have_it(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    super::with_fleet(&app).await;
    let token = "WyIiLCJhXHUwMDAwIl0"; // ["","a\u0000"]
    for path in [
        format!("{FLEET}%00"),
        format!("{GROUP}%00"),
        format!("{FLEET}/members?$filter=group%20eq%20%00"),
        format!("{FLEET}/members?$skipToken={token}"),
    ] {
        let _ = app.get(&path).await.expect(400);
    }
    let id = format!("{GROUP}/providers/Microsoft.ContainerService/managedClusters/c\0");
    let body = serde_json::json!({ "properties": { "clusterResourceId": id } });
    let answer = app.put(&format!("{FLEET}/members/m1"), body).await.expect(400);
    assert_eq!(answer.code(), "InvalidRequestContent");
}

#[tokio::test]
async fn a_body_in_another_encoding_is_refused_with_what_is_taken() {
    let app = TestApp::new(Backend::Sqlite).await;
    for (header, value) in
        [("content-encoding", "gzip"), ("content-type", "application/json; charset=utf-16")]
    {
        let request = app.request(Method::PUT, FLEET).json(super::fleet_body()).header(header, value);
        let answer = request.send().await.expect(415);
        assert_eq!(answer.code(), "UnsupportedMediaType", "{}", answer.text);
    }
    let text = app.request(Method::PUT, FLEET).header("content-type", "text/plain");
    let text = text.bytes(super::fleet_body().to_string());
    let _ = text.send().await.expect(201);
}

#[rstest]
#[case(Method::PATCH, FLEET.to_owned())]
#[case(Method::DELETE, FLEET.to_owned())]
#[case(Method::POST, format!("{FLEET}/listCredentials"))]
#[case(Method::PUT, "/nowhere".to_owned())]
#[tokio::test]
async fn an_oversized_body_is_refused_whatever_it_was_for(#[case] method: Method, #[case] path: String) {
    let app = TestApp::new(Backend::Sqlite).await;
    super::with_fleet(&app).await;
    let before = app.get(FLEET).await.text;
    let body = vec![b' '; 4 * 1024 * 1024 + 1];
    let refused = app.request(method, &path).bytes(body).send().await.expect(413);
    assert_eq!(refused.code(), "RequestContentTooLarge");
    assert_eq!(refused.header("x-ms-request-id").len(), 36);
    assert_eq!(app.get(FLEET).await.text, before);
}

#[tokio::test]
async fn paths_and_query_keys_compare_without_case() {
    let app = TestApp::new(Backend::Sqlite).await;
    super::with_fleet(&app).await;
    let path = FLEET.to_ascii_uppercase();
    let answer = app.get(&format!("{path}?API-VERSION=2026-06-01")).await.expect(200);
    assert_eq!(answer.json()["id"], FLEET);
}

#[tokio::test]
async fn every_answer_carries_the_ids_of_its_request() {
    let app = TestApp::new(Backend::Sqlite).await;
    let answer = app
        .request(Method::GET, FLEET)
        .header("x-ms-correlation-request-id", "corr-1")
        .header("x-ms-client-request-id", "mine-1")
        .header("x-ms-return-client-request-id", "true")
        .send()
        .await;
    assert_eq!(answer.header("x-ms-correlation-request-id"), "corr-1");
    assert_eq!(answer.header("x-ms-client-request-id"), "mine-1");
    assert_eq!(answer.header("cache-control"), "no-cache");
    let request_id = answer.header("x-ms-request-id");
    assert_eq!(answer.header("x-ms-routing-request-id"), format!("LOCAL:20261130T000000Z:{request_id}"));
    let silent = app.request(Method::GET, FLEET).header("x-ms-client-request-id", "mine-1").send().await;
    assert_eq!(silent.header("x-ms-client-request-id"), "");
}
