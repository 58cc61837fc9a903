//! `fleets/managedNamespaces`.

use super::super::shape::{Member, Object, Shape, value};
use super::shared::{
    ETAG, ID, LONG_RUNNING, NAME, OPERATION_STATUS, SYSTEM_DATA, TAGS, TEXT_LIST, TEXT_MAP, TYPE as KIND,
};
use super::{NAMESPACES, NEWEST, ResourceType};
use crate::domain::refusal::Code;

/// The type.
pub static TYPE: ResourceType =
    ResourceType { path: "fleets/managedNamespaces", body: &NAMESPACE, versions: NAMESPACES };

static NAMESPACE: Object = Object::new(
    "FleetManagedNamespace",
    &[
        ID,
        NAME,
        KIND,
        Member::new("location", Shape::Text).required_or(Code::LocationRequired).kept(),
        TAGS,
        ETAG,
        SYSTEM_DATA,
        Member::new("properties", Shape::Object(&PROPERTIES)).required(),
    ],
);

/// What PATCH takes.
pub static PATCH: Object = Object::new(
    "FleetManagedNamespacePatch",
    &[TAGS, Member::new("properties", Shape::Object(&PATCH_PROPERTIES)).at(NEWEST)],
);

const ADOPTION: Member =
    Member::new("adoptionPolicy", Shape::Choice(&[value("Never"), value("IfIdentical"), value("Always")]));
const DELETION: Member = Member::new("deletePolicy", Shape::Choice(&[value("Keep"), value("Delete")]));
const NAMESPACE_PROPERTIES: Member = Member::new("managedNamespaceProperties", Shape::Object(&KUBERNETES));

static PROPERTIES: Object = Object::new(
    "FleetManagedNamespaceProperties",
    &[
        LONG_RUNNING,
        NAMESPACE_PROPERTIES,
        ADOPTION.required(),
        DELETION.required(),
        Member::new("propagationPolicy", Shape::Object(&PROPAGATION)),
        Member::new("status", Shape::Object(&OPERATION_STATUS)).read_only(),
        Member::new("portalFqdn", Shape::Text).read_only(),
    ],
);

static PATCH_PROPERTIES: Object = Object::new(
    "FleetManagedNamespacePropertiesPatch",
    &[
        NAMESPACE_PROPERTIES,
        ADOPTION,
        DELETION,
        Member::new("propagationPolicy", Shape::Object(&PROPAGATION_PATCH)),
    ],
);

static KUBERNETES: Object = Object::new(
    "ManagedNamespaceProperties",
    &[
        Member::new("labels", TEXT_MAP),
        Member::new("annotations", TEXT_MAP),
        Member::new("defaultResourceQuota", Shape::Object(&QUOTA)),
        Member::new("defaultNetworkPolicy", Shape::Object(&NETWORK_POLICY)),
    ],
);

static QUOTA: Object = Object::new(
    "ResourceQuota",
    &[
        Member::new("cpuRequest", Shape::Text),
        Member::new("cpuLimit", Shape::Text),
        Member::new("memoryRequest", Shape::Text),
        Member::new("memoryLimit", Shape::Text),
    ],
);

static NETWORK_POLICY: Object =
    Object::new("NetworkPolicy", &[Member::new("ingress", RULE), Member::new("egress", RULE)]);

const RULE: Shape = Shape::Choice(&[value("AllowAll"), value("DenyAll"), value("AllowSameNamespace")]);

const PROPAGATION_TYPE: Member = Member::new("type", Shape::Choice(&[value("Placement")]));
const PLACEMENT_PROFILE: Member = Member::new("placementProfile", Shape::Object(&PLACEMENT));

static PROPAGATION: Object =
    Object::new("PropagationPolicy", &[PROPAGATION_TYPE.required(), PLACEMENT_PROFILE]);

static PROPAGATION_PATCH: Object =
    Object::new("PropagationPolicyPatch", &[PROPAGATION_TYPE, PLACEMENT_PROFILE]);

