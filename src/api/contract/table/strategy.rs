//! `fleets/updateStrategies`, and the strategy that a run carries.

use super::super::shape::{Member, Object, Shape, value, value_at};
use super::super::version::Versions;
use super::shared::{DONE_AT_ONCE, ETAG, ID, MEMBER_SELECTOR, NAME, SYSTEM_DATA, TYPE as KIND};
use super::{CONCURRENCY, GATES, NEWEST, ResourceType};

/// The type.
pub static TYPE: ResourceType =
    ResourceType { path: "fleets/updateStrategies", body: &UPDATE_STRATEGY, versions: Versions::ALL };

static UPDATE_STRATEGY: Object = Object::new(
    "FleetUpdateStrategy",
    &[ID, NAME, KIND, ETAG, SYSTEM_DATA, Member::new("properties", Shape::Object(&PROPERTIES)).required()],
);

static PROPERTIES: Object = Object::new(
    "FleetUpdateStrategyProperties",
    &[DONE_AT_ONCE, Member::new("strategy", Shape::Object(&STRATEGY)).required()],
);

/// A strategy's stages.
pub static STRATEGY: Object = Object::new(
    "UpdateRunStrategy",
    &[Member::new("stages", Shape::List(&Shape::Object(&STAGE))).required()],
);

static STAGE: Object = Object::new(
    "UpdateStage",
    &[
        Member::new("name", Shape::Text).required(),
        Member::new("groups", Shape::List(&Shape::Object(&GROUP))),
        SELECTOR,
        Member::new("afterStageWaitInSeconds", Shape::Integer),
        MAX_CONCURRENCY,
        MAX_ALLOWED_FAILURES,
        BEFORE_GATES,
        AFTER_GATES,
    ],
)
.identified_by(&["name"])
.wherever_it_stands();

static GROUP: Object = Object::new(
    "UpdateGroup",
    &[
        Member::new("name", Shape::Text).required(),
        SELECTOR,
        MAX_CONCURRENCY,
        MAX_ALLOWED_FAILURES,
        BEFORE_GATES,
        AFTER_GATES,
    ],
)
.identified_by(&["name"])
.wherever_it_stands();

const SELECTOR: Member = Member::new("memberSelector", Shape::Object(&MEMBER_SELECTOR)).at(NEWEST);
const MAX_CONCURRENCY: Member = Member::new("maxConcurrency", Shape::Text).at(CONCURRENCY);
const MAX_ALLOWED_FAILURES: Member = Member::new("maxAllowedFailures", Shape::Text).at(NEWEST);
const BEFORE_GATES: Member = Member::new("beforeGates", GATE_LIST).at(GATES);
const AFTER_GATES: Member = Member::new("afterGates", GATE_LIST).at(GATES);
const GATE_LIST: Shape = Shape::List(&Shape::Object(&GATE));

static GATE: Object = Object::new(
    "GateConfiguration",
    &[
        Member::new("displayName", Shape::Text),
        Member::new("type", GATE_TYPE).required(),
        Member::new("scheduledStartConfiguration", Shape::Object(&SCHEDULED_START)).at(NEWEST),
    ],
)
.identified_by(&["displayName", "type"]);

/// What kinds of gates there are.
pub const GATE_TYPE: Shape = Shape::Choice(&[value("Approval"), value_at("ScheduledStart", NEWEST)]);

static SCHEDULED_START: Object =
    Object::new("ScheduledStartConfiguration", &[START_DAY, START_TIME, UTC_OFFSET]);

/// The day of a scheduled start.
pub const START_DAY: Member = Member::new(
    "startDay",
    Shape::Choice(&[
        value("Monday"),
        value("Tuesday"),
        value("Wednesday"),
        value("Thursday"),
        value("Friday"),
        value("Saturday"),
        value("Sunday"),
    ]),
)
.required();
/// Its time of day.
pub const START_TIME: Member = Member::new("startTime", Shape::Text).required();
/// Where its clock stands.
pub const UTC_OFFSET: Member = Member::new("utcOffset", Shape::Text).required();
