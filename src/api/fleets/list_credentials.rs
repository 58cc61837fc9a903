//! `POST RG/…/fleets/{fleet}/listCredentials`: a kubeconfig that names the hub.

use axum::Json;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::api::contract::Served;
use crate::api::contract::table::fleet::{CREDENTIALS, TYPE};
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::route::{Answer, Operation};
use crate::domain::fleet::{Fleet, HubProfile};
use crate::domain::refusal::{Code, Refusal};

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "Fleets_ListCredentials",
    summary: "Get a kubeconfig for the hub of a fleet.",
    served: Served::Fleet(TYPE.versions),
    takes: None,
    answers: &[Answer::one(200, &CREDENTIALS)],
};

/// The handler.
pub async fn handle(call: Call) -> Result<Json<Value>, ApiError> {
    let fleet = call.service.read::<Fleet>(&call.id).await?;
    let hub = fleet.hub_profile.as_ref().ok_or_else(|| {
        Refusal::at(
            Code::HubProfileRequired,
            "properties.hubProfile",
            format!(
                "The fleet '{}' has no hub, so there are no credentials. Add a hubProfile first.",
                fleet.id.name()
            ),
        )
    })?;
    let kubeconfig = STANDARD.encode(kubeconfig(fleet.id.name(), hub));
    Ok(Json(json!({ "kubeconfigs": [{ "name": "clusterUser", "value": kubeconfig }] })))
}

/// The hub behind it is simulated: the file is well-formed, and its token opens nothing.
fn kubeconfig(fleet: &str, hub: &HubProfile) -> String {
    format!(
        "apiVersion: v1\n\
         kind: Config\n\
         clusters:\n\
         - name: {fleet}\n  \
           cluster:\n    \
             server: https://{}:443\n\
         users:\n\
         - name: clusterUser_{fleet}\n  \
           user:\n    \
             token: simulated\n\
         contexts:\n\
         - name: {fleet}\n  \
           context:\n    \
             cluster: {fleet}\n    \
             user: clusterUser_{fleet}\n\
         current-context: {fleet}\n",
        hub.fqdn
    )
}
