//! A run's plan.

use super::super::super::shape::{Member, Object, Shape};
use super::super::shared::TEXT_LIST;

/// Who runs where and in what order, who is matched twice, and who by nobody.
pub static PLAN: Object = Object::new(
    "UpdateRunPlan",
    &[
        Member::new("stages", Shape::List(&Shape::Object(&STAGE))).required(),
        Member::new("matchedTwice", Shape::List(&Shape::Object(&TWICE)))
            .required()
            .says("Members that several places match: they run in the first."),
        Member::new("unmatched", TEXT_LIST).required().says("Members of the fleet that no place matches."),
    ],
);

static STAGE: Object = Object::new(
    "PlannedStage",
    &[
        NAME,
        MAX_CONCURRENCY,
        MAX_ALLOWED_FAILURES,
        Member::new("groups", Shape::List(&Shape::Object(&GROUP))).required(),
    ],
);

static GROUP: Object = Object::new(
    "PlannedGroup",
    &[
        NAME,
        MAX_CONCURRENCY,
        MAX_ALLOWED_FAILURES,
        Member::new("members", TEXT_LIST).required().says("In the order in which they start."),
    ],
);

const NAME: Member = Member::new("name", Shape::Text).required();
const MAX_CONCURRENCY: Member = Member::new("maxConcurrency", Shape::Integer).required();
const MAX_ALLOWED_FAILURES: Member = Member::new("maxAllowedFailures", Shape::Integer).required();

static TWICE: Object = Object::new(
    "MatchedTwice",
    &[
        Member::new("member", Shape::Text).required(),
        Member::new("runsIn", Shape::Object(&PLACE)).required(),
        Member::new("alsoIn", Shape::List(&Shape::Object(&PLACE))).required(),
    ],
);

static PLACE: Object = Object::new(
    "PlannedPlace",
    &[Member::new("stage", Shape::Text).required(), Member::new("group", Shape::Text).required()],
);
