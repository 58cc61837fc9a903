//! No route is forgotten: each succeeds at every version that it has, and refuses what is missing, malformed or too
//! early, in the envelope.
//!
//! The table of cases is the route table itself: what a new row is asked by is in [`super::estate`], and a row that is
//! missing there fails here. The preconditions have their own table.

use axum::http::Method;
use fleetplane::api::contract::{FleetVersion, Served};
use fleetplane::api::route::{AnswerBody, Route};
use fleetplane::testing::app::{Backend, TestAnswer, TestApp};
use rstest::rstest;

use super::estate::{Estate, has_no_etag, is_list, put_body};
use super::kinds::Kind;

/// Checks a refusal: its status and code, in the envelope, and nothing that makes a client repeat it.
fn refused(answer: &TestAnswer, route: &Route, status: u16, code: &str) {
    let context = format!("{} at {status} {code}: {:?}", route.operation.id, answer);
    assert_eq!((answer.status.as_u16(), answer.header("x-ms-error-code")), (status, code), "{context}");
    assert!(!answer.header("x-ms-request-id").is_empty(), "{context}");
    assert!(!answer.headers.contains_key("retry-after"), "{context}");
    if route.method == Method::HEAD {
        assert_eq!(answer.text, "", "{context}");
        return;
    }
    assert_eq!(answer.header("content-type"), "application/json", "{context}");
    assert_eq!(answer.code(), code, "{context}");
    let message = answer.json()["error"]["message"].as_str().unwrap_or_default().to_owned();
    assert!(message.len() > 10 && message.ends_with(['.', '?']), "{context}");
}

/// The versions at which the route is to be tried: all that it has.
fn versions(route: &Route) -> Vec<&'static str> {
    match route.operation.served {
        Served::Fleet(versions) => versions.iter().map(FleetVersion::as_str).collect(),
        Served::Aks => vec!["2023-01-01", "2026-08-01", "2027-01-01-preview"],
        Served::Any => vec!["2022-12-01", "2026-08-01"],
    }
}

/// Whether asking twice asks for the same.
fn can_be_repeated(route: &Route) -> bool {
    route.method != Method::DELETE && route.method != Method::POST
}

#[tokio::test]
async fn every_route_succeeds_at_every_version_that_it_has() {
    let mut estate = Estate::new(Backend::Sqlite).await;
    for route in fleetplane::api::routes().iter().filter(|route| route.is_arm()) {
        for version in versions(route) {
            estate.prepare(route).await;
            let path = format!("{}?api-version={version}", estate.asked(route).path);
            let answer = estate.send(route, &path).await;
            let told = route.operation.answers.iter().find(|told| told.status == answer.status.as_u16());
            let told = told.unwrap_or_else(|| panic!("{} at {version}: {answer:?}", route.operation.id));
            assert_eq!(matches!(told.body, AnswerBody::Empty), answer.text.is_empty(), "{answer:?}");
            if !can_be_repeated(route) {
                estate = Estate::new(Backend::Sqlite).await;
            }
        }
    }
}

#[tokio::test]
async fn every_route_refuses_versions_that_it_does_not_have() {
    let estate = Estate::new(Backend::Sqlite).await;
    for route in fleetplane::api::routes().iter().filter(|route| route.is_arm()) {
        let path = estate.asked(route).path;
        let at = async |query: &str| {
            // A query parameter that is unknown keeps the newest version from being added.
            estate.send(route, &format!("{path}?{query}")).await
        };
        refused(&at("not-api-version=").await, route, 400, "MissingApiVersionParameter");
        refused(&at("api-version=").await, route, 400, "MissingApiVersionParameter");
        refused(&at("api-version=latest").await, route, 400, "InvalidApiVersionParameter");
        refused(&at("api-version=2026-13-01").await, route, 400, "InvalidApiVersionParameter");
        match route.operation.served {
            Served::Fleet(versions) => {
                refused(&at("api-version=2026-06-02").await, route, 400, "NoRegisteredProviderFound");
                for absent in FleetVersion::ALL.into_iter().filter(|version| !versions.contains(*version)) {
                    let absent = at(&format!("api-version={}", absent.as_str())).await;
                    refused(&absent, route, 404, "InvalidResourceType");
                }
            }
            Served::Aks => {
                refused(&at("api-version=2022-12-31").await, route, 400, "NoRegisteredProviderFound");
            }
            Served::Any => {}
        }
    }
}

