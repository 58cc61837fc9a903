//! `fleets/gates`.

use super::super::shape::{Member, Object, Shape, value};
use super::shared::{DONE_AT_ONCE, ETAG, ID, NAME, SYSTEM_DATA, TYPE as KIND};
use super::strategy::{GATE_TYPE, START_DAY, START_TIME, UTC_OFFSET};
use super::{GATES, NEWEST, ResourceType};

/// The type.
pub static TYPE: ResourceType = ResourceType { path: "fleets/gates", body: &GATE, versions: GATES };

static GATE: Object = Object::new(
    "Gate",
    &[ID, NAME, KIND, ETAG, SYSTEM_DATA, Member::new("properties", Shape::Object(&PROPERTIES))],
);

/// What PATCH takes.
pub static PATCH: Object =
    Object::new("GatePatch", &[Member::new("properties", Shape::Object(&PATCH_PROPERTIES)).required()]);

const STATE: Member =
    Member::new("state", Shape::Choice(&[value("Pending"), value("Skipped"), value("Completed")]));

static PATCH_PROPERTIES: Object = Object::new("GatePatchProperties", &[STATE.required()]);

static PROPERTIES: Object = Object::new(
    "GateProperties",
    &[
        DONE_AT_ONCE,
        Member::new("displayName", Shape::Text),
        Member::new("gateType", GATE_TYPE),
        Member::new("scheduledStartProperties", Shape::Object(&SCHEDULED_START)).at(NEWEST),
        Member::new("target", Shape::Object(&TARGET)),
        STATE,
    ],
);

static SCHEDULED_START: Object = Object::new(
    "ScheduledStartProperties",
    &[START_DAY, START_TIME, UTC_OFFSET, Member::new("absoluteStartTime", Shape::Timestamp).read_only()],
);

static TARGET: Object = Object::new(
    "GateTarget",
    &[Member::new("id", Shape::Text), Member::new("updateRunProperties", Shape::Object(&RUN_TARGET))],
);

static RUN_TARGET: Object = Object::new(
    "UpdateRunGateTargetProperties",
    &[
        Member::new("name", Shape::Text).read_only(),
        Member::new("stage", Shape::Text).read_only(),
        Member::new("group", Shape::Text).read_only(),
        Member::new("timing", Shape::Choice(&[value("Before"), value("After")])),
    ],
);
