//! Cluster meshes: which members a profile connects, and by which Cilium ids.
//!
//! A profile says who is to be connected; only applying it connects and disconnects anybody. What a member shows of it
//! is on the member. Nothing is connected in any cluster here: applying takes effect at once.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::lifecycle::ProvisioningState;
use super::member::Member;
use super::refusal::{Code, Faults, Refusal};
use super::resource_id::ResourceId;
use super::selector::{LabelSelector, Operator};
use super::strategy::MemberSelector;
use super::system_data::SystemData;
use super::time::Timestamp;

/// The highest id that Cilium gives a cluster, from 1; so a mesh has as many members at most.
pub const MAX_CILIUM_ID: u8 = u8::MAX;

/// Where the selector stands in a body.
const BY_LABEL: &str = "properties.memberSelector.byLabel";

/// A cluster mesh profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClusterMeshProfile {
    /// Where it is: a child of its fleet.
    pub id: ResourceId,
    /// Who is to be connected; absent or empty: nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<MemberSelector>,
    /// What applying it came to, once it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applied: Option<AppliedMesh>,
    /// Who made and changed it.
    pub system_data: SystemData,
}

/// What applying a profile came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AppliedMesh {
    /// Who was to be connected then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<MemberSelector>,
    /// The id under which it was done: `status.lastOperationId`.
    pub operation: Uuid,
    /// Whether anybody is connected since.
    pub connected: bool,
}

/// A member's place in a mesh.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MeshMembership {
    /// The profile's name; it is in the member's fleet.
    pub profile: String,
    /// The id that no other member of the mesh has: 1 to [`MAX_CILIUM_ID`].
    pub cilium_id: u8,
    /// Since when it is connected.
    pub since: Timestamp,
    /// The application that connected it.
    pub operation: Uuid,
}

/// What applying a profile changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshChanges {
    /// Members by their place in the list that was looked at, with the mesh they are in from now on.
    pub members: Vec<(usize, Option<MeshMembership>)>,
    /// Whether anybody is connected then.
    pub connected: bool,
}

/// Reads the `memberSelector` of a body, noting what is wrong: terms `key=value`, joined by commas.
pub fn read_mesh_selector(value: &Value, faults: &mut Faults) -> Option<MemberSelector> {
    let text = value.pointer("/properties/memberSelector/byLabel")?.as_str()?;
    let problem = match LabelSelector::parse(text) {
        Err(problem) => Some(format!("{problem}.")),
        Ok(selector) => {
            let mut terms = selector.requirements().iter().zip(terms(text));
            let odd =
                terms.find(|(term, written)| term.operator() != Operator::Equals || written.contains("=="));
            odd.map(|(_, written)| {
                format!("A mesh selects by terms of the form key=value only; '{written}' is not one.")
            })
        }
    };
    match problem {
        Some(problem) => faults.add(Code::InvalidParameter, BY_LABEL, problem),
        None => return Some(MemberSelector { by_label: text.to_owned() }),
    }
    None
}

/// The terms of a selector as they were written; the commas of a list of values part none.
fn terms(selector: &str) -> impl Iterator<Item = &str> {
    let mut listing = false;
    let parts = move |c: char| {
        listing = c == '(' || listing && c != ')';
        c == ',' && !listing
    };
    selector.split(parts).map(str::trim)
}

impl ClusterMeshProfile {
    /// Whether a member with `labels` is to be connected.
    pub fn selects(&self, labels: &BTreeMap<String, String>) -> bool {
        // Selectors are checked when they are written; one that is none selects nobody.
        let selector = self.selector.as_ref().and_then(|chosen| LabelSelector::parse(&chosen.by_label).ok());
        selector.is_some_and(|selector| !selector.is_empty() && selector.matches(labels))
    }

    /// Whether `member` is connected by this profile.
    pub fn connects(&self, member: &Member) -> bool {
        member.mesh.as_ref().is_some_and(|mesh| mesh.profile.eq_ignore_ascii_case(self.id.name()))
    }

    /// What applying the profile now, as `operation`, changes of `members`, all of the fleet's: those selected are
    /// connected, under the lowest free ids in their order, those not selected any more leave, the others keep what
    /// they have.
    ///
    /// # Errors
    /// `MemberBelongsToClusterMesh` where a selected member is in another mesh, `QuotaExceeded` where ids run out.
    pub fn changes(
        &self,
        members: &[&Member],
        operation: Uuid,
        now: Timestamp,
    ) -> Result<MeshChanges, Refusal> {
        let mut changes = MeshChanges { members: Vec::new(), connected: false };
        let (mut used, mut joining) = (BTreeSet::new(), Vec::new());
        for (place, member) in members.iter().enumerate() {
            let selected =
                self.selects(&member.all_labels()) && member.lifecycle.state != ProvisioningState::Deleting;
            match &member.mesh {
                Some(mesh) if self.connects(member) && selected => {
                    used.insert(mesh.cilium_id);
                }
                Some(_) if self.connects(member) => changes.members.push((place, None)),
                Some(mesh) if selected => return Err(in_another_mesh(member, mesh)),
                None if selected => joining.push(place),
                _ => {}
            }
        }
        changes.connected = !used.is_empty() || !joining.is_empty();
        let mut free = (1..=MAX_CILIUM_ID).filter(|id| !used.contains(id));
        for place in joining {
            let Some(cilium_id) = free.next() else { return Err(self.too_many()) };
            let profile = self.id.name().to_owned();
            changes.members.push((place, Some(MeshMembership { profile, cilium_id, since: now, operation })));
        }
        Ok(changes)
    }

    fn too_many(&self) -> Refusal {
        let message = format!(
            "The mesh '{}' selects more than {MAX_CILIUM_ID} members, which is the most that Cilium connects. \
             Select fewer.",
            self.id.name()
        );
        Refusal::new(Code::QuotaExceeded, message)
    }
}

fn in_another_mesh(member: &Member, mesh: &MeshMembership) -> Refusal {
    let message = format!(
        "The member '{}' is selected, but connected to the mesh '{}' already. A member is in one mesh; let it leave \
         that one first.",
        member.id.name(),
        mesh.profile
    );
    Refusal::new(Code::MemberBelongsToClusterMesh, message)
}

#[cfg(test)]
mod tests;
