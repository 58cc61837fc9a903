use super::*;
use crate::domain::lifecycle::ProvisioningState::{Creating, Deleting, Succeeded, Updating};
use crate::domain::operation::OperationStatus;
use crate::domain::resource_group::ResourceGroup;
use crate::service::resource::Outcome;
use crate::testing::service::call_of;

#[tokio::test]
async fn an_operation_without_duration_is_over_but_its_answer_shows_it_under_way() {
    let service = at_once().await;
    let written = service.fleet().await;
    let stored = service.stored::<Fleet>(&fleet_id()).await.unwrap();
    assert_eq!((written.entity.lifecycle.state, stored.lifecycle.state), (Creating, Succeeded));
    assert_eq!(written.etag, stored.etag);
    let operation = written.operation.unwrap();
    assert_eq!(operation.status, OperationStatus::Succeeded);
    assert_eq!(stored.lifecycle.operation, Some(operation.guid));
    assert_eq!(service.operation(&operation.id).await.unwrap(), operation);
}

#[tokio::test]
async fn repeating_a_put_replaces_and_renews_the_tag() {
    let service = at_once().await;
    let first = service.fleet().await;
    let second = service.fleet().await;
    assert_eq!((first.outcome, second.outcome), (Outcome::Created, Outcome::Replaced));
    assert_eq!(second.entity.lifecycle.state, Updating);
    assert_ne!(first.etag, second.etag);
}

#[tokio::test]
async fn preconditions_decide_before_the_body_is_read() {
    let service = at_once().await;
    let bad = || json!({ "location": "a/b" });
    let put = async |preconditions: Preconditions| {
        code(service.put_fleet_with(&fleet_id(), &preconditions, bad()).await)
    };
    assert_eq!(put(if_match("*")).await, Code::PreconditionFailed);
    assert_eq!(put(any()).await, Code::InvalidParameter);
    let etag = service.fleet().await.etag;
    assert_eq!(put(if_none_match()).await, Code::PreconditionFailed);
    assert_eq!(put(if_match("\"other\"")).await, Code::PreconditionFailed);
    assert_ne!(put(if_match(&etag.quoted())).await, Code::PreconditionFailed);
    assert_eq!(service.etag::<Fleet>(&fleet_id()).await, etag);
}

#[tokio::test]
async fn a_bad_body_is_told_before_an_operation_in_flight() {
    let service = taking_time().await;
    service.fleet().await;
    let put = async |body| code(service.put_fleet_with(&fleet_id(), &any(), body).await);
    assert_eq!(put(json!({ "location": "a/b" })).await, Code::InvalidParameter);
    assert_eq!(put(json!({ "location": "westeurope" })).await, Code::OperationNotAllowed);
    assert_eq!(code(service.patch_fleet_with(json!({ "tags": {} })).await), Code::OperationNotAllowed);
}

#[tokio::test]
async fn tags_are_patched_at_once_and_an_identity_by_an_operation() {
    let service = at_once().await;
    service.fleet().await;
    let tagged = service.patch_fleet_with(json!({ "tags": { "a": "1" } })).await.unwrap();
    assert_eq!((tagged.operation, tagged.entity.lifecycle.state), (None, Succeeded));
    let body = json!({ "identity": { "type": "SystemAssigned" } });
    let identified = service.patch_fleet_with(body).await.unwrap();
    assert_eq!(identified.entity.lifecycle.state, Updating);
    assert!(identified.operation.is_some());
    let stored = service.stored::<Fleet>(&fleet_id()).await.unwrap();
    assert_eq!((stored.tags.len(), stored.lifecycle.state), (1, Succeeded));
    assert!(stored.identity.as_ref().unwrap().principal_id.is_some());
}

#[tokio::test]
async fn a_patch_of_what_is_not_there_is_not_found() {
    let service = at_once().await;
    assert_eq!(code(service.patch_fleet_with(json!({})).await), Code::ResourceNotFound);
}

