//! A member on the wire.

use serde_json::{Value, json};

use crate::api::contract::{ResourceType, table};
use crate::api::resource::{Envelope, Rendered, last_operation, object};
use crate::domain::etag::ETag;
use crate::domain::member::Member;
use crate::domain::mesh::MeshMembership;
use crate::domain::time::to_rfc3339;

impl Rendered for Member {
    const CONTRACT: Option<&'static ResourceType> = Some(&table::member::TYPE);

    fn body(&self, etag: ETag) -> Value {
        Envelope {
            id: &self.id,
            etag: Some(etag.quoted()),
            system_data: Some(&self.system_data),
            tracked: Vec::new(),
            properties: object([
                ("clusterResourceId", json!(self.cluster_resource_id)),
                ("group", json!(self.group)),
                ("provisioningState", json!(self.lifecycle.state.shown_by(&self.id))),
                ("labels", json!(self.all_labels())),
                ("status", last_operation(&self.lifecycle)),
                (
                    "meshProperties",
                    self.mesh.as_ref().map_or(Value::Null, |mesh| mesh_properties(self, mesh)),
                ),
            ]),
        }
        .into_body()
    }
}

/// What the mesh made of the member; where it is connected it is connected wholly.
fn mesh_properties(member: &Member, mesh: &MeshMembership) -> Value {
    let profile = member.id.parent().map(|fleet| fleet.child("clusterMeshProfiles", &mesh.profile));
    json!({
        "ciliumProperties": { "id": mesh.cilium_id, "name": member.id.name() },
        "status": {
            "state": "Connected",
            "lastUpdatedAt": to_rfc3339(mesh.since),
            "lastOperationId": mesh.operation,
        },
        "clusterMeshProfileResourceId": profile,
    })
}
