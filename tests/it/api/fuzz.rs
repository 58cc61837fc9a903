//! Whatever is sent, the answer is none of the service's failures, and every refusal is in ARM's envelope.

mod bodies;

use axum::body::Body;
use axum::http::{Method, Request, Uri};
use fleetplane::testing::app::{Backend, FLEET, TestApp};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Paths: of a route with odd names in its places, or anything.
fn paths() -> impl Strategy<Value = String> {
    let routes: Vec<&'static str> = fleetplane::api::routes().iter().map(|route| route.path).collect();
    let name = prop_oneof![
        Just("11111111-2222-3333-4444-555555555555".to_owned()),
        Just("rg".to_owned()),
        Just("fleet1".to_owned()),
        Just("members".to_owned()),
        "[-a-zA-Z0-9._~%()]{1,70}",
        "(%[0-9a-fA-F]{2}){1,20}",
    ];
    let of_route =
        (prop::sample::select(routes), prop::collection::vec(name, 6)).prop_map(|(path, names)| {
            let mut names = names.into_iter();
            let fill = |segment: &str| {
                if segment.starts_with('{') { names.next().unwrap_or_default() } else { segment.to_owned() }
            };
            path.split('/').map(fill).collect::<Vec<_>>().join("/")
        });
    let of_fleet = "(/[a-zA-Z]{0,20}){0,4}".prop_map(|tail| format!("{FLEET}{tail}"));
    prop_oneof![4 => of_route, 1 => of_fleet, 1 => "(/[!-~&&[^#?]]{0,12}){0,8}"]
}

fn queries() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => Just("api-version=2026-06-02-preview".to_owned()),
        1 => "api-version=2026-06-02-preview&\\$(top|skipToken|filter)=[!-~&&[^#]]{0,40}",
        1 => "[!-~&&[^#]]{0,40}",
    ]
}

fn bodies() -> impl Strategy<Value = Vec<u8>> {
    let json = r#"\{"(location|properties|tags|name|x)":("[a-z]{0,9}"|\{\}|\[\]|null|-1|\{"strategy":\{"stages":\[\{\}\]\}\})\}"#;
    prop_oneof![
        json.prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..64),
        Just(Vec::new()),
    ]
}

fn headers() -> impl Strategy<Value = Vec<(&'static str, Vec<u8>)>> {
    let names = [
        "if-match",
        "if-none-match",
        "authorization",
        "host",
        "x-ms-correlation-request-id",
        "content-length-x",
    ];
    let value = prop_oneof![Just(b"*".to_vec()), prop::collection::vec(32u8..=255, 0..24)];
    prop::collection::vec((prop::sample::select(names.to_vec()), value), 0..3)
}

#[test]
fn every_answer_is_a_result_or_a_refusal_in_the_envelope() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let app = runtime.block_on(async {
        let app = TestApp::new(Backend::Sqlite).await;
        super::with_fleet(&app).await;
        app
    });
    let methods =
        prop::sample::select(vec!["GET", "PUT", "PATCH", "POST", "DELETE", "HEAD", "OPTIONS", "BREW"]);
    let requests = (methods, paths(), queries(), headers(), bodies());
    let mut runner = TestRunner::new(Config { cases: 1500, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&requests, |(method, path, query, headers, body)| {
        // Moving the one clock would take the time of the test itself; without a scheduler nothing is ready.
        if path.contains("/simulator/clock") || path.contains("readyz") {
            return Ok(());
        }
        let Ok(uri) = format!("{path}?{query}").parse::<Uri>() else { return Ok(()) };
        let mut request = Request::builder().method(Method::from_bytes(method.as_bytes()).unwrap()).uri(uri);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let Ok(request) = request.body(Body::from(body)) else { return Ok(()) };
        let answer = runtime.block_on(app.send(request));
        prop_assert!(answer.status.as_u16() < 500, "{} {}", answer.status, answer.text);
        if answer.status.as_u16() >= 400 && method != "HEAD" {
            prop_assert_eq!(answer.code(), answer.header("x-ms-error-code").to_owned());
        }
        Ok(())
    });
    outcome.unwrap();
}
