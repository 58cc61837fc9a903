//! `fleets/members`.

use super::super::shape::{Member, Object, Shape, value};
use super::super::version::Versions;
use super::shared::{ERROR, ETAG, ID, NAME, OPERATION_STATUS, SYSTEM_DATA, TEXT_MAP, TYPE as KIND};
use super::{GATES, MESH, ResourceType, STATUS};
use crate::domain::names::MAX_CHILD_NAME;

/// The type.
pub static TYPE: ResourceType =
    ResourceType { path: "fleets/members", body: &MEMBER, versions: Versions::ALL };

static MEMBER: Object = Object::new(
    "FleetMember",
    &[ID, NAME, KIND, ETAG, SYSTEM_DATA, Member::new("properties", Shape::Object(&PROPERTIES)).required()],
);

/// What PATCH takes.
pub static PATCH: Object =
    Object::new("FleetMemberUpdate", &[Member::new("properties", Shape::Object(&PATCH_PROPERTIES))]);

const GROUP: Member = Member::new("group", Shape::Text)
    .spelled("^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$")
    .within(0, MAX_CHILD_NAME as i64)
    .says("The update group; absent or empty: none.");
const LABELS: Member = Member::new("labels", TEXT_MAP).at(GATES);

static PROPERTIES: Object = Object::new(
    "FleetMemberProperties",
    &[
        Member::new("clusterResourceId", Shape::Text).required().immutable(),
        GROUP,
        Member::new(
            "provisioningState",
            Shape::Choice(&[
                value("Succeeded"),
                value("Failed"),
                value("Canceled"),
                value("Joining"),
                value("Leaving"),
                value("Updating"),
            ]),
        )
        .read_only(),
        LABELS,
        Member::new("status", Shape::Object(&OPERATION_STATUS)).read_only().at(STATUS),
        Member::new("meshProperties", Shape::Object(&MESH_PROPERTIES)).read_only().at(MESH),
    ],
);

static PATCH_PROPERTIES: Object = Object::new("FleetMemberUpdateProperties", &[GROUP, LABELS]);

static MESH_PROPERTIES: Object = Object::new(
    "MeshProperties",
    &[
        Member::new("ciliumProperties", Shape::Object(&CILIUM)).read_only(),
        Member::new("status", Shape::Object(&MESH_STATUS)).read_only(),
        Member::new("clusterMeshProfileResourceId", Shape::Text).read_only(),
    ],
);

static CILIUM: Object = Object::new(
    "CiliumProperties",
    &[Member::new("id", Shape::Integer).read_only(), Member::new("name", Shape::Text).read_only()],
);

static MESH_STATUS: Object = Object::new(
    "MeshMemberStatus",
    &[
        Member::new(
            "state",
            Shape::Choice(&[
                value("Connecting"),
                value("Connected"),
                value("Disconnecting"),
                value("Failed"),
            ]),
        )
        .read_only(),
        Member::new("lastUpdatedAt", Shape::Timestamp).read_only(),
        Member::new("lastOperationId", Shape::Text).read_only(),
        Member::new("error", Shape::Object(&ERROR)).read_only(),
    ],
);
