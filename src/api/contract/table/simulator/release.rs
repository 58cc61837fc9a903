//! What is published while the service runs.

use super::super::super::shape::{Member, Object, Shape, value};
use super::super::shared::TEXT_LIST;

/// What to publish: one item with its instant beside it, or several under `items`.
pub static RELEASE_REQUEST: Object = Object::new(
    "ReleaseRequest",
    &[
        AT.says("When; absent: now."),
        Member::new("items", Shape::List(&Shape::Object(&ITEM))),
        KIND,
        VERSION,
        REGIONS,
        IS_PREVIEW,
        DEPRECATED,
        LIVE_PATCH,
    ],
);

/// What was published.
pub static RELEASE: Object = Object::new(
    "Release",
    &[
        Member::new("id", Shape::Text).required(),
        AT.required(),
        Member::new("items", Shape::List(&Shape::Object(&ITEM))).required(),
    ],
);

static ITEM: Object = Object::new(
    "ReleaseItem",
    &[KIND.required(), VERSION.required(), REGIONS, IS_PREVIEW, DEPRECATED, LIVE_PATCH],
);

const AT: Member = Member::new("at", Shape::Timestamp);
const KIND: Member = Member::new(
    "kind",
    Shape::Choice(&[value("KubernetesVersion"), value("NodeImage"), value("SecurityPatch")]),
);
const VERSION: Member =
    Member::new("version", Shape::Text).says("MAJOR.MINOR.PATCH, or the image FAMILY-VERSION.");
const REGIONS: Member =
    Member::new("regions", TEXT_LIST).within(1, 1000).says("The regions it reaches; absent: all.");
const IS_PREVIEW: Member =
    Member::new("isPreview", Shape::Boolean).says("Of a Kubernetes version; absent: as before.");
const DEPRECATED: Member =
    Member::new("deprecated", Shape::Boolean).says("Of a Kubernetes version; absent: as before.");
const LIVE_PATCH: Member = Member::new("livePatch", Shape::Boolean)
    .says("Of a security patch: whether nodes take it without being replaced.");