/// What asking about something that is not there answers; `None`: it is made, or there is always something.
fn of_missing(route: &Route) -> Option<(u16, &'static str)> {
    match route.method {
        Method::PUT => None,
        Method::DELETE if has_no_etag(route) => Some((404, "ResourceGroupNotFound")),
        Method::DELETE => Some((204, "")),
        _ if has_no_etag(route) => Some((404, "ResourceGroupNotFound")),
        _ if is_list(route) => None,
        _ => Some((404, "ResourceNotFound")),
    }
}

/// What asking about something in a fleet or cluster that is not there answers.
fn of_missing_parent(route: &Route) -> (u16, &'static str) {
    match route.method {
        Method::DELETE => (204, ""),
        Method::PUT => (404, "ParentResourceNotFound"),
        Method::GET if is_list(route) => (404, "ParentResourceNotFound"),
        _ => (404, "ResourceNotFound"),
    }
}

fn answered(answer: &TestAnswer, route: &Route, (status, code): (u16, &str)) {
    if status == 204 {
        assert_eq!((answer.status.as_u16(), answer.text.as_str()), (204, ""), "{}", route.operation.id);
    } else {
        refused(answer, route, status, code);
    }
}

#[rstest]
#[tokio::test]
async fn every_route_answers_for_what_does_not_exist(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let estate = Estate::new(backend).await;
    let routes = fleetplane::api::routes();
    for route in routes.iter().filter(|route| route.is_arm() && route.path.contains("{resourceGroupName}")) {
        if let Some(expected) = of_missing(route) {
            answered(&estate.send(route, &estate.missing(route)).await, route, expected);
        }
        for parent in ["{fleetName}", "{resourceName}"] {
            if route.path.contains(&format!("{parent}/")) {
                let path = estate.without(route, parent);
                answered(&estate.send(route, &path).await, route, of_missing_parent(route));
            }
        }
        let group = estate.without(route, "{resourceGroupName}");
        let in_group = route.path.matches("{").count() == 2 && is_list(route);
        if in_group {
            refused(&estate.send(route, &group).await, route, 404, "ResourceGroupNotFound");
        } else if route.method == Method::GET && !is_list(route) && !has_no_etag(route) {
            refused(&estate.send(route, &group).await, route, 404, "ResourceNotFound");
        }
    }
}

#[tokio::test]
async fn every_write_into_a_missing_group_is_refused_where_groups_are_strict() {
    let strict = |settings: &mut fleetplane::service::Settings| settings.strict_resource_groups = true;
    let app = TestApp::with(Backend::Sqlite, fleetplane::service::OperationDurations::Zero, strict).await;
    let estate = Estate::new(Backend::Sqlite).await;
    for route in fleetplane::api::routes().iter().filter(|route| route.is_arm() && !has_no_etag(route)) {
        let asked = estate.asked(route);
        let Some(body) = asked.body.filter(|_| route.method == Method::PUT) else { continue };
        let in_group = route.path.matches('{').count() == 3;
        let code = if in_group { "ResourceGroupNotFound" } else { "ParentResourceNotFound" };
        refused(&app.put(&asked.path, body).await, route, 404, code);
    }
}

#[tokio::test]
async fn every_body_that_is_none_is_refused() {
    let estate = Estate::new(Backend::Sqlite).await;
    let routes = fleetplane::api::routes();
    for route in routes.iter().filter(|route| route.is_arm()) {
        let asked = estate.asked(route);
        if asked.body.is_none() {
            continue;
        }
        for body in ["", "{", "{}}", "\"", "{\"a\":1,\"a\":1}", &"[".repeat(1 << 20)] {
            let request = estate.app.request(route.method.clone(), &asked.path).bytes(body.to_owned());
            refused(&request.send().await, route, 400, "InvalidRequestContent");
        }
        for body in ["[]", "7", "null", "\"text\"", "true"] {
            let request = estate.app.request(route.method.clone(), &asked.path).bytes(body.to_owned());
            let answer = request.send().await;
            let code = answer.header("x-ms-error-code").to_owned();
            assert!(["InvalidRequestContent", "InvalidParameter"].contains(&code.as_str()), "{answer:?}");
            refused(&answer, route, 400, &code);
        }
        let huge = vec![b' '; 4 * 1024 * 1024 + 1];
        let request = estate.app.request(route.method.clone(), &asked.path).bytes(huge);
        refused(&request.send().await, route, 413, "RequestContentTooLarge");
    }
}

