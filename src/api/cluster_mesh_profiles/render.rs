//! A cluster mesh profile on the wire.

use serde_json::{Value, json};

use crate::api::contract::{ResourceType, table};
use crate::api::resource::{Envelope, Rendered, object};
use crate::domain::etag::ETag;
use crate::domain::mesh::ClusterMeshProfile;

impl Rendered for ClusterMeshProfile {
    const CONTRACT: Option<&'static ResourceType> = Some(&table::mesh::TYPE);

    fn body(&self, etag: ETag) -> Value {
        let applied = self.applied.as_ref();
        let connected = applied.is_some_and(|applied| applied.connected);
        let status = object([
            ("state", json!(if connected { "Connected" } else { "NotConnected" })),
            ("lastAppliedMemberSelector", json!(applied.and_then(|applied| applied.selector.as_ref()))),
            ("lastOperationId", json!(applied.map(|applied| applied.operation))),
        ]);
        Envelope {
            id: &self.id,
            etag: Some(etag.quoted()),
            system_data: Some(&self.system_data),
            tracked: Vec::new(),
            properties: object([
                ("provisioningState", json!("Succeeded")),
                ("memberSelector", json!(self.selector)),
                ("status", status),
            ]),
        }
        .into_body()
    }
}
