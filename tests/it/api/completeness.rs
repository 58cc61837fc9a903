//! No route is forgotten: each is called here, whatever it does.

use axum::http::Method;
use fleetplane::api::contract::Served;
use fleetplane::api::route::Route;
use fleetplane::testing::app::{Backend, TestApp};

/// A path of the route with a name in every place.
fn path_of(route: &Route) -> String {
    route
        .path
        .replace("{subscriptionId}", "11111111-2222-3333-4444-555555555555")
        .split('/')
        .map(|segment| if segment.starts_with('{') { "nobody" } else { segment })
        .collect::<Vec<_>>()
        .join("/")
}

fn is_arm(route: &Route) -> bool {
    ["/subscriptions", "/providers", "/tenants"].iter().any(|root| route.path.starts_with(root))
}

/// A resource that is in a group and in nothing else: what is missing around it is made.
fn is_top_level(route: &Route) -> bool {
    let types =
        route.path.split_once("Microsoft.ContainerService/").map_or(0, |(_, types)| types.split('/').count());
    types == 2
}

/// Writes without preconditions: the table of preconditions leaves resource groups out.
fn has_no_etag(route: &Route) -> bool {
    route.path.ends_with("/resourceGroups/{resourceGroupName}")
}

#[tokio::test]
async fn every_route_wants_an_api_version_and_refuses_in_the_envelope() {
    let app = TestApp::new(Backend::Sqlite).await;
    for route in fleetplane::api::routes().iter().filter(|route| is_arm(route)) {
        let path = format!("{}?api-version=", path_of(route));
        let answer = app.request(route.method.clone(), &path).send().await;
        assert_eq!(answer.status, 400, "{} {path}", route.method);
        if route.method != Method::HEAD {
            assert_eq!(answer.code(), "MissingApiVersionParameter", "{} {path}", route.method);
        }
        assert_eq!(answer.header("x-ms-error-code"), "MissingApiVersionParameter");
        assert!(!answer.header("x-ms-request-id").is_empty());
        assert!(!answer.headers.contains_key("retry-after"));
    }
}

#[tokio::test]
async fn every_route_of_a_fleet_type_is_served_at_its_versions_only() {
    let app = TestApp::new(Backend::Sqlite).await;
    for route in fleetplane::api::routes() {
        let Served::Fleet(versions) = route.operation.served else { continue };
        for version in fleetplane::api::contract::FleetVersion::ALL {
            let path = format!("{}?api-version={}", path_of(&route), version.as_str());
            let answer = app.request(route.method.clone(), &path).send().await;
            let code = answer.header("x-ms-error-code");
            let refused = code == "InvalidResourceType";
            assert_eq!(refused, !versions.contains(version), "{} {path}: {code}", route.method);
        }
    }
}

#[tokio::test]
async fn every_write_refuses_an_if_none_match_that_is_not_any() {
    let app = TestApp::new(Backend::Sqlite).await;
    let writes = fleetplane::api::routes();
    let writes = writes.iter().filter(|route| is_arm(route) && !has_no_etag(route));
    for route in writes.filter(|route| route.method != Method::GET && route.method != Method::HEAD) {
        let path = path_of(route);
        let answer = app.request(route.method.clone(), &path).header("if-none-match", "xyz").send().await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (400, "BadRequest"), "{path}");
        let both = app.request(route.method.clone(), &path).header("if-match", "x");
        let answer = both.header("if-none-match", "*").send().await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (400, "BadRequest"), "{path}");
    }
}

#[tokio::test]
async fn every_route_answers_for_what_does_not_exist() {
    let app = TestApp::new(Backend::Sqlite).await;
    let routes = fleetplane::api::routes();
    let in_groups = |route: &&Route| is_arm(route) && route.path.contains("{resourceGroupName}");
    for route in routes.iter().filter(in_groups) {
        let path = path_of(route);
        let answer = app.request(route.method.clone(), &path).json(serde_json::json!({})).send().await;
        let status = answer.status.as_u16();
        let expected = match route.method {
            Method::DELETE if has_no_etag(route) => 404,
            Method::DELETE => 204,
            // It would be made; an empty body makes none.
            Method::PUT if is_top_level(route) || has_no_etag(route) => 400,
            _ => 404,
        };
        assert_eq!(status, expected, "{} {path}: {}", route.method, answer.text);
    }
}

#[tokio::test]
async fn malformed_bodies_are_refused_by_every_put() {
    let app = TestApp::new(Backend::Sqlite).await;
    super::with_fleet(&app).await;
    // There is no cluster for children of clusters to be in.
    let children = |route: &Route| route.path.contains("managedClusters/") && !is_top_level(route);
    let routes = fleetplane::api::routes();
    let puts = routes.iter().filter(|route| route.method == Method::PUT && is_arm(route) && !children(route));
    for route in puts {
        let path = path_of(route)
            .replace("resourceGroups/nobody", "resourceGroups/rg")
            .replace("fleets/nobody", "fleets/fleet1");
        for body in ["", "{", "[]", "7", "null", &"[".repeat(1 << 20)] {
            let answer = app.request(Method::PUT, &path).bytes(body.to_owned()).send().await;
            assert_eq!(answer.status.as_u16(), 400, "{path} {:.20}: {}", body, answer.text);
            answer.code();
        }
    }
}
