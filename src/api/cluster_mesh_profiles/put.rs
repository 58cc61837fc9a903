//! `PUT F/clusterMeshProfiles/{profile}`.

use axum::response::Response;

use crate::api::attempt::attempt;
use crate::api::contract::table::mesh::TYPE;
use crate::api::contract::{Method, Served};
use crate::api::error::ApiError;
use crate::api::extract::{Call, RawBody};
use crate::api::lro::answer_put;
use crate::api::resource::Rendered as _;
use crate::api::route::{Answer, Operation};
use crate::domain::mesh::read_mesh_selector;
use crate::domain::names::check_child_name;
use crate::domain::refusal::Code;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "ClusterMeshProfiles_CreateOrUpdate",
    summary: "Create or replace a cluster mesh profile; applying it connects members.",
    served: Served::Fleet(TYPE.versions),
    takes: Some(TYPE.body),
    answers: &[Answer::one(200, TYPE.body), Answer::one(201, TYPE.body)],
};

/// The handler.
pub async fn handle(call: Call, body: RawBody) -> Result<Response, ApiError> {
    let (call, body) = (&call, &body);
    let written = attempt(|| {
        call.service.put_cluster_mesh_profile(&call.context, &call.id, &call.preconditions, move |existing| {
            let stored = existing.map(|existing| existing.newest());
            body.read(call, TYPE.body, Method::Put, stored.as_ref(), |value, faults| {
                if existing.is_none()
                    && let Err(problem) = check_child_name(call.id.name())
                {
                    faults.add(Code::InvalidResourceName, "name", format!("{problem}."));
                }
                read_mesh_selector(value, faults)
            })
        })
    })
    .await?;
    Ok(answer_put(call, &written))
}
