//! Whether an answer is one that the OpenAPI document describes: its status, its headers, its body.
//!
//! Every answer that a test gets through [`TestApp`](super::app::TestApp) is held against the document, so that what it
//! says of a type cannot drift from what the service shows. What no route answers is not described.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use axum::http::Method;
use jsonschema::Validator;
use serde_json::{Value, json};

use super::app::TestAnswer;
use crate::api;

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| api::openapi::document(&api::routes()));

/// By operation id and status.
type Validators = HashMap<(String, u16), Arc<Validator>>;

/// Each is compiled once in a process.
static VALIDATORS: LazyLock<Mutex<Validators>> = LazyLock::new(Mutex::default);

/// Holds the answer to a request against the document.
///
/// # Panics
/// Where the document says something else.
pub fn check(method: &Method, path: &str, answer: &TestAnswer) {
    let Some(operation) = operation(method, path).filter(|_| !is_switched_off(answer)) else { return };
    let (id, status) = (operation["operationId"].as_str().unwrap_or_default(), answer.status.as_u16());
    let described = resolved(&operation["responses"][status.to_string()]);
    assert!(described.is_object(), "{id} answers {status}, which is not described: {}", answer.text);
    for (name, header) in described["headers"].as_object().into_iter().flatten() {
        let required = resolved(header)["required"] == json!(true);
        assert!(!required || answer.headers.contains_key(name), "{id} answers {status} without {name}");
    }
    let media_type = answer.header("content-type");
    match described.get("content") {
        None => assert_eq!(answer.text, "", "{id} answers {status} with a body, which is not described"),
        Some(content) if content.get(media_type).is_none() => {
            panic!("{id} answers {status} as '{media_type}', which is not described")
        }
        Some(content) if media_type == "application/json" && method != Method::HEAD => {
            let validator = validator(id, status, &content[media_type]["schema"]);
            let body = answer.json();
            let faults: Vec<String> = validator
                .iter_errors(&body)
                .map(|fault| format!("{} at {}", fault, fault.instance_path()))
                .collect();
            assert!(
                faults.is_empty(),
                "{id} answers {status} with a body that is not as described: {faults:#?}\n{body:#}"
            );
        }
        Some(_) => {}
    }
}

/// Whether there is nothing at the path, although the document has it: some are served only on request.
fn is_switched_off(answer: &TestAnswer) -> bool {
    answer.header("x-ms-error-code") == "NotFound"
}

/// The document's entry of what answers `method` on `path`.
fn operation(method: &Method, path: &str) -> Option<&'static Value> {
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let paths = DOCUMENT["paths"].as_object()?.iter();
    let fitting = paths.filter(|(described, _)| fits(described, &segments));
    fitting.min_by_key(|(path, _)| path.matches('{').count())?.1.get(method.as_str().to_lowercase())
}

/// Whether these segments are on the path that is described. Those of ARM compare without case, as the router has it.
fn fits(described: &str, segments: &[&str]) -> bool {
    let described: Vec<&str> = described.split('/').filter(|segment| !segment.is_empty()).collect();
    let arm = described.iter().position(|one| ["subscriptions", "providers", "tenants"].contains(one));
    let same = |(index, (one, other)): (usize, (&&str, &&str))| {
        one.starts_with('{')
            || one == other
            || (arm.is_some_and(|arm| index >= arm) && one.eq_ignore_ascii_case(other))
    };
    described.len() == segments.len() && described.iter().zip(segments).enumerate().all(same)
}

/// What stands at the end of a reference, or the value itself.
fn resolved(value: &'static Value) -> &'static Value {
    let target = value.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix('#'));
    target.and_then(|pointer| DOCUMENT.pointer(pointer)).unwrap_or(value)
}

fn validator(id: &str, status: u16, schema: &Value) -> Arc<Validator> {
    let mut validators = VALIDATORS.lock().unwrap_or_else(PoisonError::into_inner);
    let compiled = validators.entry((id.to_owned(), status)).or_insert_with(|| {
        let schema = json!({ "allOf": [schema], "components": DOCUMENT["components"] });
        let validator = jsonschema::options().should_validate_formats(true).build(&schema);
        Arc::new(validator.expect("the document's schemas are schemas"))
    });
    Arc::clone(compiled)
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, StatusCode};
    use rstest::rstest;

    use super::*;

    fn live(status: u16, left_out: &str, body: &str) -> TestAnswer {
        let names =
            ["x-ms-request-id", "x-ms-routing-request-id", "x-ms-correlation-request-id", "cache-control"];
        let names = names.into_iter().filter(|name| *name != left_out);
        let mut headers: HeaderMap =
            names.map(|name| (name.parse().unwrap(), "x".parse().unwrap())).collect();
        headers.insert("content-type", "application/json".parse().unwrap());
        TestAnswer { status: StatusCode::from_u16(status).unwrap(), headers, text: body.to_owned() }
    }

    #[test]
    fn an_answer_as_described_passes() {
        check(&Method::GET, "/livez", &live(200, "", r#"{"status":"ok"}"#));
    }

    #[rstest]
    #[case::status(live(418, "", "{}"))]
    #[case::header(live(200, "x-ms-request-id", r#"{"status":"ok"}"#))]
    #[case::value(live(200, "", r#"{"status":"well"}"#))]
    #[case::member(live(200, "", r#"{"status":"ok","since":1}"#))]
    #[should_panic(expected = "Health_Live answers")]
    fn an_answer_that_is_not_described_fails_its_test(#[case] answer: TestAnswer) {
        check(&Method::GET, "/livez", &answer);
    }
}
