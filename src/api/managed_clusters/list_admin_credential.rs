//! `POST RG/P/managedClusters/{cluster}/listClusterAdminCredential`.

use axum::Json;
use serde_json::Value;

use super::credentials::credential;
use crate::api::contract::Served;
use crate::api::contract::table::aks::credentials::CREDENTIALS;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::route::{Answer, Operation};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "ManagedClusters_ListClusterAdminCredentials",
    summary: "Give out an administrator's kubeconfig of a managed cluster.",
    served: Served::Aks,
    takes: None,
    answers: &[Answer::one(200, &CREDENTIALS)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Json<Value>, ApiError> {
    credential(&call, "clusterAdmin").await
}
