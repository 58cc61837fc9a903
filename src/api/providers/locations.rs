//! `GET SUB/locations`: the regions of the catalogue.

use axum::Json;
use serde_json::{Value, json};

use crate::api::contract::Served;
use crate::api::contract::table::arm::provider::LOCATION;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::route::{Answer, Operation};

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "Subscriptions_ListLocations",
    summary: "List the regions.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::list(&LOCATION)],
};

/// The handler.
pub async fn handle(call: Call) -> Result<Json<Value>, ApiError> {
    let region = |name: String| {
        json!({
            "id": format!("{}/locations/{name}", call.id),
            "name": name,
            "type": "Region",
            "displayName": name,
            "regionalDisplayName": name,
            "metadata": { "regionType": "Physical", "regionCategory": "Recommended" }
        })
    };
    let regions: Vec<Value> = call.service.regions().await?.into_iter().map(region).collect();
    Ok(Json(json!({ "value": regions })))
}
