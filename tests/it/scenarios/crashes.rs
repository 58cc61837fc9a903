//! A process that dies between deciding and acting: whoever takes the run over goes on, and nobody is upgraded twice.

use std::sync::Arc;

use chrono::TimeDelta;
use fleetplane::app::App;
use fleetplane::service::Service;
use fleetplane::store::{Access, Kind, Lease, Update, WorkKind};
use fleetplane::testing::app::{Backend, FLEET, TestApp};
use rstest::rstest;
use serde_json::json;

use super::{Rollout, full, members};

/// Decides for whatever run is due and saves that, as a tick does, then forgets what was to be done.
async fn die_after_deciding(service: &Service) -> bool {
    let mut tx = service.store.begin(Access::Write).await.unwrap();
    let lease = Lease { owner: "the dead".to_owned(), duration: std::time::Duration::from_secs(10) };
    let claims = tx.claim(WorkKind::UpdateRun, service.clock.now(), &lease, 1).await.unwrap();
    let Some(claim) = claims.first() else {
        return false;
    };
    service.tick_run(tx.as_mut(), &claim.due.key, None).await.unwrap();
    // The lease goes as it does with a killed process's, once it has expired.
    tx.release_all(Some(&lease.owner)).await.unwrap();
    tx.commit(false).await.unwrap();
    true
}

/// Does what operations have due, and nothing of what follows from that.
async fn end_upgrades(service: &Service) {
    loop {
        let mut tx = service.store.begin(Access::Write).await.unwrap();
        let ended = service.finish_due_operations(tx.as_mut(), service.clock.now()).await.unwrap();
        tx.commit(false).await.unwrap();
        if ended == 0 {
            return;
        }
    }
}

#[rstest]
#[tokio::test]
async fn a_run_survives_a_crash_before_every_act(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    let clusters =
        json!({ "count": 6, "regions": ["westeurope"], "kubernetesVersion": "1.35", "groups": ["all"] });
    let rollout = Rollout::new(&app, clusters).await;
    let strategy = json!({ "properties": { "strategy": { "stages": [
        { "name": "all", "groups": [{ "name": "all", "maxConcurrency": "2" }] }
    ] } } });
    rollout.start(&strategy, full()).await;
    let mut crashes = 0;
    for _ in 0..12 {
        // Upgrades end, and the process dies over what follows from that.
        let clock = &app.service.clock;
        clock.set(clock.setting().moved_to(clock.now() + TimeDelta::minutes(7), clock.real_now()).unwrap());
        end_upgrades(&app.service).await;
        crashes += usize::from(die_after_deciding(&app.service).await);
        // A new process: nothing is remembered but what is stored.
        let successor = App::of(app.service.clone(), None, true);
        successor.scheduler.tick().await.unwrap();
        successor.scheduler.release_all().await.unwrap();
    }
    let status = rollout.status().await;
    assert_eq!(status["status"]["state"], "Completed", "{status}");
    assert!(crashes >= 3, "only {crashes} crashes met a decision");
    let upgraded = members(&status);
    assert_eq!(upgraded.len(), 6);
    for member in upgraded {
        let cluster = member["clusterResourceId"].as_str().unwrap().to_lowercase();
        let mut tx = app.service.store.begin(Access::Read).await.unwrap();
        let operations = tx.children(Kind::Operation, &cluster).await.unwrap();
        let upgrades = operations.iter().filter(|operation| operation.body.contains("\"Upgrade\"")).count();
        assert_eq!(upgrades, 1, "{} was upgraded {upgrades} times", member["name"]);
    }
}

#[tokio::test]
async fn two_schedulers_on_one_store_share_the_work_and_double_none_of_it() {
    let app = TestApp::new(Backend::Postgres).await;
    let clusters =
        json!({ "count": 20, "regions": ["westeurope"], "kubernetesVersion": "1.35", "groups": ["a", "b"] });
    let rollout = Rollout::new(&app, clusters).await;
    let stage = |name: &str| json!({ "name": name, "groups": [{ "name": name, "maxConcurrency": "5" }] });
    let strategy = json!({ "properties": { "strategy": { "stages": [stage("a"), stage("b")] } } });
    rollout.start(&strategy, full()).await;
    let replicas: Vec<Arc<App>> =
        (0..2).map(|_| Arc::new(App::of(app.service.clone(), None, true))).collect();
    for _ in 0..30 {
        let ticks = replicas.iter().map(|replica| {
            let replica = Arc::clone(replica);
            tokio::spawn(async move { replica.scheduler.tick().await.unwrap() })
        });
        for tick in ticks.collect::<Vec<_>>() {
            tick.await.unwrap();
        }
        let holder = &replicas[0];
        holder.scheduler.advance_clock(|now| Ok(now + TimeDelta::minutes(5))).await.unwrap();
        for replica in &replicas {
            replica.scheduler.release_all().await.unwrap();
        }
    }
    let run = app.get(&format!("{FLEET}/{}", super::RUN)).await.expect(200).json();
    assert_eq!(run["properties"]["status"]["status"]["state"], "Completed");
}

#[rstest]
#[tokio::test]
async fn a_run_that_cannot_be_read_holds_up_no_other(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let app = TestApp::new(backend).await;
    let clusters =
        json!({ "count": 1, "regions": ["westeurope"], "kubernetesVersion": "1.35", "groups": ["all"] });
    let rollout = Rollout::new(&app, clusters).await;
    let broken = format!("{FLEET}/updateRuns/broken");
    let _ = app.put(&broken, json!({ "properties": { "managedClusterUpdate": full() } })).await.expect(201);
    let _ = app.post(&format!("{broken}/start")).await.expect(200);
    let mut tx = app.service.store.begin(Access::Write).await.unwrap();
    let record = tx.get(Kind::UpdateRun, &broken.to_lowercase()).await.unwrap().unwrap();
    let (key, etag) = (record.key, record.etag);
    let update = Update { key, expected_version: record.version, etag, body: "{}".to_owned() };
    tx.update(&[update]).await.unwrap();
    tx.commit(false).await.unwrap();
    let strategy = json!({ "properties": { "strategy": { "stages": [
        { "name": "all", "groups": [{ "name": "all" }] }
    ] } } });
    rollout.start(&strategy, full()).await;
    rollout.pass("P1D").await;
    assert_eq!(rollout.status().await["status"]["state"], "Completed");
    assert_eq!(app.get(&broken).await.expect(500).code(), "InternalServerError");
}
