//! `fleets/updateStrategies`, and the strategy that a run carries.

use super::super::shape::{Member, Object, Shape, value, value_at};
use super::super::version::Versions;
use super::shared::{DONE_AT_ONCE, ETAG, ID, MEMBER_SELECTOR, NAME, SYSTEM_DATA, TYPE as KIND};
use super::{CONCURRENCY, GATES, NEWEST, ResourceType};
use crate::domain::names::{LOWER_CASE_NAME, MAX_CHILD_NAME};
use crate::domain::strategy::{MAX_GROUPS, MAX_STAGE_WAIT_SECONDS, MAX_STAGES};

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
    &[Member::new("stages", Shape::List(&Shape::Object(&STAGE)))
        .required()
        .within(1, MAX_STAGES as i64)
        .says("One after another.")],
);

static STAGE: Object = Object::new(
    "UpdateStage",
    &[
        PART_NAME,
        Member::new("groups", Shape::List(&Shape::Object(&GROUP)))
            .within(0, MAX_GROUPS as i64)
            .says("Side by side. A stage without groups needs a memberSelector."),
        SELECTOR,
        Member::new("afterStageWaitInSeconds", Shape::Integer).within(0, MAX_STAGE_WAIT_SECONDS),
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
    &[PART_NAME, SELECTOR, MAX_CONCURRENCY, MAX_ALLOWED_FAILURES, BEFORE_GATES, AFTER_GATES],
)
.identified_by(&["name"])
.wherever_it_stands();

const SELECTOR: Member = Member::new("memberSelector", Shape::Object(&MEMBER_SELECTOR)).at(NEWEST);
const PART_NAME: Member =
    Member::new("name", Shape::Text).required().spelled(LOWER_CASE_NAME).within(1, MAX_CHILD_NAME as i64);
const MAX_CONCURRENCY: Member = Member::new("maxConcurrency", Shape::Text)
    .spelled(r"^([1-9]\d*|([1-9]\d?|100)%)$")
    .says("How many members are upgraded at once: a number, or a percentage.")
    .at(CONCURRENCY);
const MAX_ALLOWED_FAILURES: Member = Member::new("maxAllowedFailures", Shape::Text)
    .spelled(r"^(\d+|(\d\d?|100)%)?$")
    .says("How many members may fail before the rest is left alone: a number, or a percentage.")
    .at(NEWEST);
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

/// The days of the week.
pub const DAYS: Shape = Shape::Choice(&[
    value("Monday"),
    value("Tuesday"),
    value("Wednesday"),
    value("Thursday"),
    value("Friday"),
    value("Saturday"),
    value("Sunday"),
]);
/// How a time of day is spelled.
pub const TIME_OF_DAY: &str = "^([01][0-9]|2[0-3]):[0-5][0-9]$";
/// How a distance from UTC is spelled.
pub const UTC_DISTANCE: &str = "^[-+](0[0-9]:[0-5][0-9]|1[0-3]:[0-5][0-9]|14:00)$";

/// The day of a scheduled start.
pub const START_DAY: Member = Member::new("startDay", DAYS).required();
/// Its time of day.
pub const START_TIME: Member = Member::new("startTime", Shape::Text).required().spelled(TIME_OF_DAY);
/// Where its clock stands.
pub const UTC_OFFSET: Member = Member::new("utcOffset", Shape::Text).required().spelled(UTC_DISTANCE);
