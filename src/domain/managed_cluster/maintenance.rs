//! Maintenance configurations: three names, a window each, read with every fault at its place.

use std::fmt;
use std::str::FromStr;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::spec::kept_beside_properties;
use crate::domain::etag::ETag;
use crate::domain::local_time::UtcOffset;
use crate::domain::refusal::{Code, Faults, Refusal};
use crate::domain::system_data::SystemData;
use crate::domain::time::Timestamp;
use crate::domain::window::{DateSpan, DurationHours, MaintenanceWindow, Schedule};

/// The names that a configuration may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ConfigurationName {
    /// `aksManagedAutoUpgradeSchedule`: Kubernetes upgrades.
    #[serde(rename = "aksManagedAutoUpgradeSchedule")]
    AutoUpgrade,
    /// `aksManagedNodeOSUpgradeSchedule`: node image upgrades.
    #[serde(rename = "aksManagedNodeOSUpgradeSchedule")]
    NodeOs,
    /// `default`: AKS' own releases, which never matter to runs.
    #[serde(rename = "default")]
    Default,
}

impl ConfigurationName {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::AutoUpgrade, Self::NodeOs, Self::Default];

    /// The name as ARM spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AutoUpgrade => "aksManagedAutoUpgradeSchedule",
            Self::NodeOs => "aksManagedNodeOSUpgradeSchedule",
            Self::Default => "default",
        }
    }
}

impl fmt::Display for ConfigurationName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ConfigurationName {
    type Err = Refusal;

    /// Ignores case, as names of resources do.
    fn from_str(text: &str) -> Result<Self, Refusal> {
        Self::ALL.into_iter().find(|name| name.as_str().eq_ignore_ascii_case(text)).ok_or_else(|| {
            let names = Self::ALL.map(Self::as_str).join(", ");
            let message = format!("'{text}' is not a maintenance configuration; those are {names}.");
            Refusal::at(Code::InvalidParameter, "configName", message)
        })
    }
}

/// A configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MaintenanceConfiguration {
    /// Its own tag.
    pub etag: ETag,
    /// The window, where it has one; `default` may have only time slots, which are kept in `properties`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<MaintenanceWindow>,
    /// Members beside `properties` that are kept as sent.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub envelope: Map<String, Value>,
    /// The properties as sent, with the start date that was filled in.
    pub properties: Map<String, Value>,
    /// Who made and changed it.
    pub system_data: SystemData,
}

/// What a PUT of a configuration asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct MaintenanceSpec {
    /// The window, where it has one.
    pub window: Option<MaintenanceWindow>,
    /// Unsimulated members beside `properties`.
    pub envelope: Map<String, Value>,
    /// The properties as they are kept.
    pub properties: Map<String, Value>,
}

/// Reads a configuration's body. A start date that is absent stays
/// that of `existing`, else it is the day of `now` where the window is.
///
/// # Errors
/// Every member that is missing or can't be, with its path.
pub fn read_maintenance_window(
    name: ConfigurationName,
    mut body: Map<String, Value>,
    existing: Option<&MaintenanceConfiguration>,
    now: Timestamp,
) -> Result<MaintenanceSpec, Refusal> {
    let mut properties = match body.shift_remove("properties") {
        Some(Value::Object(properties)) => properties,
        None | Some(Value::Null) => Map::new(),
        Some(_) => {
            return Err(Refusal::at(Code::InvalidParameter, "properties", "'properties' must be an object."));
        }
    };
    let envelope = kept_beside_properties(body);
    properties.retain(|member, value| member != "maintenanceWindow" || !value.is_null());
    let window = match properties.get_mut("maintenanceWindow") {
        Some(Value::Object(window)) => window,
        None if name == ConfigurationName::Default => {
            return Ok(MaintenanceSpec { window: None, envelope, properties });
        }
        None => {
            let message = format!("{name} needs a maintenanceWindow.");
            return Err(Refusal::at(Code::RequiredPropertyMissing, WINDOW, message));
        }
        Some(_) => {
            let message = format!("'{WINDOW}' must be an object.");
            return Err(Refusal::at(Code::InvalidParameter, WINDOW, message));
        }
    };
    drop_nulls(window);
    let mut faults = Faults::new();
    let offset = member::<UtcOffset>(window, "utcOffset", &mut faults).unwrap_or_default();
    if window.get("startDate").is_none_or(Value::is_null) {
        let before = existing.and_then(|existing| existing.window.as_ref()).map(|window| window.start_date);
        let date = before.unwrap_or_else(|| offset.local(now).date());
        window.insert("startDate".to_owned(), Value::String(date.to_string()));
    }
    let window = read_window(name, offset, window, &mut faults);
    faults.finish()?;
    Ok(MaintenanceSpec { window, envelope, properties })
}

/// What is null is absent: in a window and in its schedule.
fn drop_nulls(window: &mut Map<String, Value>) {
    window.retain(|_, value| !value.is_null());
    if let Some(Value::Object(schedule)) = window.get_mut("schedule") {
        schedule.retain(|_, kind| !kind.is_null());
    }
}