#[tokio::test]
async fn every_write_refuses_an_if_none_match_that_is_not_any() {
    let estate = Estate::new(Backend::Sqlite).await;
    let routes = fleetplane::api::routes();
    let writes = routes.iter().filter(|route| route.is_arm() && !has_no_etag(route));
    for route in writes.filter(|route| route.method != Method::GET && route.method != Method::HEAD) {
        for path in [estate.asked(route).path, estate.missing(route)] {
            let xyz = estate.app.request(route.method.clone(), &path).header("if-none-match", "xyz");
            refused(&xyz.send().await, route, 400, "BadRequest");
            let both = estate.app.request(route.method.clone(), &path).header("if-match", "x");
            refused(&both.header("if-none-match", "*").send().await, route, 400, "BadRequest");
        }
    }
}

#[tokio::test]
async fn every_path_tells_the_methods_that_it_takes() {
    let estate = Estate::new(Backend::Sqlite).await;
    let routes = fleetplane::api::routes();
    // A path that takes HEAD takes GET, so it has been here.
    for route in routes.iter().filter(|route| route.method != Method::HEAD) {
        let beside = routes.iter().filter(|other| other.path == route.path);
        let methods: Vec<&str> = beside.map(|other| other.method.as_str()).collect();
        let path = if route.is_arm() { estate.asked(route).path } else { route.path.replace(['{', '}'], "") };
        for method in ["GET", "PUT", "PATCH", "POST", "DELETE"].map(|name| name.parse::<Method>().unwrap()) {
            if methods.contains(&method.as_str()) {
                continue;
            }
            let answer = estate.app.request(method, &path).send().await;
            refused(&answer, route, 405, "MethodNotAllowed");
            let mut allowed: Vec<&str> = answer.header("allow").split(',').map(str::trim).collect();
            // Whoever takes GET takes HEAD, and says so twice where HEAD has a row of its own.
            allowed.retain(|name| *name != "HEAD" || methods.contains(&"HEAD"));
            allowed.sort_unstable();
            allowed.dedup();
            let mut expected = methods.clone();
            expected.sort_unstable();
            assert_eq!(allowed, expected, "{path}");
        }
    }
}

/// Version, headers, existence, preconditions, body, state: whatever is wrong too is said later.
#[tokio::test]
async fn every_write_is_checked_in_the_same_order() {
    let estate = Estate::new(Backend::Sqlite).await;
    let routes = fleetplane::api::routes();
    let writes = routes.iter().filter(|route| route.is_arm() && !has_no_etag(route));
    for route in writes.filter(|route| !matches!(route.method, Method::GET | Method::HEAD)) {
        let asked = estate.asked(route);
        let wrong = |path: String, headers: [(&'static str, &'static str); 2]| {
            let request = estate.app.request(route.method.clone(), &path);
            let request =
                headers.into_iter().fold(request, |request, (name, value)| request.header(name, value));
            request.bytes("{")
        };
        let bad_header = [("if-none-match", "xyz"), ("if-match", "xyz")];
        let stale = [("if-match", "xyz"), ("x-nothing", "")];
        let version = wrong(format!("{}?api-version=x", asked.path), bad_header).send().await;
        refused(&version, route, 400, "InvalidApiVersionParameter");
        refused(&wrong(estate.missing(route), bad_header).send().await, route, 400, "BadRequest");
        for parent in ["{fleetName}", "{resourceName}"] {
            if route.path.contains(&format!("{parent}/")) {
                let nowhere = wrong(estate.without(route, parent), stale).send().await;
                answered(&nowhere, route, of_missing_parent(route));
            }
        }
        let missing = wrong(estate.missing(route), stale).send().await;
        answered(&missing, route, of_missing(route).unwrap_or((412, "PreconditionFailed")));
        if !route.operation.id.contains("_List") {
            refused(&wrong(asked.path, stale).send().await, route, 412, "PreconditionFailed");
        }
    }
}

/// While an operation is under way, a body that is wrong is told so, and one that is right has to wait.
#[tokio::test]
async fn the_body_is_looked_at_before_the_state() {
    let estate = Estate::new(Backend::Sqlite).await.slow().await;
    for kind in Kind::ALL {
        let busy = estate.app.put(&kind.path(), put_body(kind)).await.expect(200);
        if busy.header("azure-asyncoperation").is_empty() {
            continue;
        }
        let wrong = estate.app.put(&kind.path(), serde_json::json!({ "properties": 7 })).await.expect(400);
        assert_eq!(wrong.code(), "InvalidParameter", "{kind:?}");
        let right = estate.app.put(&kind.path(), put_body(kind)).await.expect(409);
        assert_eq!(right.code(), "OperationNotAllowed", "{kind:?}");
        estate.app.pass(300).await;
    }
}
