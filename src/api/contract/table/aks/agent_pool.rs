//! `managedClusters/agentPools`, and the same properties as a part of a cluster's body.

use super::super::super::shape::{Member, Object, Shape, value};
use super::super::shared::{ID, NAME, TYPE as KIND};
use super::{CREATION_DATA, ETAG, KUBERNETES_VERSION, OS_TYPE, POWER_STATE, PROVISIONING_STATE, echoed};
use crate::domain::names::{AGENT_POOL_NAME, MAX_AGENT_POOL_NAME};

/// The type.
pub static AGENT_POOL: Object =
    Object::new("AgentPool", &[ID, NAME, KIND, Member::new("properties", Shape::Object(&PROPERTIES))]).open();

static PROPERTIES: Object =
    Object::new("ManagedClusterAgentPoolProfileProperties", MEMBERS.split_at(1).1).open();

/// A pool as an element of its cluster's `agentPoolProfiles`.
pub static PROFILE: Object = Object::new("ManagedClusterAgentPoolProfile", MEMBERS).open();

/// A profile's members: its name, which a pool has beside its properties, and those.
const MEMBERS: &[Member] = &[
    Member::new("name", Shape::Text)
        .required()
        .spelled(AGENT_POOL_NAME)
        .within(1, MAX_AGENT_POOL_NAME as i64),
    ETAG,
    PROVISIONING_STATE,
    POWER_STATE,
    Member::new("count", Shape::Integer).within(0, 1000).says("How many nodes it has."),
    Member::new("mode", Shape::Choice(&[value("System"), value("User"), value("Gateway")])),
    OS_TYPE,
    Member::new("osSKU", Shape::Text),
    Member::new("orchestratorVersion", Shape::Text)
        .spelled(KUBERNETES_VERSION)
        .says("The version asked for: exact, or an alias that is resolved when it is first set."),
    Member::new("currentOrchestratorVersion", Shape::Text)
        .read_only()
        .says("The version that its nodes run."),
    Member::new("nodeImageVersion", Shape::Text).read_only().says("The image that its nodes run."),
    Member::new("upgradeSettings", Shape::Object(&UPGRADE_SETTINGS)),
    CREATION_DATA,
    Member::new("type", Shape::Text),
    echoed("vmSize"),
    echoed("osDiskSizeGB"),
    echoed("osDiskType"),
    echoed("kubeletDiskType"),
    echoed("workloadRuntime"),
    echoed("messageOfTheDay"),
    echoed("vnetSubnetID"),
    echoed("podSubnetID"),
    echoed("podIPAllocationMode"),
    echoed("maxPods"),
    echoed("maxCount"),
    echoed("minCount"),
    echoed("enableAutoScaling"),
    echoed("scaleDownMode"),
    echoed("availabilityZones"),
    echoed("enableNodePublicIP"),
    echoed("nodePublicIPPrefixID"),
    echoed("scaleSetPriority"),
    echoed("scaleSetEvictionPolicy"),
    echoed("spotMaxPrice"),
    echoed("tags"),
    echoed("nodeLabels"),
    echoed("nodeTaints"),
    echoed("proximityPlacementGroupID"),
    echoed("kubeletConfig"),
    echoed("linuxOSConfig"),
    echoed("enableEncryptionAtHost"),
    echoed("enableUltraSSD"),
    echoed("enableFIPS"),
    echoed("gpuInstanceProfile"),
    echoed("capacityReservationGroupID"),
    echoed("hostGroupID"),
    echoed("networkProfile"),
    echoed("windowsProfile"),
    echoed("securityProfile"),
    echoed("gpuProfile"),
    echoed("gatewayProfile"),
    echoed("artifactStreamingProfile"),
    echoed("virtualMachinesProfile"),
    echoed("virtualMachineNodesStatus"),
    echoed("localDNSProfile"),
];

static UPGRADE_SETTINGS: Object = Object::new(
    "AgentPoolUpgradeSettings",
    &[
        Member::new("maxSurge", Shape::Text)
            .spelled(r"^(\d{1,9}|([1-9]\d?|100)%)$")
            .says("How many nodes are replaced at a time: a number, or a percentage, rounded up."),
        echoed("maxUnavailable"),
        echoed("drainTimeoutInMinutes"),
        echoed("nodeSoakDurationInMinutes"),
        echoed("undrainableNodeBehavior"),
    ],
)
.open();
