//! `PATCH F/managedNamespaces/{namespace}`.

use axum::response::Response;

use crate::api::attempt::attempt;
use crate::api::contract::table::namespace::{PATCH, TYPE};
use crate::api::contract::{Method, Served};
use crate::api::error::ApiError;
use crate::api::extract::{Call, RawBody};
use crate::api::lro::{Polling, answer_patch};
use crate::api::resource::Rendered as _;
use crate::api::route::{Answer, Operation};
use crate::domain::namespace::{ManagedNamespace, NamespacePatch};

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "FleetManagedNamespaces_Update",
    summary: "Change the tags or settings of a managed namespace.",
    served: Served::Fleet(TYPE.versions),
    takes: Some(&PATCH),
    answers: &[Answer::one(202, TYPE.body).polled(Polling::StatusAndResult)],
};

/// The handler.
pub async fn handle(call: Call, body: RawBody) -> Result<Response, ApiError> {
    let decode = |existing: &ManagedNamespace| {
        let stored = existing.newest();
        body.read(&call, &PATCH, Method::Patch, Some(&stored), |value, faults| {
            NamespacePatch::read_into(value, existing, faults)
        })
    };
    let (context, preconditions) = (&call.context, &call.preconditions);
    let written =
        attempt(|| call.service.patch_managed_namespace(context, &call.id, preconditions, &decode)).await?;
    Ok(answer_patch(&call, &written))
}
