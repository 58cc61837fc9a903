//! Use cases over a store, without HTTP.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod fleets;
mod members;
mod operations;
mod resource_groups;
mod strategies;

use serde_json::{Value, json};

use super::resource::{Written, find};
use super::{OperationDurations, ServiceError, Settings};
use crate::domain::etag::{ETag, Preconditions};
use crate::domain::fleet::{Fleet, FleetPatch, FleetSpec};
use crate::domain::member::{Member, MemberSpec};
use crate::domain::refusal::Code;
use crate::domain::resource_id::ResourceId;
use crate::store::{Access, Entity, Stored};
use crate::testing::databases::TestDatabase;
use crate::testing::service::{AT_ONCE, SUBSCRIPTION, TestService, call};

/// A service with the database it lives on.
struct Under {
    service: TestService,
    _database: TestDatabase,
}

impl std::ops::Deref for Under {
    type Target = TestService;

    fn deref(&self) -> &TestService {
        &self.service
    }
}

async fn with(settings: Settings) -> Under {
    let database = TestDatabase::sqlite();
    let store = database.open().await.unwrap();
    Under { service: TestService::with(store, settings), _database: database }
}

/// Operations take no time.
async fn at_once() -> Under {
    with(AT_ONCE).await
}

/// Operations take simulated time.
async fn taking_time() -> Under {
    with(Settings { operation_durations: OperationDurations::Simulated, ..AT_ONCE }).await
}

fn group_id() -> ResourceId {
    ResourceId::resource_group(SUBSCRIPTION, "rg")
}

fn fleet_id() -> ResourceId {
    group_id().child("fleets", "f")
}

fn member_id(name: &str) -> ResourceId {
    fleet_id().child("members", name)
}

fn any() -> Preconditions {
    Preconditions::default()
}

fn if_match(tag: &str) -> Preconditions {
    Preconditions::of_write(Some(tag), None).unwrap()
}

fn if_none_match() -> Preconditions {
    Preconditions::of_write(None, Some("*")).unwrap()
}

impl Under {
    async fn put_fleet_with(
        &self,
        id: &ResourceId,
        preconditions: &Preconditions,
        body: Value,
    ) -> Result<Written<Fleet>, ServiceError> {
        self.put_fleet(&call(), id, preconditions, |existing| FleetSpec::read(id, &body, existing)).await
    }

    /// The fleet [`fleet_id`], hubless, in `westeurope`.
    async fn fleet(&self) -> Written<Fleet> {
        self.put_fleet_with(&fleet_id(), &any(), json!({ "location": "westeurope" })).await.unwrap()
    }

    async fn patch_fleet_with(&self, body: Value) -> Result<Written<Fleet>, ServiceError> {
        self.patch_fleet(&call(), &fleet_id(), &any(), |fleet| FleetPatch::read(&body, fleet)).await
    }

    async fn put_member_of(
        &self,
        id: &ResourceId,
        cluster: &ResourceId,
    ) -> Result<Written<Member>, ServiceError> {
        let body = json!({ "properties": { "clusterResourceId": cluster } });
        self.put_member(&call(), id, &any(), |existing| MemberSpec::read(id, &body, existing)).await
    }

    async fn stored<E: Entity>(&self, id: &ResourceId) -> Option<Stored<E>> {
        let mut tx = self.store.begin(Access::Read).await.unwrap();
        find::<E>(tx.as_mut(), id).await.unwrap()
    }

    async fn etag<E: Entity>(&self, id: &ResourceId) -> ETag {
        self.stored::<E>(id).await.unwrap().etag
    }
}

/// Why it was refused.
fn code<T: std::fmt::Debug>(result: Result<T, ServiceError>) -> Code {
    match result {
        Err(ServiceError::Refused(refusal)) => refusal.code,
        other => panic!("expected a refusal, got {other:?}"),
    }
}