static PLACEMENT: Object = Object::new(
    "PlacementProfile",
    &[Member::new("defaultClusterResourcePlacement", Shape::Object(&PLACEMENT_SPEC))],
);

static PLACEMENT_SPEC: Object = Object::new(
    "ClusterResourcePlacementSpec",
    &[
        Member::new("policy", Shape::Object(&PLACEMENT_POLICY)),
        Member::new("rolloutStrategy", Shape::Object(&ROLLOUT)).at(NEWEST),
    ],
);

static PLACEMENT_POLICY: Object = Object::new(
    "PlacementPolicy",
    &[
        Member::new("placementType", Shape::Choice(&[value("PickAll"), value("PickFixed")])),
        Member::new("clusterNames", TEXT_LIST),
        Member::new("affinity", Shape::Object(&AFFINITY)),
        Member::new("tolerations", Shape::List(&Shape::Object(&TOLERATION))),
    ],
);

static ROLLOUT: Object = Object::new(
    "RolloutStrategy",
    &[
        Member::new("type", Shape::Choice(&[value("RollingUpdate"), value("External")])),
        Member::new("clusterUpdateStrategy", Shape::Object(&STRATEGY_REFERENCE)),
    ],
);

static STRATEGY_REFERENCE: Object =
    Object::new("ClusterUpdateStrategyReference", &[Member::new("name", Shape::Text)]);

static TOLERATION: Object = Object::new(
    "Toleration",
    &[
        Member::new("key", Shape::Text),
        Member::new("operator", Shape::Choice(&[value("Exists"), value("Equal")])),
        Member::new("value", Shape::Text),
        Member::new("effect", Shape::Choice(&[value("NoSchedule")])),
    ],
);

static AFFINITY: Object =
    Object::new("Affinity", &[Member::new("clusterAffinity", Shape::Object(&CLUSTER_AFFINITY))]);

static CLUSTER_AFFINITY: Object = Object::new(
    "ClusterAffinity",
    &[Member::new("requiredDuringSchedulingIgnoredDuringExecution", Shape::Object(&CLUSTER_SELECTOR))],
);

static CLUSTER_SELECTOR: Object = Object::new(
    "ClusterSelector",
    &[Member::new("clusterSelectorTerms", Shape::List(&Shape::Object(&SELECTOR_TERM))).required()],
);

static SELECTOR_TERM: Object = Object::new(
    "ClusterSelectorTerm",
    &[
        Member::new("labelSelector", Shape::Object(&LABEL_SELECTOR)),
        Member::new("propertySelector", Shape::Object(&PROPERTY_SELECTOR)),
    ],
);

static LABEL_SELECTOR: Object = Object::new(
    "LabelSelector",
    &[
        Member::new("matchLabels", TEXT_MAP),
        Member::new("matchExpressions", Shape::List(&Shape::Object(&LABEL_REQUIREMENT))),
    ],
);

static LABEL_REQUIREMENT: Object = Object::new(
    "LabelSelectorRequirement",
    &[
        Member::new("key", Shape::Text).required(),
        Member::new(
            "operator",
            Shape::Choice(&[value("In"), value("NotIn"), value("Exists"), value("DoesNotExist")]),
        )
        .required(),
        Member::new("values", TEXT_LIST),
    ],
);

static PROPERTY_SELECTOR: Object = Object::new(
    "PropertySelector",
    &[Member::new("matchExpressions", Shape::List(&Shape::Object(&PROPERTY_REQUIREMENT))).required()],
);

static PROPERTY_REQUIREMENT: Object = Object::new(
    "PropertySelectorRequirement",
    &[
        Member::new("name", Shape::Text).required(),
        Member::new(
            "operator",
            Shape::Choice(&[value("Gt"), value("Ge"), value("Eq"), value("Ne"), value("Lt"), value("Le")]),
        )
        .required(),
        Member::new("values", TEXT_LIST).required(),
    ],
);
