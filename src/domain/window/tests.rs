use chrono::{Datelike, Days, Timelike};
use proptest::prelude::*;
use rstest::rstest;
use serde_json::json;

use super::*;

fn utc(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

/// A window with the schedule given in ARM's JSON, in UTC.
fn window(schedule: &serde_json::Value, start_date: &str, start_time: &str, hours: u8) -> MaintenanceWindow {
    let body = json!({
        "schedule": schedule, "durationHours": hours, "startDate": start_date, "startTime": start_time
    });
    serde_json::from_value(body).unwrap()
}

fn daily(interval: u32, start_time: &str, hours: u8) -> MaintenanceWindow {
    window(&json!({ "daily": { "intervalDays": interval } }), "2026-11-02", start_time, hours)
}

fn closed_on(mut window: MaintenanceWindow, spans: &[(&str, &str)]) -> MaintenanceWindow {
    window.not_allowed_dates =
        spans.iter().map(|(from, to)| DateSpan::new(date(from), date(to)).unwrap()).collect();
    window
}

/// The next `count` openings after `after`, by date and time.
fn openings(window: &MaintenanceWindow, after: &str, count: usize) -> Vec<String> {
    let first = window.next_opening(utc(after));
    let all = std::iter::successors(first, |opening| window.next_opening(*opening));
    all.take(count).map(|at| at.format("%Y-%m-%d %H:%M").to_string()).collect()
}

#[test]
fn a_window_is_open_from_its_start_to_before_its_end() {
    let window = daily(1, "22:00", 4);
    assert!(!window.is_open(utc("2026-11-30T21:59:59Z")));
    assert_eq!(
        window.state(utc("2026-11-30T21:59:59Z")),
        WindowState::Closed { opens: Some(utc("2026-11-30T22:00:00Z")) }
    );
    assert_eq!(
        window.state(utc("2026-11-30T22:00:00Z")),
        WindowState::Open { until: Some(utc("2026-12-01T02:00:00Z")) }
    );
    assert!(window.is_open(utc("2026-12-01T01:59:59.999Z")));
    assert!(!window.is_open(utc("2026-12-01T02:00:00Z")));
}

#[test]
fn the_next_opening_is_strictly_after_and_skips_the_window_that_is_open() {
    let window = daily(1, "22:00", 4);
    for after in ["2026-11-30T22:00:00Z", "2026-12-01T01:00:00Z", "2026-12-01T02:00:00Z"] {
        assert_eq!(window.next_opening(utc(after)), Some(utc("2026-12-01T22:00:00Z")), "after {after}");
    }
    assert_eq!(window.next_opening(utc("2026-11-30T21:59:59Z")), Some(utc("2026-11-30T22:00:00Z")));
}

#[test]
fn nothing_is_open_before_the_start_date() {
    let window = daily(1, "22:00", 8);
    assert!(!window.is_open(utc("2026-11-02T03:00:00Z")), "the window of the day before would reach here");
    assert_eq!(window.next_opening(utc("2020-01-01T00:00:00Z")), Some(utc("2026-11-02T22:00:00Z")));
    assert_eq!(window.closes_at(utc("2026-11-02T03:00:00Z")), None);
}

#[test]
fn the_offset_moves_the_window_and_its_dates() {
    let mut window = closed_on(daily(1, "00:00", 4), &[("2026-12-25", "2026-12-25")]);
    window.utc_offset = "+05:30".parse().unwrap();
    assert!(window.is_open(utc("2026-11-30T18:30:00Z")));
    assert!(!window.is_open(utc("2026-11-30T22:30:00Z")));
    // 00:00 on the 25th, local time, is the 24th in UTC.
    assert!(!window.is_open(utc("2026-12-24T18:30:00Z")));
    assert_eq!(window.next_opening(utc("2026-12-24T00:00:00Z")), Some(utc("2026-12-25T18:30:00Z")));
}

#[test]
fn intervals_of_days_count_from_the_start_date() {
    assert_eq!(
        openings(&daily(3, "01:00", 4), "2026-11-01T00:00:00Z", 3),
        ["2026-11-02 01:00", "2026-11-05 01:00", "2026-11-08 01:00"]
    );
}

// 2026-11-02 is a Monday.
#[rstest]
#[case::on_the_day("2026-11-02", "Monday", 2, ["2026-11-02 09:00", "2026-11-16 09:00", "2026-11-30 09:00"])]
#[case::after_the_day("2026-11-03", "Monday", 2, ["2026-11-09 09:00", "2026-11-23 09:00", "2026-12-07 09:00"])]
#[case::later_that_week("2026-11-02", "Sunday", 4, ["2026-11-08 09:00", "2026-12-06 09:00", "2027-01-03 09:00"])]
fn intervals_of_weeks_count_from_the_first_fitting_day(
    #[case] start_date: &str,
    #[case] day: &str,
    #[case] interval: u32,
    #[case] expected: [&str; 3],
) {
    let schedule = json!({ "weekly": { "intervalWeeks": interval, "dayOfWeek": day } });
    assert_eq!(openings(&window(&schedule, start_date, "09:00", 4), "2026-11-01T00:00:00Z", 3), expected);
}

#[rstest]
#[case::every_month(1, 15, "2026-01-10", ["2026-01-15", "2026-02-15", "2026-03-15"])]
#[case::starts_after_the_day(1, 15, "2026-01-16", ["2026-02-15", "2026-03-15", "2026-04-15"])]
#[case::no_31st_in_short_months(1, 31, "2026-01-31", ["2026-01-31", "2026-03-31", "2026-05-31"])]
#[case::short_months_are_counted(3, 31, "2026-01-01", ["2026-01-31", "2026-07-31", "2026-10-31"])]
#[case::the_first_fitting_month_counts(2, 31, "2026-02-01", ["2026-03-31", "2026-05-31", "2026-07-31"])]
#[case::past_the_day_and_then_february(1, 30, "2026-01-31", ["2026-03-30", "2026-04-30", "2026-05-30"])]
#[case::over_the_year(5, 1, "2026-10-01", ["2026-10-01", "2027-03-01", "2027-08-01"])]
#[case::leap_days(12, 29, "2028-02-29", ["2028-02-29", "2032-02-29", "2036-02-29"])]
#[case::no_leap_day_in_2100(12, 29, "2092-02-29", ["2092-02-29", "2096-02-29", "2104-02-29"])]
fn months_without_the_day_have_no_window(
    #[case] interval: u32,
    #[case] day: u8,
    #[case] start_date: &str,
    #[case] expected: [&str; 3],
) {
    let schedule = json!({ "absoluteMonthly": { "intervalMonths": interval, "dayOfMonth": day } });
    let window = window(&schedule, start_date, "00:00", 4);
    let expected = expected.map(|date| format!("{date} 00:00"));
    assert_eq!(openings(&window, "2025-12-31T00:00:00Z", 3), expected);
}

#[rstest]
#[case("First", "Sunday", ["2026-11-01", "2026-12-06", "2027-01-03"])]
#[case("Second", "Tuesday", ["2026-11-10", "2026-12-08", "2027-01-12"])]
#[case("Third", "Sunday", ["2026-11-15", "2026-12-20", "2027-01-17"])]
#[case("Fourth", "Monday", ["2026-11-23", "2026-12-28", "2027-01-25"])]
#[case("Last", "Monday", ["2026-11-30", "2026-12-28", "2027-01-25"])]
#[case("Last", "Sunday", ["2026-11-29", "2026-12-27", "2027-01-31"])]
fn weekdays_of_a_month_are_counted_from_its_first_day(
    #[case] index: &str,
    #[case] day: &str,
    #[case] expected: [&str; 3],
) {
    let schedule =
        json!({ "relativeMonthly": { "intervalMonths": 1, "weekIndex": index, "dayOfWeek": day } });
    let window = window(&schedule, "2026-11-01", "03:00", 4);
    assert_eq!(openings(&window, "2026-10-01T00:00:00Z", 3), expected.map(|date| format!("{date} 03:00")));
}

#[test]
fn a_not_allowed_next_day_closes_the_window_at_midnight() {
    let window = closed_on(daily(1, "22:00", 8), &[("2026-12-24", "2026-12-26")]);
    assert_eq!(window.closes_at(utc("2026-12-23T22:30:00Z")), Some(utc("2026-12-24T00:00:00Z")));
    assert!(!window.is_open(utc("2026-12-24T00:00:00Z")));
}

#[test]
fn a_window_that_starts_on_a_not_allowed_date_opens_at_midnight() {
    let window = closed_on(daily(1, "22:00", 8), &[("2026-12-24", "2026-12-26")]);
    assert_eq!(window.next_opening(utc("2026-12-23T23:00:00Z")), Some(utc("2026-12-27T00:00:00Z")));
    assert_eq!(window.closes_at(utc("2026-12-27T00:00:00Z")), Some(utc("2026-12-27T06:00:00Z")));
}

#[test]
fn spans_that_overlap_or_touch_act_as_one() {
    let spans = [("2026-12-24", "2026-12-25"), ("2026-12-26", "2026-12-31"), ("2026-12-20", "2026-12-24")];
    let window = closed_on(daily(1, "22:00", 4), &spans);
    assert_eq!(window.next_opening(utc("2026-12-20T00:00:00Z")), Some(utc("2027-01-01T00:00:00Z")));
}

#[test]
fn windows_of_every_day_and_all_day_never_close() {
    let window = daily(1, "02:00", 24);
    assert_eq!(window.next_opening(utc("2026-11-01T00:00:00Z")), Some(utc("2026-11-02T02:00:00Z")));
    assert_eq!(window.state(utc("2026-11-03T02:00:00Z")), WindowState::Open { until: None });
    assert_eq!(window.next_opening(utc("2026-11-03T02:00:00Z")), None);
}

#[test]
fn windows_of_all_day_close_for_not_allowed_dates_only() {
    let window = closed_on(daily(1, "02:00", 24), &[("2026-12-24", "2026-12-26")]);
    assert_eq!(window.closes_at(utc("2026-11-03T02:00:00Z")), Some(utc("2026-12-24T00:00:00Z")));
    assert_eq!(window.next_opening(utc("2026-11-03T02:00:00Z")), Some(utc("2026-12-27T00:00:00Z")));
    assert_eq!(window.state(utc("2027-01-01T00:00:00Z")), WindowState::Open { until: None });
}

#[test]
fn a_window_that_never_opens_within_the_horizon_says_so() {
    let forbidden = closed_on(daily(1, "22:00", 4), &[("2020-01-01", "9999-12-31")]);
    assert_eq!(forbidden.state(utc("2026-11-30T22:00:00Z")), WindowState::Closed { opens: None });
    assert_eq!(forbidden.next_opening(utc("2026-11-30T22:00:00Z")), None);

    for hours in [4, 24] {
        let mut distant = daily(1, "22:00", hours);
        distant.start_date = date("2126-12-01");
        assert_eq!(distant.next_opening(utc("2026-11-30T00:00:00Z")), None, "{hours} hours");
        assert!(distant.next_opening(utc("2026-12-01T00:00:00Z")).is_some(), "{hours} hours");
    }
}

#[test]
fn the_largest_interval_is_one_window_only() {
    for schedule in [
        json!({ "daily": { "intervalDays": u32::MAX } }),
        json!({ "weekly": { "intervalWeeks": u32::MAX, "dayOfWeek": "Monday" } }),
        json!({ "absoluteMonthly": { "intervalMonths": u32::MAX, "dayOfMonth": 2 } }),
    ] {
        let window = window(&schedule, "2026-11-02", "09:00", 4);
        assert_eq!(openings(&window, "2026-11-01T00:00:00Z", 2), ["2026-11-02 09:00"]);
    }
}

#[test]
fn json_has_arm_s_shape() {
    let body = json!({
        "schedule": { "relativeMonthly": { "intervalMonths": 2, "weekIndex": "Last", "dayOfWeek": "Friday" } },
        "durationHours": 6,
        "utcOffset": "-07:00",
        "startDate": "2026-11-01",
        "startTime": "21:30",
        "notAllowedDates": [{ "start": "2026-12-23", "end": "2027-01-03" }]
    });
    let window: MaintenanceWindow = serde_json::from_value(body.clone()).unwrap();
    assert_eq!(serde_json::to_value(&window).unwrap(), body);
}

#[rstest]
#[case::too_short("/durationHours", json!(3))]
#[case::too_long("/durationHours", json!(25))]
#[case::no_interval("/schedule/absoluteMonthly/intervalMonths", json!(0))]
#[case::no_such_day("/schedule/absoluteMonthly/dayOfMonth", json!(32))]
#[case::day_zero("/schedule/absoluteMonthly/dayOfMonth", json!(0))]
#[case::no_such_time("/startTime", json!("24:00"))]
#[case::no_such_offset("/utcOffset", json!("+14:30"))]
#[case::backward_span("/notAllowedDates/0/end", json!("2026-12-22"))]
#[case::two_schedules("/schedule", json!({ "daily": { "intervalDays": 1 }, "weekly": {} }))]
fn values_out_of_range_are_refused(#[case] pointer: &str, #[case] value: serde_json::Value) {
    let mut body = json!({
        "schedule": { "absoluteMonthly": { "intervalMonths": 1, "dayOfMonth": 31 } },
        "durationHours": 24, "utcOffset": "+14:00", "startDate": "2026-11-01", "startTime": "23:59",
        "notAllowedDates": [{ "start": "2026-12-23", "end": "2026-12-23" }]
    });
    assert!(serde_json::from_value::<MaintenanceWindow>(body.clone()).is_ok());
    *body.pointer_mut(pointer).unwrap() = value;
    assert!(serde_json::from_value::<MaintenanceWindow>(body).is_err());
}

/// The rules once more, as literally as possible: every minute of some days, open or not.
struct Minutes {
    first: NaiveDate,
    open: Vec<bool>,
    /// The minutes that differ from the one before.
    changes: Vec<usize>,
}

const MINUTES_A_DAY: usize = 24 * 60;

impl Minutes {
    /// Plays through `days` days from `first` on, having counted every day since the start date.
    fn of(window: &MaintenanceWindow, first: NaiveDate, days: usize) -> Self {
        let all_days: Vec<NaiveDate> = first.iter_days().take(days).collect();
        let allowed: Vec<bool> = all_days
            .iter()
            .map(|day| {
                !window.not_allowed_dates.iter().any(|span| span.start() <= *day && *day <= span.end())
            })
            .collect();
        let mut open = vec![false; days * MINUTES_A_DAY];
        let start = window.start_time.time();
        let start_minute = (start.hour() * 60 + start.minute()) as i64;
        for day in start_days(window, *all_days.last().unwrap()) {
            let from = (day - first).num_days() * MINUTES_A_DAY as i64 + start_minute;
            for minute in from..from + i64::from(u8::from(window.duration_hours)) * 60 {
                if let Some(open) = usize::try_from(minute).ok().and_then(|minute| open.get_mut(minute)) {
                    *open = allowed[minute as usize / MINUTES_A_DAY];
                }
            }
        }
        let changes = (1..open.len()).filter(|minute| open[*minute] != open[minute - 1]).collect();
        Self { first, open, changes }
    }

    fn at(&self, minute: usize) -> NaiveDateTime {
        self.first.and_time(chrono::NaiveTime::MIN) + TimeDelta::minutes(minute as i64)
    }

    /// The next minute after `minute` at which open becomes `open`.
    fn next_change(&self, minute: usize, open: bool) -> Option<usize> {
        let later = &self.changes[self.changes.partition_point(|change| *change <= minute)..];
        later.iter().copied().find(|change| self.open[*change] == open)
    }
}

/// Every day up to `last` on which a window starts, found by looking at each day since the start date.
fn start_days(window: &MaintenanceWindow, last: NaiveDate) -> Vec<NaiveDate> {
    let fits = |day: &NaiveDate| match window.schedule {
        Schedule::Daily { .. } => true,
        Schedule::Weekly { day_of_week, .. } => day.weekday() == day_of_week.weekday(),
        Schedule::AbsoluteMonthly { day_of_month, .. } => day.day() == u32::from(u8::from(day_of_month)),
        Schedule::RelativeMonthly { week_index, day_of_week, .. } => {
            let in_week = match week_index {
                WeekIndex::First => day.day0() / 7 == 0,
                WeekIndex::Second => day.day0() / 7 == 1,
                WeekIndex::Third => day.day0() / 7 == 2,
                WeekIndex::Fourth => day.day0() / 7 == 3,
                WeekIndex::Last => (*day + Days::new(7)).month() != day.month(),
            };
            in_week && day.weekday() == day_of_week.weekday()
        }
    };
    let fitting: Vec<NaiveDate> =
        window.start_date.iter_days().take_while(|day| *day <= last).filter(fits).collect();
    let Some(anchor) = fitting.first().copied() else { return fitting };
    let months =
        |day: NaiveDate| (day.year() - anchor.year()) * 12 + day.month() as i32 - anchor.month() as i32;
    let counted = |(position, day): &(usize, NaiveDate)| match window.schedule {
        Schedule::Daily { interval_days } => position % interval_days.get() as usize == 0,
        Schedule::Weekly { interval_weeks, .. } => position % interval_weeks.get() as usize == 0,
        Schedule::AbsoluteMonthly { interval_months, .. }
        | Schedule::RelativeMonthly { interval_months, .. } => {
            months(*day) % interval_months.get() as i32 == 0
        }
    };
    fitting.into_iter().enumerate().filter(counted).map(|(_, day)| day).collect()
}

fn any_schedule() -> impl Strategy<Value = serde_json::Value> {
    let day = prop::sample::select(vec!["Monday", "Tuesday", "Thursday", "Saturday", "Sunday"]);
    let index = prop::sample::select(vec!["First", "Second", "Third", "Fourth", "Last"]);
    prop_oneof![
        (1u32..8).prop_map(|n| json!({ "daily": { "intervalDays": n } })),
        Just(json!({ "daily": { "intervalDays": 1 } })),
        (1u32..5, day.clone()).prop_map(|(n, d)| json!({ "weekly": { "intervalWeeks": n, "dayOfWeek": d } })),
        (1u32..7, prop_oneof![1u8..32, 28u8..32])
            .prop_map(|(n, d)| json!({ "absoluteMonthly": { "intervalMonths": n, "dayOfMonth": d } })),
        (1u32..7, index, day).prop_map(|(n, i, d)| {
            json!({ "relativeMonthly": { "intervalMonths": n, "weekIndex": i, "dayOfWeek": d } })
        }),
    ]
}

/// A window whose start date is from 600 days before to 60 days after the first day that is looked at.
fn any_window() -> impl Strategy<Value = MaintenanceWindow> {
    let times = prop_oneof![Just((0u32, 0u32)), (0u32..24, 0u32..60)];
    let hours = prop_oneof![4u8..=24, Just(24u8)];
    let offset = (prop::sample::select(vec!['+', '-']), 0u32..=14 * 60);
    let spans = prop::collection::vec((0u64..500, prop_oneof![0u64..4, 0u64..90]), 0..12);
    (any_schedule(), times, hours, offset, 0u64..660, spans).prop_map(
        |(schedule, (hour, minute), hours, (sign, away), start, spans)| {
            let mut window = window(&schedule, "2026-01-01", &format!("{hour:02}:{minute:02}"), hours);
            window.start_date = date("2026-05-01") + Days::new(start);
            window.utc_offset = format!("{sign}{:02}:{:02}", away / 60, away % 60).parse().unwrap();
            let span = |(from, length)| {
                let from = date(FIRST_DAY) + Days::new(from);
                DateSpan::new(from, from + Days::new(length)).unwrap()
            };
            window.not_allowed_dates = spans.into_iter().map(span).collect();
            window
        },
    )
}

/// The first of the days that are looked at minute by minute; a leap day is among them.
const FIRST_DAY: &str = "2027-12-20";
const DAYS: usize = 500;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_calendar_agrees_with_playing_through_every_minute(
        window in any_window(),
        picks in prop::collection::vec(0..DAYS * MINUTES_A_DAY, 60),
    ) {
        let minutes = Minutes::of(&window, date(FIRST_DAY), DAYS);
        let around = minutes.changes.iter().flat_map(|change| [change - 1, *change]);
        for minute in around.chain(picks) {
            let at = window.utc_offset.utc(minutes.at(minute));
            let moment = |minute: usize| window.utc_offset.utc(minutes.at(minute));
            let is_open = minutes.open[minute];
            prop_assert_eq!(window.is_open(at), is_open, "at {}", at);

            let change = minutes.next_change(minute, !is_open).map(moment);
            let answered = match window.state(at) {
                WindowState::Open { until } => until,
                WindowState::Closed { opens } => opens,
            };
            let seen = |answer: Option<DateTime<Utc>>| answer.filter(|at| *at < moment(minutes.open.len()));
            prop_assert_eq!(seen(answered), change, "the state at {}", at);
            let opening = minutes.next_change(minute, true).map(moment);
            prop_assert_eq!(seen(window.next_opening(at)), opening, "the next opening after {}", at);
        }
    }
}
