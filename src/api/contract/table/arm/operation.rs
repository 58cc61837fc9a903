//! Polling of long-running operations, and the list of what the provider can do.

use super::super::super::shape::{Member, Object, Shape, value};
use super::super::aks::agent_pool::AGENT_POOL;
use super::super::aks::managed_cluster::MANAGED_CLUSTER;
use super::super::shared::ERROR;
use super::super::{fleet, member, namespace};

/// How an operation stands.
pub static OPERATION_STATUS: Object = Object::new(
    "OperationStatusResult",
    &[
        Member::new("id", Shape::Text).required(),
        Member::new("name", Shape::Text).required().says("The operation's GUID."),
        Member::new(
            "status",
            Shape::Choice(&[value("InProgress"), value("Succeeded"), value("Failed"), value("Canceled")]),
        )
        .required(),
        Member::new("startTime", Shape::Timestamp).required().says("Simulated time, as endTime is."),
        Member::new("endTime", Shape::Timestamp),
        Member::new("error", Shape::Object(&ERROR)).says("Why it failed."),
    ],
);

/// What an operation came to: the resource that it made or changed.
pub static OPERATION_RESULT: Shape = Shape::AnyOf(&[
    Shape::Object(fleet::TYPE.body),
    Shape::Object(member::TYPE.body),
    Shape::Object(namespace::TYPE.body),
    Shape::Object(&MANAGED_CLUSTER),
    Shape::Object(&AGENT_POOL),
]);

/// Something that the provider can do, with texts for people.
pub static PROVIDER_OPERATION: Object = Object::new(
    "Operation",
    &[
        Member::new("name", Shape::Text).required(),
        Member::new("isDataAction", Shape::Boolean).required(),
        Member::new("display", Shape::Object(&DISPLAY)).required(),
        Member::new("origin", Shape::Choice(&[value("user"), value("system"), value("user,system")]))
            .required(),
    ],
);

static DISPLAY: Object = Object::new(
    "OperationDisplay",
    &[
        Member::new("provider", Shape::Text).required(),
        Member::new("resource", Shape::Text).required(),
        Member::new("operation", Shape::Text).required(),
        Member::new("description", Shape::Text).required(),
    ],
);
