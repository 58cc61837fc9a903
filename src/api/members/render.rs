//! A member on the wire.

use serde_json::{Value, json};

use crate::api::contract::{ResourceType, table};
use crate::api::resource::{Envelope, Rendered, last_operation, object};
use crate::domain::etag::ETag;
use crate::domain::lifecycle::ProvisioningState;
use crate::domain::member::Member;

impl Rendered for Member {
    const CONTRACT: Option<&'static ResourceType> = Some(&table::member::TYPE);

    fn body(&self, etag: ETag) -> Value {
        // Clusters join and leave where others are created and deleted.
        let state = match self.lifecycle.state {
            ProvisioningState::Creating => json!("Joining"),
            ProvisioningState::Deleting => json!("Leaving"),
            other => json!(other),
        };
        Envelope {
            id: &self.id,
            etag: Some(etag.quoted()),
            system_data: Some(&self.system_data),
            tracked: Vec::new(),
            properties: object([
                ("clusterResourceId", json!(self.cluster_resource_id)),
                ("group", json!(self.group)),
                ("provisioningState", state),
                ("labels", json!(self.all_labels())),
                ("status", last_operation(&self.lifecycle)),
            ]),
        }
        .into_body()
    }
}
