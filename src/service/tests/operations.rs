use chrono::TimeDelta;

use super::*;
use crate::domain::lifecycle::ProvisioningState::{Deleting, Succeeded, Updating};
use crate::domain::operation::{Action, Operation, OperationStatus};
use crate::domain::resource_group::ResourceGroup;

async fn status(service: &Under, operation: &Operation) -> OperationStatus {
    service.operation(&operation.id).await.unwrap().status
}

#[tokio::test]
async fn an_operation_ends_when_its_time_has_come_and_renews_the_tag() {
    let service = taking_time().await;
    let written = service.fleet().await;
    let operation = written.operation.unwrap();
    assert_eq!(service.etag::<Fleet>(&fleet_id()).await, written.etag);
    service.pass(TimeDelta::milliseconds(999)).await;
    assert_eq!(status(&service, &operation).await, OperationStatus::InProgress);
    service.pass(TimeDelta::milliseconds(1)).await;
    let ended = service.operation(&operation.id).await.unwrap();
    assert_eq!((ended.status, ended.end_time), (OperationStatus::Succeeded, Some(service.clock.now())));
    let stored = service.stored::<Fleet>(&fleet_id()).await.unwrap();
    assert_eq!(stored.lifecycle.state, Succeeded);
    assert_ne!(stored.etag, written.etag);
    assert_eq!(stored.system_data, written.entity.system_data);
}

#[tokio::test]
async fn a_hub_takes_a_minute() {
    let service = taking_time().await;
    service.fleet().await;
    service.pass(TimeDelta::seconds(1)).await;
    let body = json!({ "properties": { "hubProfile": {} } });
    let operation = service.put_fleet_with(&fleet_id(), &any(), body).await.unwrap().operation.unwrap();
    service.pass(TimeDelta::seconds(59)).await;
    assert_eq!(service.stored::<Fleet>(&fleet_id()).await.unwrap().lifecycle.state, Updating);
    service.pass(TimeDelta::seconds(1)).await;
    assert_eq!(status(&service, &operation).await, OperationStatus::Succeeded);
}

#[tokio::test]
async fn a_deletion_cancels_what_is_pending_and_wins() {
    let service = taking_time().await;
    let creation = service.fleet().await.operation.unwrap();
    let deletion = service.delete_fleet(&fleet_id(), &any()).await.unwrap().unwrap();
    assert_eq!(deletion.entity.lifecycle.state, Deleting);
    assert_eq!(status(&service, &creation).await, OperationStatus::Canceled);
    service.pass(TimeDelta::seconds(1)).await;
    assert!(service.stored::<Fleet>(&fleet_id()).await.is_none());
    assert_eq!(status(&service, &deletion.operation.unwrap()).await, OperationStatus::Succeeded);
    assert_eq!(status(&service, &creation).await, OperationStatus::Canceled);
}

#[tokio::test]
async fn a_second_deletion_returns_the_running_one_and_changes_nothing() {
    let service = taking_time().await;
    service.fleet().await;
    let first = service.delete_fleet(&fleet_id(), &any()).await.unwrap().unwrap();
    let second = service.delete_fleet(&fleet_id(), &any()).await.unwrap().unwrap();
    assert_eq!((first.operation, first.etag), (second.operation, second.etag));
    let put = service.put_fleet_with(&fleet_id(), &any(), json!({ "location": "westeurope" })).await;
    assert_eq!(code(put), Code::OperationNotAllowed);
}

#[tokio::test]
async fn the_operation_of_a_resource_that_is_gone_is_cancelled() {
    let service = taking_time().await;
    service.fleet().await;
    let cluster = service.cluster("c").await;
    service.pass(TimeDelta::milliseconds(500)).await;
    let joining = service.put_member_of(&member_id("m"), &cluster).await.unwrap().operation.unwrap();
    service.delete_fleet(&fleet_id(), &any()).await.unwrap();
    service.pass(TimeDelta::seconds(1)).await;
    assert!(service.stored::<Member>(&member_id("m")).await.is_none());
    // One of the same name made meanwhile has nothing to do with it.
    service.fleet().await;
    let again = service.put_member_of(&member_id("m"), &cluster).await.unwrap().operation.unwrap();
    service.pass(TimeDelta::seconds(1)).await;
    assert_eq!(status(&service, &joining).await, OperationStatus::Canceled);
    assert_eq!(status(&service, &again).await, OperationStatus::InProgress);
}

#[tokio::test]
async fn ending_an_operation_again_does_nothing() {
    let service = taking_time().await;
    let operation = service.fleet().await.operation.unwrap();
    service.pass(TimeDelta::seconds(1)).await;
    let etag = service.etag::<Fleet>(&fleet_id()).await;
    let mut tx = service.store.begin(Access::Write).await.unwrap();
    let record = tx.get(Operation::KIND, &Operation::key(operation.guid)).await.unwrap().unwrap();
    service.finish_operation(tx.as_mut(), record.decode().unwrap()).await.unwrap();
    tx.commit(false).await.unwrap();
    assert_eq!(service.etag::<Fleet>(&fleet_id()).await, etag);
    assert_eq!(service.finish_due_operations(service.clock.now()).await, 0);
}

#[tokio::test]
async fn a_group_is_deleted_with_everything_in_it() {
    let service = taking_time().await;
    service.fleet().await;
    let deletion = service.delete_resource_group(&group_id()).await.unwrap();
    assert_eq!(service.delete_resource_group(&group_id()).await.unwrap(), deletion);
    let put = service.put_fleet_with(&fleet_id(), &any(), json!({ "location": "westeurope" })).await;
    assert_eq!(code(put), Code::OperationNotAllowed);
    service.pass(TimeDelta::seconds(5)).await;
    assert!(service.stored::<ResourceGroup>(&group_id()).await.is_none());
    assert!(service.stored::<Fleet>(&fleet_id()).await.is_none());
    assert_eq!(status(&service, &deletion).await, OperationStatus::Succeeded);
}

#[tokio::test]
async fn records_of_ended_operations_are_kept_for_a_day_of_real_time() {
    let service = taking_time().await;
    let ended = service.fleet().await.operation.unwrap();
    service.pass(TimeDelta::days(2)).await;
    assert_eq!(service.prune_operations().await.unwrap(), 0);
    let running = service.delete_fleet(&fleet_id(), &any()).await.unwrap().unwrap().operation.unwrap();
    service.pass_real(TimeDelta::hours(25));
    assert_eq!(service.prune_operations().await.unwrap(), 1);
    assert_eq!(code(service.operation(&ended.id).await), Code::ResourceNotFound);
    assert_eq!(status(&service, &running).await, OperationStatus::InProgress);
}

#[tokio::test]
async fn operations_that_never_end_do_not_keep_the_records_behind_them() {
    let service = taking_time().await;
    let mut tx = service.store.begin(Access::Write).await.unwrap();
    for _ in 0..501 {
        let cluster = group_id().child("managedClusters", "hangs");
        let minute = TimeDelta::minutes(1);
        service.begin_operation(tx.as_mut(), Action::Update, &cluster, "eastus", minute).await.unwrap();
    }
    tx.commit(false).await.unwrap();
    let ended = service.fleet().await.operation.unwrap();
    service.delete_fleet(&fleet_id(), &any()).await.unwrap();
    assert_eq!(status(&service, &ended).await, OperationStatus::Canceled);
    service.pass_real(TimeDelta::hours(25));
    assert_eq!(service.prune_operations().await.unwrap(), 1);
    assert_eq!(code(service.operation(&ended.id).await), Code::ResourceNotFound);
    assert_eq!(service.prune_operations().await.unwrap(), 0);
}
