//! `fleets/clusterMeshProfiles`.

use super::super::shape::{Member, Object, Shape, value};
use super::shared::{DONE_AT_ONCE, ERROR, ETAG, ID, MEMBER_SELECTOR, NAME, SYSTEM_DATA, TYPE as KIND};
use super::{MESH, ResourceType};

/// The type.
pub static TYPE: ResourceType =
    ResourceType { path: "fleets/clusterMeshProfiles", body: &PROFILE, versions: MESH };

static PROFILE: Object = Object::new(
    "ClusterMeshProfile",
    &[ID, NAME, KIND, ETAG, SYSTEM_DATA, Member::new("properties", Shape::Object(&PROPERTIES))],
);

static PROPERTIES: Object = Object::new(
    "ClusterMeshProfileProperties",
    &[
        DONE_AT_ONCE,
        Member::new("memberSelector", Shape::Object(&MEMBER_SELECTOR)),
        Member::new("status", Shape::Object(&MESH_STATUS)).read_only(),
    ],
);

static MESH_STATUS: Object = Object::new(
    "ClusterMeshProfileStatus",
    &[
        Member::new(
            "state",
            Shape::Choice(&[
                value("NotConnected"),
                value("Applying"),
                value("Connected"),
                value("Degraded"),
                value("Failed"),
            ]),
        )
        .read_only(),
        Member::new("lastAppliedMemberSelector", Shape::Object(&MEMBER_SELECTOR)).read_only(),
        Member::new("lastOperationId", Shape::Text).read_only(),
        Member::new("lastOperationError", Shape::Object(&ERROR)).read_only(),
    ],
);