const SCHEDULES: [&str; 4] = ["daily", "weekly", "absoluteMonthly", "relativeMonthly"];
const WINDOW: &str = "properties.maintenanceWindow";

fn read_window(
    name: ConfigurationName,
    utc_offset: UtcOffset,
    window: &Map<String, Value>,
    faults: &mut Faults,
) -> Option<MaintenanceWindow> {
    for required in ["schedule", "durationHours", "startTime"] {
        if window.get(required).is_none_or(Value::is_null) {
            let target = format!("{WINDOW}.{required}");
            faults.add(Code::RequiredPropertyMissing, &*target, format!("'{target}' is required."));
        }
    }
    let schedule = read_schedule(window, faults);
    if name == ConfigurationName::Default && !matches!(schedule, None | Some(Schedule::Weekly { .. })) {
        let message = "The configuration 'default' takes a weekly schedule only.";
        faults.add(Code::InvalidParameter, format!("{WINDOW}.schedule"), message);
    }
    let duration_hours = member::<DurationHours>(window, "durationHours", faults);
    let start_date = member(window, "startDate", faults);
    let start_time = member(window, "startTime", faults);
    let not_allowed_dates = not_allowed_dates(window, faults);
    Some(MaintenanceWindow {
        schedule: schedule?,
        duration_hours: duration_hours?,
        utc_offset,
        start_date: start_date?,
        start_time: start_time?,
        not_allowed_dates,
    })
}

fn read_schedule(window: &Map<String, Value>, faults: &mut Faults) -> Option<Schedule> {
    let schedule = window.get("schedule").filter(|schedule| !schedule.is_null())?;
    let kinds = schedule.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
    let given: Vec<&String> = kinds.map(|(kind, _)| kind).collect();
    // What stands beside a schedule that is known is kept, as everything unknown.
    let known: Vec<&String> =
        given.iter().copied().filter(|kind| SCHEDULES.contains(&kind.as_str())).collect();
    let given = if known.is_empty() { given } else { known };
    if given.len() != 1 {
        let message = "A schedule is exactly one of daily, weekly, absoluteMonthly and relativeMonthly.";
        faults.add(Code::InvalidParameter, format!("{WINDOW}.schedule"), message);
        return None;
    }
    let only: Map<String, Value> = schedule
        .as_object()?
        .iter()
        .filter(|(kind, _)| *kind == given[0])
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect();
    match serde_json::from_value(Value::Object(only)) {
        Ok(schedule) => Some(schedule),
        Err(_) => {
            let target = format!("{WINDOW}.schedule.{}", given[0]);
            faults.add(Code::InvalidParameter, target, schedule_expected(given[0]));
            None
        }
    }
}

/// What a schedule of this kind would have to look like.
fn schedule_expected(kind: &str) -> String {
    let members = match kind {
        "daily" => "intervalDays, a whole number from 1",
        "weekly" => "intervalWeeks, a whole number from 1, and dayOfWeek, Monday to Sunday",
        "absoluteMonthly" => "intervalMonths, a whole number from 1, and dayOfMonth, 1 to 31",
        "relativeMonthly" => {
            "intervalMonths, a whole number from 1, weekIndex (First, Second, Third, Fourth or Last), \
             and dayOfWeek, Monday to Sunday"
        }
        other => {
            let other: String = other.chars().take(80).collect();
            return format!(
                "There is no schedule '{other}'; those are daily, weekly, absoluteMonthly, relativeMonthly."
            );
        }
    };
    format!("A schedule '{kind}' needs {members}.")
}

/// A member as its type; a fault that says what would be right where it is there and not one.
fn member<T: DeserializeOwned>(window: &Map<String, Value>, name: &str, faults: &mut Faults) -> Option<T> {
    let value = window.get(name).filter(|value| !value.is_null())?;
    let read = serde_json::from_value(value.clone()).ok();
    if read.is_none() {
        let expected = match name {
            "durationHours" => "a whole number of hours from 4 to 24",
            "startDate" => "a date YYYY-MM-DD, such as 2026-12-24",
            "startTime" => "a time of day HH:mm from 00:00 to 23:59, such as 09:30",
            _ => "an offset +HH:mm or -HH:mm of at most 14:00, such as +05:30",
        };
        let message = format!("{name} must be {expected}; it is {}.", shown(value));
        faults.add(Code::InvalidParameter, format!("{WINDOW}.{name}"), message);
    }
    read
}

/// The spans of dates on which the window does not open; a fault at each that is none.
fn not_allowed_dates(window: &Map<String, Value>, faults: &mut Faults) -> Vec<DateSpan> {
    let spans = match window.get("notAllowedDates") {
        None | Some(Value::Null) => return Vec::new(),
        Some(Value::Array(spans)) => spans,
        Some(_) => {
            let message = "notAllowedDates must be a list of spans, each with start and end.";
            faults.add(Code::InvalidParameter, format!("{WINDOW}.notAllowedDates"), message);
            return Vec::new();
        }
    };
    let mut read = Vec::new();
    for (i, span) in spans.iter().enumerate() {
        match serde_json::from_value(span.clone()) {
            Ok(span) => read.push(span),
            Err(_) => {
                let message = format!(
                    "A span needs start and end, dates YYYY-MM-DD, the end on or after the start; it is {}.",
                    shown(span)
                );
                faults.add(Code::InvalidParameter, format!("{WINDOW}.notAllowedDates[{i}]"), message);
            }
        }
    }
    read
}

