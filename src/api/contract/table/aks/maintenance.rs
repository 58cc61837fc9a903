//! `managedClusters/maintenanceConfigurations`.

use super::super::super::shape::{Member, Object, Shape, value};
use super::super::shared::{ID, NAME, SYSTEM_DATA, TYPE as KIND};
use super::super::strategy::{DAYS, TIME_OF_DAY, UTC_DISTANCE};
use super::{ETAG, echoed};

/// The type.
pub static MAINTENANCE_CONFIGURATION: Object = Object::new(
    "MaintenanceConfiguration",
    &[ID, NAME, KIND, ETAG, SYSTEM_DATA, Member::new("properties", Shape::Object(&PROPERTIES))],
)
.open();

static PROPERTIES: Object = Object::new(
    "MaintenanceConfigurationProperties",
    &[
        Member::new("maintenanceWindow", Shape::Object(&WINDOW))
            .says("Required of all but the configuration 'default', which takes a weekly schedule only."),
        echoed("timeInWeek"),
        echoed("notAllowedTime"),
    ],
)
.open();

static WINDOW: Object = Object::new(
    "MaintenanceWindow",
    &[
        Member::new("schedule", Shape::Object(&SCHEDULE)).required(),
        Member::new("durationHours", Shape::Integer).required().within(4, 24),
        Member::new("utcOffset", Shape::Text).spelled(UTC_DISTANCE).says("Absent: +00:00."),
        Member::new("startDate", Shape::Text)
            .spelled(DATE)
            .says("Absent: the day of the first PUT, at the offset."),
        Member::new("startTime", Shape::Text).required().spelled(TIME_OF_DAY),
        Member::new("notAllowedDates", Shape::List(&Shape::Object(&DATE_SPAN))),
    ],
)
.open();

static SCHEDULE: Object = Object::new(
    "Schedule",
    &[
        Member::new("daily", Shape::Object(&DAILY)),
        Member::new("weekly", Shape::Object(&WEEKLY)),
        Member::new("absoluteMonthly", Shape::Object(&ABSOLUTE_MONTHLY)),
        Member::new("relativeMonthly", Shape::Object(&RELATIVE_MONTHLY)),
    ],
)
.open();

static DAILY: Object = Object::new("DailySchedule", &[interval("intervalDays")]).open();

static WEEKLY: Object = Object::new("WeeklySchedule", &[interval("intervalWeeks"), DAY_OF_WEEK]).open();

static ABSOLUTE_MONTHLY: Object = Object::new(
    "AbsoluteMonthlySchedule",
    &[interval("intervalMonths"), Member::new("dayOfMonth", Shape::Integer).required().within(1, 31)],
)
.open();

static RELATIVE_MONTHLY: Object = Object::new(
    "RelativeMonthlySchedule",
    &[
        interval("intervalMonths"),
        Member::new(
            "weekIndex",
            Shape::Choice(&[value("First"), value("Second"), value("Third"), value("Fourth"), value("Last")]),
        )
        .required(),
        DAY_OF_WEEK,
    ],
)
.open();

static DATE_SPAN: Object = Object::new(
    "DateSpan",
    &[
        Member::new("start", Shape::Text).required().spelled(DATE),
        Member::new("end", Shape::Text).required().spelled(DATE).says("Itself included."),
    ],
)
.open();

const DAY_OF_WEEK: Member = Member::new("dayOfWeek", DAYS).required();

const DATE: &str = r"^\d{4}-\d{2}-\d{2}$";

const fn interval(name: &'static str) -> Member {
    Member::new(name, Shape::Integer).required().within(1, u32::MAX as i64)
}
