//! `GET /metadata/endpoints`: this service as a cloud of its own, in the form of version 2022-09-01.
//!
//! Every endpoint is the service itself, and every suffix a name that never resolves: a client that asks for more than
//! is served here gets an error, not an answer from a real cloud.

use axum::Json;
use serde_json::{Value, json};

use crate::api::contract::Served;
use crate::api::contract::table::arm::cloud::CLOUD;
use crate::api::extract::Unscoped;
use crate::api::route::{Answer, Operation};
use crate::domain::identity::tenant_id;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "Metadata_GetEndpoints",
    summary: "Get the endpoints of this service as those of a cloud.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::one(200, &CLOUD)],
};

/// Under which no host is (RFC 2606).
const NO_SUFFIX: &str = "fleetplane.invalid";

/// The handler.
pub async fn handle(call: Unscoped) -> Json<Value> {
    let here = call.base.url("/");
    Json(json!({
        "name": "fleetplane",
        "portal": here,
        "resourceManager": here,
        "authentication": {
            "loginEndpoint": here,
            "audiences": [here],
            "tenant": tenant_id(),
            "identityProvider": "AAD"
        },
        "graph": here,
        "graphAudience": here,
        "microsoftGraphResourceId": here,
        "media": here,
        "batch": here,
        "gallery": here,
        "sqlManagement": here,
        "vmImageAliasDoc": here,
        "activeDirectoryDataLake": here,
        "suffixes": {
            "storage": NO_SUFFIX,
            "keyVaultDns": NO_SUFFIX,
            "sqlServerHostname": NO_SUFFIX,
            "acrLoginServer": NO_SUFFIX
        }
    }))
}
