//! The table of preconditions: every type that users write, every action, on both stores.

use axum::http::Method;
use fleetplane::testing::app::Backend;
use rstest::rstest;
use serde_json::json;

use super::estate::{Estate, acted_on, has_no_etag, is_action};
use super::is_on;
use super::kinds::{Kind, of_each_kind};

of_each_kind!(
    put_follows_the_table,
    patch_follows_the_table,
    delete_follows_the_table,
    a_fresh_etag_is_taken_in_every_form_and_a_used_one_is_stale,
    a_get_of_a_known_state_is_not_modified,
);

/// A request with one header, and what it answers where the resource is missing, and where it exists.
type Row = (&'static str, &'static str, u16, u16);

const PUT: [Row; 10] = [
    ("if-match", "", 201, 200),
    ("if-match", "*", 412, 200),
    ("if-match", "xyz", 412, 412),
    ("if-match", "\"", 412, 412),
    ("if-match", "W/\"\"", 412, 412),
    ("if-match", ",", 412, 412),
    ("if-match", "\"a\", W/\"b\"", 412, 412),
    ("if-none-match", "", 201, 200),
    ("if-none-match", "*", 201, 412),
    ("if-none-match", "xyz", 400, 400),
];

async fn put_follows_the_table(kind: Kind, backend: Backend) {
    let app = kind.app(backend).await;
    for (header, value, missing, existing) in PUT {
        let answer = kind.send(&app, Method::PUT, (header, value)).await;
        assert_eq!(answer.status.as_u16(), missing, "{header}: {value:?}: {}", answer.text);
        if missing != 201 {
            let _ = app.get(&kind.path()).await.expect(404);
            let _ = app.put(&kind.path(), kind.body()).await.expect(201);
        }
        let before = app.get(&kind.path()).await.expect(200);
        let answer = kind.send(&app, Method::PUT, (header, value)).await;
        assert_eq!(answer.status.as_u16(), existing, "{header}: {value:?}: {}", answer.text);
        let after = app.get(&kind.path()).await.expect(200);
        let changed = before.header("etag") != after.header("etag");
        assert_eq!(changed, existing == 200, "only a write renews the eTag");
        let _ = app.delete(&kind.path()).await.expect(kind.deleted());
    }
}

const PATCH: [Row; 6] = [
    ("if-match", "", 404, 200),
    ("if-match", "*", 404, 200),
    ("if-match", "xyz", 404, 412),
    ("if-match", "\"\"", 404, 412),
    ("if-none-match", "*", 404, 412),
    ("if-none-match", "xyz", 400, 400),
];

async fn patch_follows_the_table(kind: Kind, backend: Backend) {
    let app = kind.app(backend).await;
    let Some(patched) = kind.patched() else {
        let refused = kind.send(&app, Method::PATCH, ("if-match", "")).await.expect(405);
        assert_eq!(refused.code(), "MethodNotAllowed");
        return;
    };
    for (header, value, missing, _) in PATCH {
        let _ = kind.send(&app, Method::PATCH, (header, value)).await.expect(missing);
    }
    let _ = app.put(&kind.path(), kind.body()).await.expect(201);
    for (header, value, _, existing) in PATCH {
        let before = app.get(&kind.path()).await.expect(200);
        let expected = if existing == 200 { patched } else { existing };
        let _ = kind.send(&app, Method::PATCH, (header, value)).await.expect(expected);
        let after = app.get(&kind.path()).await.expect(200);
        assert_eq!(before.header("etag") != after.header("etag"), existing == 200);
    }
}

const DELETE: [Row; 6] = [
    ("if-match", "", 204, 200),
    ("if-match", "*", 204, 200),
    ("if-match", "xyz", 204, 412),
    ("if-match", "\"\"", 204, 412),
    ("if-none-match", "*", 204, 412),
    ("if-none-match", "xyz", 400, 400),
];

async fn delete_follows_the_table(kind: Kind, backend: Backend) {
    let app = kind.app(backend).await;
    for (header, value, missing, existing) in DELETE {
        let _ = kind.send(&app, Method::DELETE, (header, value)).await.expect(missing);
        let _ = app.put(&kind.path(), kind.body()).await.expect(201);
        let succeeds = existing == 200;
        let expected = if succeeds { kind.deleted() } else { existing };
        let _ = kind.send(&app, Method::DELETE, (header, value)).await.expect(expected);
        let _ = app.get(&kind.path()).await.expect(if succeeds { 404 } else { 200 });
        if !succeeds {
            let _ = app.delete(&kind.path()).await.expect(kind.deleted());
        }
    }
}

