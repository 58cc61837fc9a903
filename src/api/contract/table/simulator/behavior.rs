//! How one cluster behaves.

use super::super::super::shape::{Member, Object, Shape};

/// What the simulator is told, and shows.
pub static BEHAVIOR: Object = Object::new(
    "ClusterBehavior",
    &[
        minutes("controlPlaneMinutes").says("Simulated minutes that an upgrade of the control plane takes."),
        minutes("poolBatchMinutes").says("Simulated minutes that a batch of nodes takes."),
        Member::new("failures", Shape::List(&Shape::Object(&FAILURE))).says("Steps that fail at their end."),
        Member::new("busyUntil", Shape::Timestamp).says("Until when it refuses operations."),
        Member::new("hang", Shape::Boolean).says("Whether upgrades that start now never end by themselves."),
    ],
);

const fn minutes(name: &'static str) -> Member {
    Member::new(name, Shape::Integer).within(0, u32::MAX as i64)
}

static FAILURE: Object = Object::new(
    "ClusterFailure",
    &[
        Member::new("at", Shape::Text)
            .required()
            .spelled("^(ControlPlane|AgentPool:.+)$")
            .says("The step: ControlPlane or AgentPool:NAME."),
        Member::new("times", Shape::Integer)
            .within(0, u32::MAX as i64)
            .says("How many more times; once where absent."),
        Member::new("code", Shape::Text),
        Member::new("message", Shape::Text),
    ],
);
