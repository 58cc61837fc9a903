//! `GET SUB`: every GUID is a subscription, none needs registration.

use axum::Json;
use serde_json::{Value, json};

use crate::api::contract::Served;
use crate::api::contract::table::arm::subscription::SUBSCRIPTION;
use crate::api::extract::Call;
use crate::api::route::{Answer, Operation};
use crate::domain::identity::tenant_id;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "Subscriptions_Get",
    summary: "Get a subscription.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::one(200, &SUBSCRIPTION)],
};

/// The handler.
pub async fn handle(call: Call) -> Json<Value> {
    Json(body(call.id.subscription_id()))
}

/// A subscription as Azure shows it.
pub(super) fn body(id: &str) -> Value {
    json!({
        "id": format!("/subscriptions/{id}"),
        "subscriptionId": id,
        "tenantId": tenant_id(),
        "displayName": format!("fleetplane {id}"),
        "state": "Enabled",
        "subscriptionPolicies": {
            "locationPlacementId": "Public_2014-09-01",
            "quotaId": "PayAsYouGo_2014-09-01",
            "spendingLimit": "Off"
        },
        "authorizationSource": "RoleBased",
        "managedByTenants": []
    })
}
