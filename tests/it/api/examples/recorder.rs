//! Sends the requests of the scenario and keeps the first one of each operation.
//!
//! Kept is what a client sends and sees. Left out is the length of bodies, which says nothing; cut are the document
//! (the examples are in it) and the metrics, to which there are (their numbers measure time, and have no order).

use std::collections::HashMap;
use std::sync::Arc;

use axum::http::Method;
use fleetplane::api::contract::Served;
use fleetplane::api::route::Route;
use fleetplane::testing::app::{TestAnswer, TestApp, TestRequest, VERSION};
use fleetplane::testing::faults::StorageFaults;
use serde_json::{Map, Value, json};

use crate::api::estate::is_read_by_post;

use crate::api::is_on;

/// A scenario under way.
pub struct Recorder {
    pub app: TestApp,
    routes: Vec<Route>,
    examples: HashMap<&'static str, Value>,
    /// What fails before each request succeeds, in a scenario of failures.
    faults: Option<Arc<StorageFaults>>,
}

impl Recorder {
    pub fn new(app: TestApp) -> Self {
        Self { app, routes: fleetplane::api::routes(), examples: HashMap::new(), faults: None }
    }

    /// Before each request storage is cut off, and while it is answered somebody else writes first.
    pub fn disturbed(app: TestApp, faults: Arc<StorageFaults>) -> Self {
        Self { faults: Some(faults), ..Self::new(app) }
    }

    /// The examples in the order of the route table, each operation's.
    pub fn examples(mut self) -> Map<String, Value> {
        let mut take = |route: &Route| {
            let id = route.operation.id;
            let example = self.examples.remove(id);
            (id.to_owned(), example.unwrap_or_else(|| panic!("{id} does not occur in the scenario")))
        };
        self.routes.iter().map(&mut take).collect()
    }

    pub async fn get(&mut self, path: &str) -> TestAnswer {
        self.send(Method::GET, path, &[], None).await
    }

    pub async fn put(&mut self, path: &str, body: Value) -> TestAnswer {
        self.send(Method::PUT, path, &[], Some(body)).await
    }

    pub async fn patch(&mut self, path: &str, body: Value) -> TestAnswer {
        self.send(Method::PATCH, path, &[], Some(body)).await
    }

    pub async fn post(&mut self, path: &str) -> TestAnswer {
        self.send(Method::POST, path, &[], None).await
    }

    pub async fn post_body(&mut self, path: &str, body: Value) -> TestAnswer {
        self.send(Method::POST, path, &[], Some(body)).await
    }

    pub async fn delete(&mut self, path: &str) -> TestAnswer {
        self.send(Method::DELETE, path, &[], None).await
    }

    /// Lets simulated time pass, and everything happen that falls due.
    pub async fn advance(&mut self, by: &str) {
        self.post_body("/simulator/clock/advance", json!({ "by": by })).await;
    }

    /// Sends a request that must succeed as the route table says.
    pub async fn send(
        &mut self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<Value>,
    ) -> TestAnswer {
        let route = self.routes.iter().find(|route| route.method == method && is_on(path, route.path));
        let route = route.unwrap_or_else(|| panic!("no route for {method} {path}"));
        let operation = route.operation;
        let url = versioned(path, route);
        let request = || {
            let mut request = self.app.request(method.clone(), &url);
            for (name, value) in headers {
                request = request.header(name, value);
            }
            match &body {
                Some(body) => request.json(body.clone()),
                None => request,
            }
        };
        let answer = match self.faults.as_ref().filter(|_| can_be_disturbed(path)) {
            None => request().send().await,
            Some(faults) => {
                let reads = matches!(method, Method::GET | Method::HEAD) || is_read_by_post(route);
                disturbed(faults, reads, request).await
            }
        };
        let status = answer.status.as_u16();
        let told = operation.answers.iter().any(|answer| answer.status == status);
        assert!(told, "{method} {url} answers {status}: {}", answer.text);
        self.examples.entry(operation.id).or_insert_with(|| {
            let sent: Map<String, Value> =
                headers.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
            let request = [
                ("method", Some(json!(method.as_str()))),
                ("url", Some(json!(url))),
                ("headers", (!sent.is_empty()).then(|| json!(sent))),
                ("body", body),
            ];
            let response = [
                ("status", Some(json!(status))),
                ("headers", Some(shown_headers(&answer))),
                ("body", shown_body(operation.id, &answer)),
            ];
            json!({ "request": what_there_is(request), "response": what_there_is(response) })
        });
        answer
    }
}

/// The answer where another writes first, after storage was cut off: what needs storage is refused then, what does not is
/// answered as ever.
async fn disturbed<'a>(
    faults: &StorageFaults,
    reads: bool,
    request: impl Fn() -> TestRequest<'a>,
) -> TestAnswer {
    faults.cut_off(true);
    let cut_off = request().send().await;
    faults.cut_off(false);
    faults.lose_commits(1);
    let answer = request().send().await;
    assert!(reads || faults.commits_to_lose() == 0, "nothing was committed: {}", answer.text);
    faults.lose_commits(0);
    if cut_off.status.is_success() {
        assert!(reads && cut_off.text == answer.text, "answered without storage: {}", cut_off.text);
    } else {
        let refused = cut_off.expect(503);
        assert_eq!(refused.header("retry-after"), "1");
        assert_eq!(refused.header("x-ms-error-code"), "ServiceUnavailable");
    }
    answer
}

/// Not the process's health, which has tests of its own, nor the clock, which nobody else can write.
fn can_be_disturbed(path: &str) -> bool {
    !["/livez", "/readyz", "/metrics"].contains(&path) && !path.starts_with("/simulator/clock")
}

fn what_there_is<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

/// The path with an api-version that its route is served at, where it needs one and has none.
fn versioned(path: &str, route: &Route) -> String {
    let version = match route.operation.served {
        _ if !route.is_arm() || path.contains("api-version=") => return path.to_owned(),
        Served::Fleet(_) => VERSION,
        Served::Aks => "2026-08-01",
        Served::Any => "2022-12-01",
    };
    format!("{path}{}api-version={version}", if path.contains('?') { '&' } else { '?' })
}

fn shown_headers(answer: &TestAnswer) -> Value {
    let mut names: Vec<&str> = answer.headers.keys().map(|name| name.as_str()).collect();
    names.retain(|name| *name != "content-length");
    names.sort_unstable();
    names.into_iter().map(|name| (name.to_owned(), json!(answer.header(name)))).collect()
}

fn shown_body(operation: &str, answer: &TestAnswer) -> Option<Value> {
    let shown = match operation {
        "Health_Metrics" => {
            let comments = answer.text.lines().filter(|line| line.starts_with('#'));
            json!(comments.collect::<Vec<_>>().join("\n") + "\n")
        }
        "OpenApi_Get" => {
            let document = answer.json();
            json!({ "openapi": document["openapi"], "info": document["info"] })
        }
        _ if answer.text.is_empty() => return None,
        _ => answer.json(),
    };
    Some(shown)
}
