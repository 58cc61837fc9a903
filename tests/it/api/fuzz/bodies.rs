//! Bodies that are almost right: whatever is wrong in one changes nothing, and whatever is taken can be sent back.

use axum::http::Method;
use fleetplane::api::contract::{FleetVersion, Served};
use fleetplane::testing::app::{Backend, TestApp};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::api::is_on;
use crate::api::kinds::Kind;

/// What is done at one place of a body.
#[derive(Clone, Debug)]
enum Change {
    Replace(Value),
    Remove,
    AddMember(String),
    Repeat,
}

fn changes() -> impl Strategy<Value = Change> {
    let values = vec![
        json!(null),
        json!(true),
        json!(-1),
        json!(1e308),
        json!(u64::MAX),
        json!(""),
        json!("*"),
        json!("x".repeat(600)),
        json!("\u{1f6a2}\u{202e}"),
        json!([]),
        json!([null]),
        json!({}),
        json!({ "name": null }),
    ];
    prop_oneof![
        4 => prop::sample::select(values).prop_map(Change::Replace),
        2 => Just(Change::Remove),
        1 => "[a-zA-Z$.]{0,12}".prop_map(Change::AddMember),
        1 => Just(Change::Repeat),
    ]
}

/// The JSON pointers of everything in a value.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(members) => members.iter().for_each(|(name, value)| {
            places(value, &format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), found);
        }),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| places(item, &format!("{at}/{index}"), found));
        }
        _ => {}
    }
}

fn changed(mut body: Value, place: prop::sample::Index, change: &Change) -> Value {
    let mut found = Vec::new();
    places(&body, "", &mut found);
    let at = place.get(&found).clone();
    match change {
        Change::Replace(value) => *body.pointer_mut(&at).expect("it is there") = value.clone(),
        Change::AddMember(name) => {
            if let Some(Value::Object(members)) = body.pointer_mut(&at) {
                members.insert(name.clone(), json!(1));
            }
        }
        Change::Remove | Change::Repeat => {
            let Some((parent, name)) = at.rsplit_once('/') else { return body };
            match body.pointer_mut(parent).expect("it is there") {
                Value::Object(members) if matches!(change, Change::Remove) => {
                    members.shift_remove(&name.replace("~1", "/").replace("~0", "~"));
                }
                Value::Array(items) => {
                    let index: usize = name.parse().expect("a place in a list");
                    let item = items.remove(index);
                    if matches!(change, Change::Repeat) {
                        items.extend([item.clone(), item]);
                    }
                }
                _ => {}
            }
        }
    }
    body
}

/// The api-versions at which a kind can be written.
fn versions(kind: Kind) -> Vec<&'static str> {
    let routes = fleetplane::api::routes();
    let put = routes.iter().find(|route| route.method == Method::PUT && is_on(&kind.path(), route.path));
    match put.map(|route| route.operation.served) {
        Some(Served::Fleet(versions)) => versions.iter().map(FleetVersion::as_str).collect(),
        _ => vec!["2026-08-01"],
    }
}

async fn check(
    kind: Kind,
    app: &TestApp,
    method: Method,
    version: &str,
    body: Value,
) -> Result<(), TestCaseError> {
    let path = format!("{}?api-version={version}", kind.path());
    let before = app.get(&path).await;
    let answer = app.request(method, &path).json(body).send().await;
    let after = app.get(&path).await;
    prop_assert!(answer.status.as_u16() < 500, "{}", answer.text);
    if !answer.status.is_success() {
        prop_assert_eq!(answer.code(), answer.header("x-ms-error-code"));
        prop_assert_eq!(before.text, after.text, "a refusal changes nothing: {}", answer.text);
        return Ok(());
    }
    prop_assert_eq!(after.status.as_u16(), 200);
    let again = app.put(&path, after.json()).await;
    prop_assert!(again.status.is_success(), "{} cannot be sent back: {}", after.text, again.text);
    Ok(())
}

#[test]
fn a_body_is_taken_whole_or_changes_nothing() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let apps: Vec<(Kind, TestApp)> = runtime.block_on(async {
        let mut apps = Vec::new();
        for kind in Kind::ALL {
            let app = kind.app(Backend::Sqlite).await;
            kind.make_referred(&app).await;
            apps.push((kind, app));
        }
        apps
    });
    let change = (any::<prop::sample::Index>(), changes());
    let cases = (
        prop::sample::select((0..apps.len()).collect::<Vec<_>>()),
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        prop::collection::vec(change, 1..4),
        prop::bool::weighted(0.2),
    );
    let mut runner = TestRunner::new(Config { cases: 600, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&cases, |(index, which, version, changes, patch)| {
        let (kind, app) = &apps[index];
        let body = which.get(&kind.maximal()).clone();
        let body = changes.iter().fold(body, |body, (place, change)| changed(body, *place, change));
        let method = if patch && kind.patched().is_some() { Method::PATCH } else { Method::PUT };
        let version = *version.get(&versions(*kind));
        runtime.block_on(check(*kind, app, method, version, body))
    });
    outcome.unwrap();
}
