//! The one clock.

use super::super::super::shape::{Member, Object, Shape, value};

const MODE: Member =
    Member::new("mode", Shape::Choice(&[value("real"), value("scaled"), value("manual")])).required();

/// What it shows.
pub static CLOCK: Object = Object::new(
    "Clock",
    &[
        Member::new("now", Shape::Timestamp).required(),
        MODE,
        Member::new("scale", Shape::Number)
            .required()
            .says("Simulated seconds a real second; 0 on a manual clock."),
    ],
);

/// How it is to go.
pub static CLOCK_SETTING: Object = Object::new(
    "ClockSetting",
    &[
        MODE,
        Member::new("scale", Shape::Number)
            .says("Above 0: simulated seconds a real second. For a scaled clock only."),
    ],
);

/// How far it is to move: one of the two.
pub static CLOCK_ADVANCE: Object = Object::new(
    "ClockAdvance",
    &[
        Member::new("by", Shape::Text).says("An ISO 8601 duration, as in PT6H."),
        Member::new("to", Shape::Timestamp),
    ],
);

/// Where it stands after it has moved.
pub static CLOCK_READING: Object =
    Object::new("ClockReading", &[Member::new("now", Shape::Timestamp).required()]);