/// What a user sent, short enough to be sent back.
fn shown(value: &Value) -> String {
    value.to_string().chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn body() -> Value {
        json!({"properties": {"maintenanceWindow": {
            "schedule": {"daily": {"intervalDays": 1}},
            "durationHours": 4,
            "startTime": "22:00",
            "utcOffset": "+14:00",
        }}})
    }

    fn read(name: ConfigurationName, body: &Value) -> Result<MaintenanceSpec, Refusal> {
        let now = "2026-11-30T11:00:00Z".parse().unwrap();
        read_maintenance_window(name, body.as_object().unwrap().clone(), None, now)
    }

    #[test]
    fn an_absent_start_date_is_the_day_of_the_put_where_the_window_is() {
        let MaintenanceSpec { window, properties, .. } =
            read(ConfigurationName::AutoUpgrade, &body()).unwrap();
        assert_eq!(window.unwrap().start_date.to_string(), "2026-12-01");
        assert_eq!(properties["maintenanceWindow"]["startDate"], "2026-12-01");
    }

    #[test]
    fn what_is_null_is_absent() {
        let mut body = body();
        body["properties"]["maintenanceWindow"]["notAllowedDates"] = json!(null);
        body["properties"]["maintenanceWindow"]["schedule"]["weekly"] = json!(null);
        let properties = read(ConfigurationName::AutoUpgrade, &body).unwrap().properties;
        assert_eq!(properties["maintenanceWindow"]["schedule"], json!({"daily": {"intervalDays": 1}}));
        assert_eq!(properties["maintenanceWindow"].get("notAllowedDates"), None);
        let none = json!({"properties": {"maintenanceWindow": null}});
        assert_eq!(read(ConfigurationName::Default, &none).unwrap().properties, Map::new());
    }

    #[rstest]
    #[case("schedule", json!(null), "schedule")]
    #[case("schedule", json!({}), "schedule")]
    #[case("schedule", json!(true), "schedule")]
    #[case("schedule", json!("weekly"), "schedule")]
    #[case("schedule", json!([{"daily": {"intervalDays": 1}}]), "schedule")]
    #[case("schedule", json!({"daily": {"intervalDays": 1}, "weekly": {"intervalWeeks": 1}}), "schedule")]
    #[case("schedule", json!({"daily": {"intervalDays": 0}}), "schedule.daily")]
    #[case("schedule", json!({"weekly": {"intervalWeeks": 1}}), "schedule.weekly")]
    #[case("schedule", json!({"hourly": {}}), "schedule.hourly")]
    #[case("durationHours", json!(3), "durationHours")]
    #[case("durationHours", json!(25), "durationHours")]
    #[case("durationHours", json!("4"), "durationHours")]
    #[case("startTime", json!("24:00"), "startTime")]
    #[case("utcOffset", json!("+15:00"), "utcOffset")]
    #[case("startDate", json!("2026-02-30"), "startDate")]
    #[case("notAllowedDates", json!([{"start": "2026-12-02", "end": "2026-12-01"}]), "notAllowedDates[0]")]
    #[case("notAllowedDates", json!([{"start": "2026-12-02"}]), "notAllowedDates[0]")]
    #[case("notAllowedDates", json!("2026-12-02"), "notAllowedDates")]
    fn a_wrong_window_is_refused_where_it_is_wrong(
        #[case] member: &str,
        #[case] value: Value,
        #[case] target: &str,
    ) {
        let mut body = body();
        body["properties"]["maintenanceWindow"][member] = value;
        let refusal = read(ConfigurationName::NodeOs, &body).unwrap_err();
        assert_eq!(refusal.target, Some(format!("properties.maintenanceWindow.{target}")), "{refusal}");
        for internal in ["unknown variant", "invalid type", "missing field", "trailing", "u32", "u8"] {
            assert!(!refusal.message.contains(internal), "{refusal}");
        }
    }

    #[test]
    fn default_takes_a_weekly_schedule_or_none() {
        assert!(read(ConfigurationName::Default, &body()).is_err());
        assert!(read(ConfigurationName::AutoUpgrade, &json!({})).is_err());
        let slots = json!({"properties": {"timeInWeek": [{"day": "Monday", "hourSlots": [1]}]}});
        let MaintenanceSpec { window, properties, .. } = read(ConfigurationName::Default, &slots).unwrap();
        assert_eq!((window, Value::Object(properties)), (None, slots["properties"].clone()));
    }

    #[test]
    fn other_names_are_refused() {
        assert_eq!("Default".parse(), Ok(ConfigurationName::Default));
        assert!("mine".parse::<ConfigurationName>().is_err());
    }
}
