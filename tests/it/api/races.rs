//! Several clients at one moment: of those who rely on the same state one wins, and whatever is left is whole.

use std::sync::Arc;

use axum::http::Method;
use fleetplane::testing::app::{Backend, FLEET, GROUP, TestApp};
use rstest::rstest;
use serde_json::json;

use super::CLUSTER;
use super::estate::{Estate, acted_on, is_action};
use super::kinds::{Kind, of_each_kind};

/// How many clients there are.
const CLIENTS: usize = 8;

of_each_kind!(
    of_puts_with_one_etag_exactly_one_succeeds,
    of_patches_with_one_etag_exactly_one_succeeds,
    of_deletions_with_one_etag_exactly_one_deletes,
    of_creations_exactly_one_creates,
    deletions_and_puts_at_once_leave_it_whole_or_gone,
    what_is_in_something_goes_with_it,
);

/// The statuses, sorted, of what so many clients send at once.
async fn at_once<F>(send: impl Fn(usize) -> F) -> Vec<u16>
where
    F: Future<Output = u16> + Send + 'static,
{
    let sent: Vec<_> = (0..CLIENTS).map(|client| tokio::spawn(send(client))).collect();
    let mut statuses = Vec::new();
    for one in sent {
        statuses.push(one.await.unwrap());
    }
    statuses.sort_unstable();
    statuses
}

/// `winner` once, and `loser` for everybody else.
fn one(winner: u16, loser: u16) -> Vec<u16> {
    let mut statuses = vec![loser; CLIENTS];
    statuses[0] = winner;
    statuses.sort_unstable();
    statuses
}

