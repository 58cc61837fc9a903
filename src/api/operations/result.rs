//! `GET SUB/…/locations/{location}/operationresults/{operation}`: what an operation came to.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::api::contract::Served;
use crate::api::contract::table::arm::operation::OPERATION_RESULT;
use crate::api::error::{ApiError, of_operation};
use crate::api::extract::Call;
use crate::api::resource::{Rendered, answer, answer_stored};
use crate::api::route::{Answer, Operation as Row};
use crate::domain::fleet::Fleet;
use crate::domain::lifecycle::OperationError;
use crate::domain::managed_cluster::{ManagedCluster, pool_view};
use crate::domain::member::Member;
use crate::domain::namespace::ManagedNamespace;
use crate::domain::operation::{Action, Operation, OperationStatus};
use crate::domain::resource_id::ResourceId;

/// The operation.
pub static OPERATION: Row = Row {
    id: "OperationResults_Get",
    summary: "Get the result of a long-running operation: Location.",
    served: Served::Any,
    takes: None,
    answers: &[
        Answer::shaped(200, &OPERATION_RESULT),
        Answer::empty(202),
        Answer::empty(204),
        Answer::refusal(409),
    ],
};

/// The handler.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    let operation = call.service.operation(&call.id).await?;
    match operation.status {
        OperationStatus::InProgress => Ok(still_running(&call)),
        OperationStatus::Succeeded if has_result(operation.action) => result(&call, &operation).await,
        OperationStatus::Succeeded => Ok(StatusCode::NO_CONTENT.into_response()),
        OperationStatus::Failed | OperationStatus::Canceled => Ok(of_operation(&failure(&operation))),
    }
}

/// Whether the operation ends with a resource to show: not after a delete, and not after an action.
fn has_result(action: Action) -> bool {
    matches!(action, Action::Create | Action::Update)
}

fn still_running(call: &Call) -> Response {
    let mut response = StatusCode::ACCEPTED.into_response();
    let url = call.base.url(&format!("{}?api-version={}", call.path, call.version.as_str()));
    if let Ok(url) = HeaderValue::from_str(&url) {
        response.headers_mut().insert(header::LOCATION, url);
    }
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    response
}

/// The resource as it is now. To add a type with long-running operations, add its line.
async fn result(call: &Call, operation: &Operation) -> Result<Response, ApiError> {
    let id = &operation.resource;
    match id.type_path().as_str() {
        "fleets" => show::<Fleet>(call, id).await,
        "fleets/members" => show::<Member>(call, id).await,
        "fleets/managedNamespaces" => show::<ManagedNamespace>(call, id).await,
        "managedClusters" => show::<ManagedCluster>(call, id).await,
        "managedClusters/agentPools" => show_pool(call, id).await,
        _ => Ok(StatusCode::NO_CONTENT.into_response()),
    }
}

async fn show<E: Rendered>(call: &Call, id: &ResourceId) -> Result<Response, ApiError> {
    Ok(answer_stored(call, &call.service.read::<E>(id).await?))
}

async fn show_pool(call: &Call, id: &ResourceId) -> Result<Response, ApiError> {
    let found = call.service.agent_pool(id).await?;
    Ok(answer(StatusCode::OK, &pool_view(&found.cluster, &found.pool), found.pool.etag))
}

/// What the operation failed with; one that another has overtaken says nothing itself.
fn failure(operation: &Operation) -> OperationError {
    operation.error.clone().unwrap_or_else(|| OperationError {
        code: format!("Operation{:?}", operation.status),
        message: format!("The operation on {} was {:?}.", operation.resource, operation.status),
    })
}
