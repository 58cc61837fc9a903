//! Regions, versions and images, and when each comes where.

use super::super::super::shape::{Member, Object, Shape, value};
use super::super::shared::TEXT_LIST;

/// All of it, as of now.
pub static CATALOGUE: Object = Object::new(
    "Catalogue",
    &[
        Member::new("regions", TEXT_LIST).required(),
        Member::new("kubernetesVersions", Shape::List(&Shape::Object(&VERSION))).required(),
        Member::new("nodeImages", Shape::List(&Shape::Object(&IMAGE))).required(),
    ],
);

static VERSION: Object = Object::new(
    "CatalogueVersion",
    &[
        Member::new("version", Shape::Text).required(),
        Member::new("support", Shape::Choice(&[value("Community"), value("LongTermOnly"), value("Ended")]))
            .required(),
        Member::new("isPreview", Shape::Boolean).required(),
        Member::new("deprecated", Shape::Boolean).required(),
        REGIONS,
        COMING,
    ],
);

static IMAGE: Object = Object::new(
    "CatalogueImage",
    &[
        Member::new("version", Shape::Text).required().says("FAMILY-VERSION."),
        Member::new("securityPatch", Shape::Boolean).required(),
        Member::new("livePatch", Shape::Boolean).required(),
        REGIONS,
        COMING,
    ],
);

const REGIONS: Member = Member::new("regions", TEXT_LIST).required().says("The regions that have it.");
const COMING: Member = Member::new("coming", Shape::Map(&Shape::Timestamp))
    .required()
    .says("The regions that get it later, with when.");
