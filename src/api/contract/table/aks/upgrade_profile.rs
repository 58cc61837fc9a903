//! `upgradeProfiles/default` of clusters and pools: what they can be upgraded to.

use super::super::super::shape::{Member, Object, Shape};
use super::super::shared::{ID, NAME, TYPE as KIND};
use super::OS_TYPE;

/// A cluster's.
pub static OF_CLUSTER: Object = Object::new(
    "ManagedClusterUpgradeProfile",
    &[ID, NAME, KIND, Member::new("properties", Shape::Object(&OF_CLUSTER_PROPERTIES)).required()],
);

static OF_CLUSTER_PROPERTIES: Object = Object::new(
    "ManagedClusterUpgradeProfileProperties",
    &[
        Member::new("controlPlaneProfile", Shape::Object(&PART)).required(),
        Member::new("agentPoolProfiles", Shape::List(&Shape::Object(&PART))).required(),
    ],
);

static PART: Object = Object::new(
    "ManagedClusterPoolUpgradeProfile",
    &[VERSION.required(), Member::new("name", Shape::Text), OS_TYPE.required(), UPGRADES],
);

/// A pool's.
pub static OF_POOL: Object = Object::new(
    "AgentPoolUpgradeProfile",
    &[ID, NAME, KIND, Member::new("properties", Shape::Object(&OF_POOL_PROPERTIES)).required()],
);

static OF_POOL_PROPERTIES: Object = Object::new(
    "AgentPoolUpgradeProfileProperties",
    &[
        VERSION.required(),
        OS_TYPE.required(),
        UPGRADES,
        Member::new("latestNodeImageVersion", Shape::Text)
            .says("The newest image of its family in its region."),
    ],
);

const VERSION: Member = Member::new("kubernetesVersion", Shape::Text);

const UPGRADES: Member = Member::new("upgrades", UPGRADE_LIST);
const UPGRADE_LIST: Shape = Shape::List(&Shape::Object(&UPGRADE));

static UPGRADE: Object =
    Object::new("UpgradeProfileUpgradesItem", &[VERSION, Member::new("isPreview", Shape::Boolean)]);
