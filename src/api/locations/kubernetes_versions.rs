//! `GET SUB/P/locations/{region}/kubernetesVersions`.

use axum::Json;
use serde_json::{Map, Value, json};

use crate::api::contract::Served;
use crate::api::contract::table::aks::kubernetes_version::KUBERNETES_VERSIONS;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::route::{Answer, Operation};
use crate::domain::catalogue::{OfferedMinor, Support};

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "ManagedClusters_ListKubernetesVersions",
    summary: "Lists the Kubernetes versions that a region offers, with what each can be upgraded to.",
    served: Served::Aks,
    takes: None,
    answers: &[Answer::one(200, &KUBERNETES_VERSIONS)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Json<Value>, ApiError> {
    let region = super::region(&call).await?;
    let minors = call.service.offered_versions(&region).await?;
    Ok(Json(json!({ "values": minors.iter().map(shown).collect::<Vec<_>>() })))
}

fn shown(minor: &OfferedMinor) -> Value {
    let plans: &[&str] = match minor.support {
        Support::Community => &["KubernetesOfficial", "AKSLongTermSupport"],
        Support::LongTermOnly | Support::Ended => &["AKSLongTermSupport"],
    };
    let patches: Map<String, Value> = minor
        .patches
        .iter()
        .map(|patch| (patch.version.to_string(), json!({ "upgrades": patch.upgrades })))
        .collect();
    let mut shown = json!({
        "version": minor.minor,
        "capabilities": { "supportPlan": plans },
        "patchVersions": patches,
    });
    if minor.is_default {
        shown["isDefault"] = json!(true);
    }
    if minor.is_preview {
        shown["isPreview"] = json!(true);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::catalogue::Catalogue;

    #[test]
    fn minors_are_shown_with_their_patches() {
        let now = "2026-11-30T00:00:00Z".parse().unwrap();
        let offered = Catalogue::built_in().offered_versions("eastus", now);
        insta::assert_json_snapshot!(shown(&offered[4]));
    }
}
