use super::*;
use crate::domain::strategy::{Strategy, UpdateStrategy};
use crate::service::resource::Outcome;

fn id() -> ResourceId {
    fleet_id().child("updateStrategies", "s")
}

async fn put(
    service: &Under,
    preconditions: &Preconditions,
    stage: &str,
) -> Result<Written<UpdateStrategy>, ServiceError> {
    let body = json!({ "stages": [{ "name": stage, "groups": [{ "name": "g" }] }] });
    let read = |_: Option<&UpdateStrategy>| Strategy::read(&body, "properties.strategy");
    service.put_update_strategy(&call(), &id(), preconditions, read).await
}

#[tokio::test]
async fn a_strategy_is_written_and_deleted_at_once() {
    let service = at_once().await;
    assert_eq!(code(put(&service, &any(), "a").await), Code::ParentResourceNotFound);
    service.fleet().await;
    let first = put(&service, &if_none_match(), "a").await.unwrap();
    assert_eq!((first.outcome, &first.operation), (Outcome::Created, &None));
    assert_eq!(code(put(&service, &if_none_match(), "b").await), Code::PreconditionFailed);
    let second = put(&service, &if_match(&first.etag.quoted()), "b").await.unwrap();
    assert_eq!(second.outcome, Outcome::Replaced);
    assert_eq!(code(put(&service, &if_match(&first.etag.quoted()), "c").await), Code::PreconditionFailed);
    assert_eq!(code(put(&service, &any(), "Bad Name").await), Code::InvalidParameter);
    let stored = service.stored::<UpdateStrategy>(&id()).await.unwrap();
    assert_eq!((stored.strategy.stages[0].name.as_str(), stored.etag), ("b", second.etag));

    let stale = if_match(&first.etag.quoted());
    assert_eq!(code(service.delete_update_strategy(&id(), &stale).await), Code::PreconditionFailed);
    assert!(service.delete_update_strategy(&id(), &any()).await.unwrap());
    assert!(!service.delete_update_strategy(&id(), &any()).await.unwrap());
}