#[tokio::test]
async fn a_new_hub_runs_a_version_of_the_catalogue() {
    let service = at_once().await;
    let body = json!({ "location": "westeurope", "properties": { "hubProfile": { "dnsPrefix": "hub" } } });
    let hub = service.put_fleet_with(&fleet_id(), &any(), body).await.unwrap().entity.hub_profile.unwrap();
    assert!(hub.kubernetes_version.is_some());
    let kept = service.fleet().await.entity.hub_profile;
    assert_eq!(kept, Some(hub));
}

#[tokio::test]
async fn writers_are_remembered_and_deletions_forget_nothing_of_them() {
    let service = at_once().await;
    let body = json!({ "location": "westeurope" });
    for (who, created) in [("ann", "ann"), ("ben", "ann")] {
        let read = |existing: Option<&Fleet>| FleetSpec::read(&fleet_id(), &body, existing);
        let written = service.put_fleet(&call_of(who), &fleet_id(), &any(), read).await.unwrap();
        let data = written.entity.system_data;
        assert_eq!((data.created_by.as_str(), data.last_modified_by.as_str()), (created, who));
    }
}

#[tokio::test]
async fn deleting_what_is_not_there_is_nothing_and_deleting_a_fleet_takes_its_children() {
    let service = at_once().await;
    assert!(service.delete_fleet(&fleet_id(), &if_match("\"x\"")).await.unwrap().is_none());
    service.fleet().await;
    let cluster = service.cluster("c").await;
    service.put_member_of(&member_id("m"), &cluster).await.unwrap();
    assert_eq!(code(service.delete_fleet(&fleet_id(), &if_match("\"x\"")).await), Code::PreconditionFailed);
    let deleted = service.delete_fleet(&fleet_id(), &if_match("*")).await.unwrap().unwrap();
    assert_eq!(deleted.entity.lifecycle.state, Deleting);
    assert!(service.stored::<Fleet>(&fleet_id()).await.is_none());
    assert!(service.stored::<Member>(&member_id("m")).await.is_none());
    assert!(service.delete_fleet(&fleet_id(), &any()).await.unwrap().is_none());
    // The cluster is free again.
    service.fleet().await;
    service.put_member_of(&member_id("m2"), &cluster).await.unwrap();
}

#[tokio::test]
async fn a_fleet_is_spelled_as_its_group_is() {
    let service = at_once().await;
    let id = ResourceId::resource_group(SUBSCRIPTION, "My-Group").child("fleets", "a");
    service.put_fleet_with(&id, &any(), json!({ "location": "eastus" })).await.unwrap();
    let shouted = ResourceId::resource_group(SUBSCRIPTION, "MY-GROUP").child("fleets", "b");
    let written = service.put_fleet_with(&shouted, &any(), json!({ "location": "westus2" })).await.unwrap();
    assert_eq!(written.entity.id.resource_group_name(), Some("My-Group"));
    let group = service.stored::<ResourceGroup>(&id.group().unwrap()).await.unwrap();
    assert_eq!(group.location, "eastus");
}

#[tokio::test]
async fn of_many_puts_with_one_tag_exactly_one_succeeds() {
    let service = at_once().await;
    let etag = service.fleet().await.etag;
    let preconditions = if_match(&etag.quoted());
    let mut won = 0;
    let (id, put) = (fleet_id(), || json!({ "location": "westeurope" }));
    let (a, b, c) = tokio::join!(
        service.put_fleet_with(&id, &preconditions, put()),
        service.put_fleet_with(&id, &preconditions, put()),
        service.put_fleet_with(&id, &preconditions, put()),
    );
    for result in [a, b, c] {
        match result {
            Ok(_) => won += 1,
            refused => assert_eq!(code(refused), Code::PreconditionFailed),
        }
    }
    assert_eq!(won, 1);
}
