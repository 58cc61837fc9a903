//! `fleets/autoUpgradeProfiles`, and the answer of its `generateUpdateRun`.

use super::super::shape::{Member, Object, Shape, value, value_at};
use super::shared::{DONE_AT_ONCE, ERROR, ETAG, ID, NAME, SYSTEM_DATA, TEXT_LIST, TYPE as KIND};
use super::{GATES, NEWEST, PROFILES, ResourceType, STATUS};

/// The type.
pub static TYPE: ResourceType =
    ResourceType { path: "fleets/autoUpgradeProfiles", body: &PROFILE, versions: PROFILES };

static PROFILE: Object = Object::new(
    "AutoUpgradeProfile",
    &[ID, NAME, KIND, ETAG, SYSTEM_DATA, Member::new("properties", Shape::Object(&PROPERTIES)).required()],
);

static PROPERTIES: Object = Object::new(
    "AutoUpgradeProfileProperties",
    &[
        DONE_AT_ONCE,
        Member::new("updateStrategyId", Shape::Text),
        Member::new(
            "channel",
            Shape::Choice(&[
                value("Stable"),
                value("Rapid"),
                value("NodeImage"),
                value_at("TargetKubernetesVersion", GATES),
                value_at("SecurityPatch", NEWEST),
            ]),
        )
        .required(),
        Member::new("nodeImageSelection", Shape::Object(&IMAGE_SELECTION)),
        Member::new("disabled", Shape::Boolean),
        Member::new("autoUpgradeProfileStatus", Shape::Object(&PROFILE_STATUS)).read_only().at(STATUS),
        Member::new("targetKubernetesVersion", Shape::Text).at(GATES),
        Member::new("longTermSupport", Shape::Boolean).at(GATES),
    ],
);

static IMAGE_SELECTION: Object = Object::new(
    "AutoUpgradeNodeImageSelection",
    &[Member::new("type", Shape::Choice(&[value("Latest"), value("Consistent")])).required()],
);

static PROFILE_STATUS: Object = Object::new(
    "AutoUpgradeProfileStatus",
    &[
        Member::new("lastTriggeredAt", Shape::Timestamp).read_only(),
        Member::new("lastTriggerStatus", Shape::Choice(&[value("Succeeded"), value("Failed")])).read_only(),
        Member::new("lastTriggerError", Shape::Object(&ERROR)).read_only(),
        Member::new("lastTriggerUpgradeVersions", TEXT_LIST).read_only(),
        Member::new("lastTriggerMessage", Shape::Text).read_only().at(NEWEST),
    ],
);

/// What `generateUpdateRun` answers.
pub static GENERATED: Object = Object::new("GenerateResponse", &[Member::new("id", Shape::Text).read_only()]);
