//! `PUT fleets/{fleet}/updateStrategies/{strategy}`.

use fleetplane::testing::app::{Backend, FLEET, TestApp};
use rstest::rstest;
use serde_json::{Value, json};

fn path() -> String {
    format!("{FLEET}/updateStrategies/s1")
}

#[rstest]
#[tokio::test]
async fn a_maximal_strategy_is_answered_as_it_was_sent(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    super::super::with_fleet(&app).await;
    let schedule = json!({ "startDay": "Sunday", "startTime": "20:00", "utcOffset": "+01:00" });
    let body = json!({ "properties": { "strategy": { "stages": [{
        "name": "canary",
        "groups": [{ "name": "eu", "memberSelector": { "byLabel": "tier in (web,api)" }, "maxConcurrency": "50%",
                     "maxAllowedFailures": "1", "afterGates": [{ "displayName": "ok", "type": "approval" }] }],
        "memberSelector": { "byLabel": "env=prod" },
        "afterStageWaitInSeconds": 3600,
        "maxConcurrency": "2",
        "maxAllowedFailures": "10%",
        "beforeGates": [{ "type": "ScheduledStart", "scheduledStartConfiguration": schedule }]
    }] } } });
    let answer = app.put(&path(), body).await.expect(201);
    insta::assert_snapshot!("strategy", answer.text);
    let shown = app.get(&path()).await.expect(200);
    assert_eq!(shown.text, answer.text);
    let _ = app.put(&path(), shown.json()).await.expect(200);
}

#[tokio::test]
async fn shapes_and_rules_are_reported_together() {
    let app = TestApp::new(Backend::Sqlite).await;
    super::super::with_fleet(&app).await;
    let body = json!({ "properties": { "strategy": { "stages": [
        { "name": "a", "groups": [{ "name": "g", "maxConcurency": "1" }], "maxConcurrency": "99" },
        { "name": "a", "groups": [], "afterStageWaitInSeconds": "soon" }
    ] } } });
    let answer = app.put(&path(), body).await.expect(400).json();
    let details = answer["error"]["details"].as_array().unwrap();
    let targets: Vec<&str> = details.iter().filter_map(|detail| detail["target"].as_str()).collect();
    let stages = "properties.strategy.stages";
    assert_eq!(
        targets,
        [
            format!("{stages}[0].groups[0].maxConcurency"),
            format!("{stages}[1].afterStageWaitInSeconds"),
            format!("{stages}[0].maxConcurrency"),
            format!("{stages}[1]"),
            format!("{stages}[1].name"),
        ]
    );
}

#[tokio::test]
async fn an_old_version_keeps_what_it_cannot_see_on_the_stage_it_belongs_to() {
    let app = TestApp::new(Backend::Sqlite).await;
    super::super::with_fleet(&app).await;
    let of = |stages: Value| json!({ "properties": { "strategy": { "stages": stages } } });
    let body = of(json!([
        { "name": "one", "groups": [{ "name": "a", "maxConcurrency": "3" }], "maxAllowedFailures": "5%" },
        { "name": "two", "groups": [{ "name": "b" }] }
    ]));
    let _ = app.put(&path(), body).await.expect(201);
    let old = format!("{}?api-version=2023-10-15", path());
    let shown = app.get(&old).await.expect(200).json()["properties"]["strategy"]["stages"].clone();
    assert_eq!(
        shown,
        json!([{ "name": "one", "groups": [{ "name": "a" }] }, { "name": "two", "groups": [{ "name": "b" }] }])
    );
    let swapped = of(
        json!([{ "name": "two", "groups": [{ "name": "b" }] }, { "name": "one", "groups": [{ "name": "a" }] }]),
    );
    let _ = app.put(&old, swapped).await.expect(200);
    let now = app.get(&path()).await.json()["properties"]["strategy"]["stages"].clone();
    assert_eq!(now[1]["maxAllowedFailures"], "5%");
    assert_eq!(now[1]["groups"][0]["maxConcurrency"], "3");
}
