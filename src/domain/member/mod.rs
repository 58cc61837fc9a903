//! Members: clusters that joined a fleet, by which group and labels runs find them.
//!
//! What a member is and becomes by a write; reading one from a request is in `read`. The cluster itself is behind
//! the port to clusters. To add a member of the body, add it here, read it there, and give it a row in the contract.

mod read;

use std::collections::BTreeMap;

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use super::labels::{fleet_label, label_value_of};
use super::lifecycle::Lifecycle;
use super::mesh::MeshMembership;
use super::refusal::{Code, Refusal};
use super::resource_id::ResourceId;
use super::system_data::SystemData;

/// How long joining, changing and leaving take where operations take simulated time.
pub const OPERATION_DURATION: TimeDelta = TimeDelta::seconds(2);

/// A member of a fleet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// Where it is: a child of its fleet.
    pub id: ResourceId,
    /// Its cluster. Never changes; no other member of any fleet has it.
    pub cluster_resource_id: ResourceId,
    /// The cluster's region when the member was written last: lower case, no blanks. Unknown of a connected cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster_location: Option<String>,
    /// The update group it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The user's labels, without the service's own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// The cluster mesh it is connected to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<MeshMembership>,
    /// How it stands.
    pub lifecycle: Lifecycle,
    /// Who made and changed it.
    pub system_data: SystemData,
}

/// A member as a PUT asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberSpec {
    /// The cluster that joins.
    pub cluster_resource_id: ResourceId,
    /// Everything that may change.
    pub placement: Placement,
}

/// What a user may change of a member; also what a PATCH comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// The update group.
    pub group: Option<String>,
    /// The user's labels.
    pub labels: BTreeMap<String, String>,
}

impl Member {
    /// The user's labels and the service's own `fleet.azure.com/…`: what bodies show and selectors match. A group's name
    /// may have what a label may not; the label has what fits.
    pub fn all_labels(&self) -> BTreeMap<String, String> {
        let cluster = &self.cluster_resource_id;
        let own = [
            ("cluster-name", Some(cluster.name())),
            ("group", self.group.as_deref()),
            ("location", self.cluster_location.as_deref()),
            ("member-name", Some(self.id.name())),
            ("resource-group", cluster.resource_group_name()),
            ("subscription-id", Some(cluster.subscription_id())),
        ];
        let own =
            own.into_iter().filter_map(|(name, value)| Some((fleet_label(name), label_value_of(value?))));
        self.labels.clone().into_iter().chain(own).collect()
    }

    /// Whether it may leave its fleet: not while a mesh connects it to others.
    ///
    /// # Errors
    /// `MemberBelongsToClusterMesh`.
    pub fn check_may_leave(&self) -> Result<(), Refusal> {
        let Some(mesh) = &self.mesh else { return Ok(()) };
        let (member, profile) = (self.id.name(), &mesh.profile);
        let message = format!(
            "The member '{member}' is connected to the cluster mesh '{profile}'. Change the mesh's memberSelector \
             or the member's labels so that it is not selected, apply the mesh, and delete the member then."
        );
        Err(Refusal::new(Code::MemberBelongsToClusterMesh, message))
    }

    /// The member with another group and other labels.
    #[must_use]
    pub fn placed(self, placement: Placement) -> Self {
        Self { group: placement.group, labels: placement.labels, ..self }
    }
}
