use super::*;
use crate::domain::lifecycle::ProvisioningState::{Creating, Deleting, Succeeded};
use crate::domain::member::Placement;
use crate::store::{MemberRow, WorkKind};

#[tokio::test]
async fn a_member_knows_its_clusters_region_and_carries_the_services_labels() {
    let service = at_once().await;
    service.fleet().await;
    let cluster = service.cluster("c").await;
    let written = service.put_member_of(&member_id("m"), &cluster).await.unwrap();
    assert_eq!(written.entity.lifecycle.state, Creating);
    let stored = service.stored::<Member>(&member_id("m")).await.unwrap();
    assert_eq!((stored.lifecycle.state, stored.etag), (Succeeded, written.etag));
    assert_eq!(stored.all_labels()["fleet.azure.com/location"], "eastus");
}

#[tokio::test]
async fn a_missing_fleet_is_told_before_anything_else() {
    let service = at_once().await;
    let put = |preconditions: Preconditions| {
        let service = &service;
        async move {
            let read = |_: Option<&Member>| MemberSpec::read(&member_id("m"), &json!({}), None);
            code(service.put_member(&call(), &member_id("m"), &preconditions, read).await)
        }
    };
    assert_eq!(put(if_match("*")).await, Code::ParentResourceNotFound);
    service.fleet().await;
    assert_eq!(put(if_match("*")).await, Code::PreconditionFailed);
    assert_eq!(put(any()).await, Code::RequiredPropertyMissing);
    assert!(service.delete_member(&member_id("m"), &any()).await.unwrap().is_none());
}

#[tokio::test]
async fn a_managed_cluster_must_exist_and_a_connected_one_is_not_asked() {
    let service = at_once().await;
    service.fleet().await;
    let missing = group_id().child("managedClusters", "nowhere");
    assert_eq!(code(service.put_member_of(&member_id("m"), &missing).await), Code::ClusterNotFound);
    let connected = missing
        .to_string()
        .replace("Microsoft.ContainerService/managedClusters", "Microsoft.Kubernetes/connectedClusters");
    let member = service.put_member_of(&member_id("m"), &connected.parse().unwrap()).await.unwrap().entity;
    assert!(!member.all_labels().contains_key("fleet.azure.com/location"));
}

#[tokio::test]
async fn a_cluster_joins_one_fleet_once() {
    let service = at_once().await;
    service.fleet().await;
    let other = group_id().child("fleets", "other");
    service.put_fleet_with(&other, &any(), json!({ "location": "eastus" })).await.unwrap();
    let cluster = service.cluster("c").await;
    service.put_member_of(&member_id("m"), &cluster).await.unwrap();
    // Repeating it is fine; another name or another fleet is not, in whatever casing.
    service.put_member_of(&member_id("m"), &cluster).await.unwrap();
    let shouted: ResourceId = cluster.to_string().to_uppercase().parse().unwrap();
    for id in [member_id("m2"), other.child("members", "m")] {
        let refused = service.put_member_of(&id, &shouted).await;
        assert_eq!(code(refused), Code::ClusterAlreadyJoinedAnotherFleet);
    }
}

#[tokio::test]
async fn a_fleet_has_room_for_so_many_members() {
    let service = with(Settings { max_members: 1, ..AT_ONCE }).await;
    service.fleet().await;
    let (first, second) = (service.cluster("c1").await, service.cluster("c2").await);
    service.put_member_of(&member_id("m1"), &first).await.unwrap();
    assert_eq!(code(service.put_member_of(&member_id("m2"), &second).await), Code::QuotaExceeded);
    service.put_member_of(&member_id("m1"), &first).await.unwrap();
}

#[tokio::test]
async fn a_patch_changes_group_and_labels_at_once() {
    let service = at_once().await;
    service.fleet().await;
    let cluster = service.cluster("c").await;
    service.put_member_of(&member_id("m"), &cluster).await.unwrap();
    let body = json!({ "properties": { "group": "canary", "labels": { "tier": "a" } } });
    let read = |member: &Member| Placement::patch(&body, member);
    let patched = service.patch_member(&call(), &member_id("m"), &any(), read).await.unwrap();
    assert!(patched.operation.is_none());
    let stored = service.stored::<Member>(&member_id("m")).await.unwrap();
    assert_eq!((&stored.entity, stored.etag), (&patched.entity, patched.etag));
    assert_eq!(stored.group.as_deref(), Some("canary"));
    // A PUT returns to defaults what it does not say.
    let put = service.put_member_of(&member_id("m"), &cluster).await.unwrap().entity;
    assert_eq!((put.group, put.labels.len()), (None, 0));
}

#[tokio::test]
async fn members_are_not_written_while_their_fleet_is_deleted() {
    let service = taking_time().await;
    service.fleet().await;
    let cluster = service.cluster("c").await;
    // While it is being created they are.
    service.put_member_of(&member_id("m"), &cluster).await.unwrap();
    service.delete_fleet(&fleet_id(), &any()).await.unwrap();
    let other = service.cluster("c2").await;
    assert_eq!(code(service.put_member_of(&member_id("m2"), &other).await), Code::OperationNotAllowed);
    let missing = group_id().child("managedClusters", "nowhere");
    assert_eq!(code(service.put_member_of(&member_id("m2"), &missing).await), Code::ClusterNotFound);
}

/// A run elsewhere that has `cluster` in its plan.
async fn run_with(service: &Under, run: &str, cluster: &ResourceId) {
    let mut tx = service.store.begin(Access::Write).await.unwrap();
    let row = MemberRow { ordinal: 0, cluster: cluster.key(), open: true, body: "{}".to_owned() };
    tx.replace_members(run, &[row]).await.unwrap();
    tx.schedule(WorkKind::UpdateRun, run, None).await.unwrap();
    tx.commit(false).await.unwrap();
}

async fn take_touched(service: &Under, run: &str) -> Vec<u32> {
    let mut tx = service.store.begin(Access::Write).await.unwrap();
    let touched = tx.take_touched(run).await.unwrap();
    tx.commit(false).await.unwrap();
    touched
}

#[tokio::test]
async fn runs_learn_when_a_member_begins_to_leave_and_when_it_is_gone() {
    let service = taking_time().await;
    service.fleet().await;
    let cluster = service.cluster("c").await;
    service.put_member_of(&member_id("m"), &cluster).await.unwrap();
    run_with(&service, "/run", &cluster).await;
    let leaving = service.delete_member(&member_id("m"), &any()).await.unwrap().unwrap();
    assert_eq!(leaving.entity.lifecycle.state, Deleting);
    assert_eq!(take_touched(&service, "/run").await, [0]);
    service.pass(chrono::TimeDelta::seconds(2)).await;
    assert!(service.stored::<Member>(&member_id("m")).await.is_none());
    assert_eq!(take_touched(&service, "/run").await, [0]);
}

#[tokio::test]
async fn runs_learn_when_a_member_goes_with_its_fleet_or_group() {
    let service = at_once().await;
    let cluster = service.cluster("c").await;
    service.fleet().await;
    service.put_member_of(&member_id("m"), &cluster).await.unwrap();
    run_with(&service, "/run", &cluster).await;
    service.delete_fleet(&fleet_id(), &any()).await.unwrap();
    assert_eq!(take_touched(&service, "/run").await, [0]);
    service.fleet().await;
    service.put_member_of(&member_id("m"), &cluster).await.unwrap();
    service.delete_resource_group(&group_id()).await.unwrap();
    assert_eq!(take_touched(&service, "/run").await, [0]);
}