/// What so many clients get who send the same under the same header.
async fn contend(kind: Kind, app: &Arc<TestApp>, method: Method, header: (&'static str, &str)) -> Vec<u16> {
    at_once(|_| {
        let (app, method, value) = (Arc::clone(app), method.clone(), header.1.to_owned());
        async move { kind.send(&app, method, (header.0, &value)).await.status.as_u16() }
    })
    .await
}

/// A service in which there is one of the kind, and its tag.
async fn existing(kind: Kind, backend: Backend) -> (Arc<TestApp>, String) {
    let app = Arc::new(kind.app(backend).await);
    let tag = app.put(&kind.path(), kind.body()).await.expect(201).header("etag").to_owned();
    (app, tag)
}

async fn of_puts_with_one_etag_exactly_one_succeeds(kind: Kind, backend: Backend) {
    let (app, tag) = existing(kind, backend).await;
    assert_eq!(contend(kind, &app, Method::PUT, ("if-match", &tag)).await, one(200, 412));
}

async fn of_patches_with_one_etag_exactly_one_succeeds(kind: Kind, backend: Backend) {
    let (app, tag) = existing(kind, backend).await;
    let statuses = contend(kind, &app, Method::PATCH, ("if-match", &tag)).await;
    assert_eq!(statuses, kind.patched().map_or(vec![405; CLIENTS], |patched| one(patched, 412)));
}

async fn of_deletions_with_one_etag_exactly_one_deletes(kind: Kind, backend: Backend) {
    let (app, tag) = existing(kind, backend).await;
    let statuses = contend(kind, &app, Method::DELETE, ("if-match", &tag)).await;
    assert_eq!(statuses, one(kind.deleted(), 204));
    let _ = app.get(&kind.path()).await.expect(404);
}

async fn of_creations_exactly_one_creates(kind: Kind, backend: Backend) {
    let app = Arc::new(kind.app(backend).await);
    assert_eq!(contend(kind, &app, Method::PUT, ("if-none-match", "*")).await, one(201, 412));
}

async fn deletions_and_puts_at_once_leave_it_whole_or_gone(kind: Kind, backend: Backend) {
    let (app, _) = existing(kind, backend).await;
    let statuses = at_once(|client| {
        let app = Arc::clone(&app);
        let method = if client % 2 == 0 { Method::PUT } else { Method::DELETE };
        async move { kind.send(&app, method, ("if-match", "")).await.status.as_u16() }
    })
    .await;
    let deleted = kind.deleted();
    let known = |status: &u16| [200, 201, 204, deleted].contains(status);
    assert!(statuses.iter().all(known), "{statuses:?}");
    let exists = app.get(&kind.path()).await.status.as_u16() == 200;
    // Where a DELETE says whether it found something, what was made and deleted adds up.
    let distinct = |status: u16| statuses.iter().filter(|one| **one == status).count();
    if ![200, 204].contains(&deleted) {
        assert_eq!(1 + distinct(201) - distinct(deleted), usize::from(exists), "{statuses:?}");
    }
    let _ = app.put(&kind.path(), kind.body()).await.expect(if exists { 200 } else { 201 });
    let _ = app.delete(&kind.path()).await.expect(deleted);
    let _ = app.get(&kind.path()).await.expect(404);
}

/// Whoever deletes the parent, or the group around it, while children are put: no child is left without it.
async fn what_is_in_something_goes_with_it(kind: Kind, backend: Backend) {
    let parent = match kind {
        Kind::Fleet | Kind::Cluster | Kind::Snapshot => GROUP,
        Kind::Pool | Kind::Window => CLUSTER,
        _ => FLEET,
    };
    let app = Arc::new(kind.app(backend).await);
    let statuses = at_once(|client| {
        let app = Arc::clone(&app);
        async move {
            let answer = match client {
                3 => app.delete(parent).await,
                6 => app.delete(GROUP).await,
                _ => kind.send(&app, Method::PUT, ("if-match", "")).await,
            };
            answer.status.as_u16()
        }
    })
    .await;
    let known = |status: &u16| [200, 201, 202, 204, 400, 404].contains(status);
    assert!(statuses.iter().all(known), "{statuses:?}");
    let (parent, child) =
        (app.get(parent).await.status.as_u16(), app.get(&kind.path()).await.status.as_u16());
    assert!(child == 404 || parent == 200, "{child} in {parent}: {statuses:?}");
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_actions_with_one_etag_exactly_one_succeeds(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    for action in fleetplane::api::routes().iter().filter(|route| is_action(route)) {
        let estate = Estate::new(backend).await;
        estate.prepare(action).await;
        let asked = estate.asked(action);
        let of = acted_on(action, &asked.path);
        let app = Arc::new(estate.app);
        let tag = app.get(&of).await.expect(200).header("etag").to_owned();
        let statuses = at_once(|_| {
            let (app, tag, method) = (Arc::clone(&app), tag.clone(), action.method.clone());
            let (path, body) = (asked.path.clone(), asked.body.clone());
            async move {
                let request = app.request(method, &path).header("if-match", &tag);
                request.json(body.unwrap_or_else(|| json!({}))).send().await.status.as_u16()
            }
        })
        .await;
        let id = action.operation.id;
        if id.ends_with("_GenerateUpdateRun") {
            assert_eq!(statuses, [200; CLIENTS], "asking for a run writes no profile");
            let runs = app.get(&format!("{FLEET}/updateRuns")).await.expect(200).json();
            let made = runs["value"].as_array().unwrap().iter();
            let made = made.filter(|run| run["properties"]["autoUpgradeProfileId"] == of.as_str()).count();
            assert_eq!(made, 1);
            continue;
        }
        let succeeded = action.operation.answers[0].status;
        assert_eq!(statuses, one(succeeded, 412), "{id}");
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_starts_at_once_exactly_one_starts(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (app, _) = existing(Kind::Run, backend).await;
    let start = format!("{}/start", Kind::Run.path());
    // It waits, so that it is not over before all have asked.
    let mut body = super::run_body();
    let gate = json!([{ "type": "Approval" }]);
    body["properties"]["strategy"] =
        json!({ "stages": [{ "name": "one", "memberSelector": { "byLabel": "" }, "beforeGates": gate }] });
    let _ = app.put(&format!("{FLEET}/members/m1"), super::member_body("connected")).await.expect(201);
    let _ = app.put(&Kind::Run.path(), body).await.expect(200);
    let statuses = at_once(|_| {
        let (app, start) = (Arc::clone(&app), start.clone());
        async move { app.post(&start).await.status.as_u16() }
    })
    .await;
    assert_eq!(statuses, one(200, 409));
    let gates = app.get(&format!("{FLEET}/gates")).await.expect(200).json();
    assert_eq!(gates["value"].as_array().map(Vec::len), Some(1));
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_generated_in_a_fleet_or_not_at_all(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = Arc::new(Kind::Profile.app(backend).await);
    for _ in 0..10 {
        let _ = app.put(FLEET, super::fleet_body()).await;
        let _ = app.put(&Kind::Member.path(), Kind::Member.body()).await.expect(201);
        let _ = app.put(&Kind::Profile.path(), Kind::Profile.body()).await.expect(201);
        let generate = format!("{}/generateUpdateRun", Kind::Profile.path());
        let asked: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let (app, generate) = (Arc::clone(&app), generate.clone());
                let delete = client == CLIENTS / 2;
                tokio::spawn(async move {
                    if delete { app.delete(FLEET).await } else { app.post(&generate).await }
                })
            })
            .collect();
        let mut made = Vec::new();
        for one in asked {
            let answer = one.await.unwrap();
            assert!([200, 202, 404].contains(&answer.status.as_u16()), "{}", answer.text);
            if answer.status.as_u16() == 200 {
                made.push(answer.json()["id"].as_str().unwrap().to_owned());
            }
        }
        let _ = app.get(FLEET).await.expect(404);
        for run in made {
            let _ = app.get(&run).await.expect(404);
        }
    }
}
