//! `GET /tenants`: the one that everything belongs to.

use axum::Json;
use serde_json::{Value, json};

use crate::api::contract::Served;
use crate::api::contract::table::arm::subscription::TENANT;
use crate::api::extract::Unscoped;
use crate::api::route::{Answer, Operation};
use crate::domain::identity::tenant_id;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "Tenants_List",
    summary: "List the tenants: there is one.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::list(&TENANT)],
};

/// The handler.
pub async fn handle(_: Unscoped) -> Json<Value> {
    let id = tenant_id();
    Json(json!({ "value": [{
        "id": format!("/tenants/{id}"),
        "tenantId": id,
        "displayName": "fleetplane",
        "tenantCategory": "Home"
    }] }))
}