async fn a_fresh_etag_is_taken_in_every_form_and_a_used_one_is_stale(kind: Kind, backend: Backend) {
    let app = kind.app(backend).await;
    let mut tag = app.put(&kind.path(), kind.body()).await.expect(201).header("etag").to_owned();
    let first = tag.clone();
    let forms: [fn(&str) -> String; 4] = [
        |tag| tag.to_owned(),
        |tag| format!("W/{tag}"),
        |tag| tag.replace('"', ""),
        |tag| format!("\"other\", {tag}"),
    ];
    for form in forms {
        let answer = kind.send(&app, Method::PUT, ("if-match", &form(&tag))).await.expect(200);
        assert_eq!(kind.tag_in(&answer.json()), answer.header("etag"), "header and body agree");
        tag = answer.header("etag").to_owned();
    }
    let stale = kind.send(&app, Method::PUT, ("if-match", &first)).await.expect(412);
    assert_eq!(stale.code(), "PreconditionFailed");
    let message = stale.json()["error"]["message"].to_string().replace('\\', "");
    assert!(message.contains(&first) && message.contains(&tag), "{message}");
}

/// Not so a cluster, whose tag does not cover its pools.
async fn a_get_of_a_known_state_is_not_modified(kind: Kind, backend: Backend) {
    let app = kind.app(backend).await;
    let tag = app.put(&kind.path(), kind.body()).await.expect(201).header("etag").to_owned();
    let get =
        async |tag: &str| app.request(Method::GET, &kind.path()).header("if-none-match", tag).send().await;
    let _ = get("\"another\"").await.expect(200);
    let known = get(&tag).await;
    if kind == Kind::Cluster {
        let _ = known.expect(200);
    } else {
        assert_eq!((known.status.as_u16(), known.text.as_str(), known.header("etag")), (304, "", &*tag));
    }
}

#[test]
fn every_write_of_the_route_table_is_in_this_one() {
    for route in fleetplane::api::routes().iter().filter(|route| route.is_arm() && !has_no_etag(route)) {
        let id = route.operation.id;
        match route.method {
            Method::GET | Method::HEAD | Method::POST => {}
            // Gates are made by runs; their PATCH is with the actions.
            Method::PATCH if route.path.ends_with("/gates/{gateName}") => {}
            Method::PATCH => {
                assert!(Kind::of(route.path).is_some_and(|kind| kind.patched().is_some()), "{id}");
            }
            _ => assert!(Kind::of(route.path).is_some(), "{id} is about no kind"),
        }
    }
}

#[rstest]
#[tokio::test]
async fn actions_honour_the_tag_of_what_they_are_done_to(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    for action in fleetplane::api::routes().iter().filter(|route| is_action(route)) {
        let id = action.operation.id;
        let estate = Estate::new(backend).await;
        estate.prepare(action).await;
        let asked = estate.asked(action);
        let of = acted_on(action, &asked.path);
        let send = async |path: &str, header: &str, value: &str| {
            let request = estate.app.request(action.method.clone(), path).header(header, value);
            request.json(asked.body.clone().unwrap_or_else(|| json!({}))).send().await
        };
        for (header, value, missing, existing) in PATCH {
            let nowhere = send(&estate.missing(action), header, value).await;
            assert_eq!(nowhere.status.as_u16(), missing, "{id} {header}: {value:?}: {}", nowhere.text);
            if existing != 200 {
                let refused = send(&asked.path, header, value).await;
                assert_eq!(refused.status.as_u16(), existing, "{id} {header}: {value:?}: {}", refused.text);
            }
        }
        let tag = estate.app.get(&of).await.expect(200).header("etag").to_owned();
        let done = send(&asked.path, "if-match", &tag).await;
        assert!(done.status.is_success(), "{id}: {}", done.text);
    }
}

#[test]
fn paths_of_kinds_are_of_one_route_each() {
    for kind in Kind::ALL {
        let routes = fleetplane::api::routes();
        let gets =
            routes.iter().filter(|route| route.method == Method::GET && is_on(&kind.path(), route.path));
        assert_eq!(gets.count(), 1, "{kind:?}");
    }
}
