//! `fleets/updateRuns`, and the body of its `skip`.

use super::super::shape::{Choice, Member, Object, Shape, value, value_at};
use super::super::version::Versions;
use super::shared::{DONE_AT_ONCE, ERROR, ETAG, ID, NAME, SYSTEM_DATA, TYPE as KIND};
use super::strategy::STRATEGY;
use super::{CONCURRENCY, GATES, NEWEST, PROFILES, ResourceType, STATUS};

/// The type.
pub static TYPE: ResourceType =
    ResourceType { path: "fleets/updateRuns", body: &UPDATE_RUN, versions: Versions::ALL };

static UPDATE_RUN: Object = Object::new(
    "UpdateRun",
    &[ID, NAME, KIND, ETAG, SYSTEM_DATA, Member::new("properties", Shape::Object(&PROPERTIES)).required()],
);

static PROPERTIES: Object = Object::new(
    "UpdateRunProperties",
    &[
        DONE_AT_ONCE,
        Member::new("updateStrategyId", Shape::Text),
        Member::new("strategy", Shape::Object(&STRATEGY)),
        Member::new("managedClusterUpdate", Shape::Object(&CLUSTER_UPDATE)).required(),
        Member::new("status", Shape::Object(&RUN_STATUS)).read_only(),
        Member::new("autoUpgradeProfileId", Shape::Text).read_only().at(STATUS),
    ],
);

static CLUSTER_UPDATE: Object = Object::new(
    "ManagedClusterUpdate",
    &[
        Member::new("upgrade", Shape::Object(&UPGRADE)).required(),
        Member::new("nodeImageSelection", Shape::Object(&IMAGE_SELECTION)),
    ],
);

static UPGRADE: Object = Object::new(
    "ManagedClusterUpgradeSpec",
    &[
        Member::new(
            "type",
            Shape::Choice(&[value("Full"), value("NodeImageOnly"), value_at("ControlPlaneOnly", STATUS)]),
        )
        .required(),
        Member::new("kubernetesVersion", Shape::Text)
            .spelled(r"^v?\d+\.\d+(\.\d+)?$")
            .says("Required of Full and ControlPlaneOnly, forbidden for NodeImageOnly."),
    ],
);

static IMAGE_SELECTION: Object = Object::new(
    "NodeImageSelection",
    &[
        Member::new(
            "type",
            Shape::Choice(&[value("Latest"), value("Consistent"), value_at("Custom", PROFILES)]),
        )
        .required(),
        Member::new("customNodeImageVersions", Shape::List(&Shape::Object(&IMAGE_VERSION))).at(PROFILES),
    ],
);

static IMAGE_VERSION: Object =
    Object::new("NodeImageVersion", &[Member::new("version", Shape::Text).required()]);

static RUN_STATUS: Object = Object::new(
    "UpdateRunStatus",
    &[
        STATE,
        Member::new("stages", Shape::List(&Shape::Object(&STAGE_STATUS))).read_only(),
        Member::new("nodeImageSelection", Shape::Object(&SELECTED_IMAGES)).read_only(),
        FAILURE_COUNT,
    ],
);

static SELECTED_IMAGES: Object = Object::new(
    "NodeImageSelectionStatus",
    &[Member::new("selectedNodeImageVersions", Shape::List(&Shape::Object(&IMAGE_VERSION))).read_only()],
);

static STAGE_STATUS: Object = Object::new(
    "UpdateStageStatus",
    &[
        STATE,
        STATUS_NAME,
        FAILURE_COUNT,
        MAX_ALLOWED_FAILURES,
        MAX_CONCURRENCY,
        Member::new("groups", Shape::List(&Shape::Object(&GROUP_STATUS))).read_only(),
        BEFORE_GATES,
        AFTER_GATES,
        Member::new("afterStageWaitStatus", Shape::Object(&WAIT_STATUS)).read_only(),
    ],
);

static GROUP_STATUS: Object = Object::new(
    "UpdateGroupStatus",
    &[
        STATE,
        STATUS_NAME,
        FAILURE_COUNT,
        MAX_ALLOWED_FAILURES,
        MAX_CONCURRENCY,
        Member::new("members", Shape::List(&Shape::Object(&MEMBER_STATUS))).read_only(),
        BEFORE_GATES,
        AFTER_GATES,
    ],
);

static MEMBER_STATUS: Object = Object::new(
    "MemberUpdateStatus",
    &[
        STATE,
        STATUS_NAME,
        Member::new("clusterResourceId", Shape::Text).read_only(),
        Member::new("operationId", Shape::Text).read_only(),
        Member::new("message", Shape::Text).read_only(),
    ],
);

static GATE_STATUS: Object = Object::new(
    "UpdateRunGateStatus",
    &[
        Member::new("displayName", Shape::Text).read_only(),
        Member::new("gateId", Shape::Text).read_only(),
        STATE,
    ],
);

static WAIT_STATUS: Object =
    Object::new("WaitStatus", &[STATE, Member::new("waitDurationInSeconds", Shape::Integer).read_only()]);

static UPDATE_STATUS: Object = Object::new(
    "UpdateStatus",
    &[
        Member::new("startTime", Shape::Timestamp).read_only(),
        Member::new("completedTime", Shape::Timestamp).read_only(),
        Member::new("state", Shape::Choice(STATES)).read_only(),
        Member::new("error", Shape::Object(&ERROR)).read_only(),
    ],
);

const STATES: &[Choice] = &[
    value("NotStarted"),
    value("Running"),
    value("Stopping"),
    value("Stopped"),
    value("Skipped"),
    value("Failed"),
    value_at("Pending", GATES).else_reads("Running"),
    value("Completed"),
];

const STATE: Member = Member::new("status", Shape::Object(&UPDATE_STATUS)).read_only();
const STATUS_NAME: Member = Member::new("name", Shape::Text).read_only();
const FAILURE_COUNT: Member = Member::new("failureCount", Shape::Integer).read_only().at(NEWEST);
const MAX_ALLOWED_FAILURES: Member = Member::new("maxAllowedFailures", Shape::Integer).read_only().at(NEWEST);
const MAX_CONCURRENCY: Member = Member::new("maxConcurrency", Shape::Integer).read_only().at(CONCURRENCY);
const GATE_STATUSES: Shape = Shape::List(&Shape::Object(&GATE_STATUS));
const BEFORE_GATES: Member = Member::new("beforeGates", GATE_STATUSES).read_only().at(GATES);
const AFTER_GATES: Member = Member::new("afterGates", GATE_STATUSES).read_only().at(GATES);

/// What `skip` takes.
pub static SKIP: Object = Object::new(
    "SkipProperties",
    &[Member::new("targets", Shape::List(&Shape::Object(&SKIP_TARGET))).required()],
);

static SKIP_TARGET: Object = Object::new(
    "SkipTarget",
    &[
        Member::new(
            "type",
            Shape::Choice(&[value("Member"), value("Group"), value("Stage"), value("AfterStageWait")]),
        )
        .required(),
        Member::new("name", Shape::Text).required(),
    ],
);
