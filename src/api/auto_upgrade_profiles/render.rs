//! An auto-upgrade profile on the wire.

use serde_json::{Value, json};

use crate::api::contract::{ResourceType, table};
use crate::api::resource::{Envelope, Rendered, object};
use crate::domain::auto_upgrade::{AutoUpgradeProfile, ProfileSpec, TriggerStatus};
use crate::domain::etag::ETag;
use crate::domain::time::to_rfc3339;

impl Rendered for AutoUpgradeProfile {
    const CONTRACT: Option<&'static ResourceType> = Some(&table::auto_upgrade::TYPE);

    fn body(&self, etag: ETag) -> Value {
        let ProfileSpec {
            channel,
            target_kubernetes_version,
            long_term_support,
            node_image_selection,
            update_strategy_id,
            disabled,
        } = &self.spec;
        Envelope {
            id: &self.id,
            etag: Some(etag.quoted()),
            system_data: Some(&self.system_data),
            tracked: Vec::new(),
            properties: object([
                ("provisioningState", json!("Succeeded")),
                ("updateStrategyId", json!(update_strategy_id)),
                ("channel", json!(channel.name())),
                ("nodeImageSelection", json!(node_image_selection.map(|kind| json!({ "type": kind })))),
                ("disabled", json!(disabled)),
                ("autoUpgradeProfileStatus", status(&self.status)),
                ("targetKubernetesVersion", json!(target_kubernetes_version)),
                ("longTermSupport", json!(long_term_support)),
            ]),
        }
        .into_body()
    }
}

fn status(status: &TriggerStatus) -> Value {
    object([
        ("lastTriggeredAt", json!(status.last_triggered_at.map(to_rfc3339))),
        ("lastTriggerStatus", json!(status.last_trigger_status)),
        ("lastTriggerError", json!(status.last_trigger_error)),
        ("lastTriggerUpgradeVersions", json!(status.last_trigger_upgrade_versions)),
        ("lastTriggerMessage", json!(status.last_trigger_message)),
    ])
}
