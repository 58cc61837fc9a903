//! Many clusters at once.

use super::super::super::shape::{Member, Object, Shape};
use super::super::shared::{GUID, TEXT_MAP};
use crate::domain::bulk_clusters::{MAX_COUNT, MAX_WEIGHT};
use crate::domain::names::{MAX_CLUSTER_NAME, MAX_RESOURCE_GROUP_NAME, RESOURCE_GROUP_NAME};

const TEXT: Shape = Shape::Text;

/// What to make. Lists are dealt in turn, or as often as weights say.
pub static BULK_CLUSTERS: Object = Object::new(
    "BulkClusters",
    &[
        Member::new("subscriptionId", TEXT).required().spelled(GUID),
        Member::new("resourceGroup", TEXT)
            .required()
            .spelled(RESOURCE_GROUP_NAME)
            .within(1, MAX_RESOURCE_GROUP_NAME as i64),
        Member::new("namePrefix", TEXT)
            .required()
            .spelled("^[a-zA-Z0-9][-_a-zA-Z0-9]*$")
            .within(1, MAX_CLUSTER_NAME as i64 - 1)
            .says("Clusters and members are named by it and a number from 0."),
        Member::new("count", Shape::Integer).required().within(1, MAX_COUNT as i64),
        Member::new("regions", TEXTS_DEALT).says("Absent: all."),
        Member::new("kubernetesVersion", TEXTS_DEALT),
        Member::new("pools", Shape::List(&Shape::Any))
            .says("The pools of all; or a list of such lists, dealt, with or without weights."),
        Member::new("maintenanceWindow", Shape::Any).says("A maintenance window, or a list of them, dealt."),
        Member::new("fleet", TEXT)
            .within(1, 1000)
            .says("The fleet that they join: its id, or its name in the same group."),
        Member::new("groups", TEXTS_DEALT).says("The update groups of the members."),
        Member::new("labels", LABELS_DEALT).says("The labels of the members."),
    ],
);

/// One text for all, or a list of texts that are dealt, each with or without a weight.
const TEXTS_DEALT: Shape = Shape::AnyOf(&[TEXT, Shape::List(&TEXT_OR_CARD)]);
const TEXT_OR_CARD: Shape = Shape::AnyOf(&[TEXT, Shape::Object(&TEXT_CARD)]);
static TEXT_CARD: Object =
    Object::new("WeightedText", &[Member::new("value", TEXT).required(), WEIGHT]).open();

const LABELS_DEALT: Shape = Shape::AnyOf(&[TEXT_MAP, Shape::List(&LABELS_OR_CARD)]);
const LABELS_OR_CARD: Shape = Shape::AnyOf(&[TEXT_MAP, Shape::Object(&LABELS_CARD)]);
static LABELS_CARD: Object =
    Object::new("WeightedLabels", &[Member::new("value", TEXT_MAP).required(), WEIGHT]).open();

const WEIGHT: Member = Member::new("weight", Shape::Integer).within(1, MAX_WEIGHT as i64).says("Absent: 1.");

/// How many were made.
pub static BULK_RESULT: Object = Object::new(
    "BulkClustersResult",
    &[
        Member::new("clusters", Shape::Integer).required(),
        Member::new("members", Shape::Integer).required(),
        Member::new("fleet", TEXT).says("The id of the fleet that they joined."),
    ],
);
