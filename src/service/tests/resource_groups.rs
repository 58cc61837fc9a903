use super::*;
use crate::domain::resource_group::{ResourceGroup, ResourceGroupSpec};
use crate::service::resource::Outcome;

async fn put(service: &Under, body: Value) -> Result<Written<ResourceGroup>, ServiceError> {
    let read = |existing: Option<&ResourceGroup>| ResourceGroupSpec::read(&group_id(), &body, existing);
    service.put_resource_group(&call(), &group_id(), read).await
}

#[tokio::test]
async fn a_group_is_made_and_replaced_but_never_moves() {
    let service = at_once().await;
    let first = put(&service, json!({ "location": "eastus", "tags": { "a": "1" } })).await.unwrap();
    let second = put(&service, json!({ "location": "East US" })).await.unwrap();
    assert_eq!((first.outcome, second.outcome), (Outcome::Created, Outcome::Replaced));
    assert!(second.entity.tags.is_empty());
    assert_eq!(code(put(&service, json!({ "location": "westus" })).await), Code::InvalidResourceLocation);
}

#[tokio::test]
async fn deleting_a_missing_group_is_not_found() {
    let service = at_once().await;
    assert_eq!(code(service.delete_resource_group(&group_id()).await), Code::ResourceGroupNotFound);
}

#[tokio::test]
async fn a_write_into_a_missing_group_makes_it_unless_groups_are_strict() {
    let strict = with(Settings { strict_resource_groups: true, ..AT_ONCE }).await;
    // Told before preconditions and body.
    let refused = strict.put_fleet_with(&fleet_id(), &if_match("*"), json!({})).await;
    assert_eq!(code(refused), Code::ResourceGroupNotFound);
    put(&strict, json!({ "location": "eastus" })).await.unwrap();
    strict.fleet().await;

    let service = at_once().await;
    service.fleet().await;
    let group = service.stored::<ResourceGroup>(&group_id()).await.unwrap();
    assert_eq!(group.location, "westeurope");
    let bad = ResourceId::resource_group(SUBSCRIPTION, "ends.").child("fleets", "f");
    let refused = service.put_fleet_with(&bad, &any(), json!({ "location": "eastus" })).await;
    assert_eq!(code(refused), Code::InvalidResourceName);
}

#[tokio::test]
async fn a_refused_write_makes_no_group() {
    let service = at_once().await;
    let refused = service.put_fleet_with(&fleet_id(), &any(), json!({ "location": "a/b" })).await;
    assert_eq!(code(refused), Code::InvalidParameter);
    assert!(service.stored::<ResourceGroup>(&group_id()).await.is_none());
}
