//! `locations/kubernetesVersions`: what a region offers.

use super::super::super::shape::{Member, Object, Shape};
use super::super::shared::TEXT_LIST;
use super::managed_cluster::SUPPORT_PLAN;

/// The list; it has no pages, and its member is `values`.
pub static KUBERNETES_VERSIONS: Object = Object::new(
    "KubernetesVersionListResult",
    &[Member::new("values", Shape::List(&Shape::Object(&VERSION))).required()],
);

static VERSION: Object = Object::new(
    "KubernetesVersion",
    &[
        Member::new("version", Shape::Text).required().says("MAJOR.MINOR."),
        Member::new("capabilities", Shape::Object(&CAPABILITIES)).required(),
        Member::new("isDefault", Shape::Boolean),
        Member::new("isPreview", Shape::Boolean),
        Member::new("patchVersions", Shape::Map(&Shape::Object(&PATCH))).required(),
    ],
);

static CAPABILITIES: Object = Object::new(
    "KubernetesVersionCapabilities",
    &[Member::new("supportPlan", Shape::List(&SUPPORT_PLAN)).required()],
);

static PATCH: Object =
    Object::new("KubernetesPatchVersion", &[Member::new("upgrades", TEXT_LIST).required()]);
