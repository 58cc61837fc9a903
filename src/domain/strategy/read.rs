//! Reading a strategy from a request: every rule about it, all faults at once.
//!
//! Shapes (a string where one belongs, no unknown members) are the contract's to check; what has the wrong shape is
//! passed over here without a second complaint. No wire format may be decided here beyond the members' names.

use std::collections::HashSet;

use serde_json::Value;

use super::{
    GateSpec, GateType, GroupSpec, MAX_GROUPS, MAX_STAGE_WAIT_SECONDS, MAX_STAGES, MemberSelector, StageSpec,
    Strategy,
};
use crate::domain::gate_schedule::ScheduledStart;
use crate::domain::limit::{MaxAllowedFailures, MaxConcurrency};
use crate::domain::names::check_child_name;
use crate::domain::refusal::{Code, Faults, Refusal};
use crate::domain::selector::LabelSelector;

impl Strategy {
    /// Reads the object at `path` (`properties.strategy`) of a request.
    ///
    /// # Errors
    /// Every rule that is broken, each with its JSON path.
    pub fn read(value: &Value, path: &str) -> Result<Self, Refusal> {
        let mut faults = Faults::new();
        let strategy = Self::read_into(value, path, &mut faults);
        faults.finish().map(|()| strategy)
    }

    /// Like [`Strategy::read`], noting what is wrong among other faults of the same body; what it returns is of use
    /// only where nothing was wrong.
    pub fn read_into(value: &Value, path: &str, faults: &mut Faults) -> Self {
        let stages = items(value, "stages");
        let at = format!("{path}.stages");
        if value.get("stages").is_some_and(Value::is_array) && stages.is_empty() {
            faults.add(Code::InvalidParameter, &at, "A strategy needs at least one stage.");
        }
        too_many(stages.len(), MAX_STAGES, "stages", &at, faults);
        let read = |(index, stage)| read_stage(stage, &format!("{at}[{index}]"), faults);
        let strategy = Self { stages: stages.iter().enumerate().map(read).collect() };
        names_are_unique(&strategy, &at, faults);
        strategy
    }
}

fn read_stage(value: &Value, at: &str, faults: &mut Faults) -> StageSpec {
    let groups = items(value, "groups");
    too_many(groups.len(), MAX_GROUPS, "groups", &format!("{at}.groups"), faults);
    let stage = StageSpec {
        name: read_name(value, at, faults),
        groups: groups
            .iter()
            .enumerate()
            .map(|(index, group)| read_group(group, &format!("{at}.groups[{index}]"), faults))
            .collect(),
        member_selector: read_selector(value, at, faults),
        after_stage_wait_seconds: read_wait(value, at, faults),
        max_concurrency: read_concurrency(value, at, faults),
        max_allowed_failures: read_failures(value, at, faults),
        before_gates: read_gates(value, "beforeGates", at, faults),
        after_gates: read_gates(value, "afterGates", at, faults),
    };
    if groups.is_empty() && value.get("memberSelector").is_none() {
        faults.add(
            Code::InvalidParameter,
            at,
            format!("The stage '{}' needs groups or a memberSelector; it has neither.", stage.name),
        );
    }
    if stage.max_concurrency.as_ref().is_some_and(MaxConcurrency::exceeds_stage_maximum) {
        faults.add(
            Code::InvalidParameter,
            format!("{at}.maxConcurrency"),
            "A stage upgrades at most 50 members at once; give a number up to 50, or a percentage.",
        );
    }
    stage
}

fn read_group(value: &Value, at: &str, faults: &mut Faults) -> GroupSpec {
    GroupSpec {
        name: read_name(value, at, faults),
        member_selector: read_selector(value, at, faults),
        max_concurrency: read_concurrency(value, at, faults),
        max_allowed_failures: read_failures(value, at, faults),
        before_gates: read_gates(value, "beforeGates", at, faults),
        after_gates: read_gates(value, "afterGates", at, faults),
    }
}

fn read_name(value: &Value, at: &str, faults: &mut Faults) -> String {
    let name = text(value, "name").unwrap_or_default();
    if text(value, "name").is_some() {
        note(check_child_name(name), &format!("{at}.name"), faults);
    }
    name.to_owned()
}

fn read_selector(value: &Value, at: &str, faults: &mut Faults) -> Option<MemberSelector> {
    let by_label = text(value.get("memberSelector")?, "byLabel")?;
    note(LabelSelector::parse(by_label), &format!("{at}.memberSelector.byLabel"), faults)?;
    Some(MemberSelector { by_label: by_label.to_owned() })
}

fn read_wait(value: &Value, at: &str, faults: &mut Faults) -> Option<u32> {
    let seconds = value.get("afterStageWaitInSeconds")?.as_number()?;
    let valid = seconds.as_i64().filter(|seconds| (0..=MAX_STAGE_WAIT_SECONDS).contains(seconds));
    if valid.is_none() {
        faults.add(
            Code::InvalidParameter,
            format!("{at}.afterStageWaitInSeconds"),
            format!("A wait is 0 to {MAX_STAGE_WAIT_SECONDS} whole seconds; it is {seconds}."),
        );
    }
    valid.and_then(|seconds| u32::try_from(seconds).ok())
}

fn read_concurrency(value: &Value, at: &str, faults: &mut Faults) -> Option<MaxConcurrency> {
    let limit = MaxConcurrency::parse(text(value, "maxConcurrency")?);
    note(limit, &format!("{at}.maxConcurrency"), faults)
}

fn read_failures(value: &Value, at: &str, faults: &mut Faults) -> Option<MaxAllowedFailures> {
    let limit = MaxAllowedFailures::parse(text(value, "maxAllowedFailures")?);
    note(limit, &format!("{at}.maxAllowedFailures"), faults)
}

fn read_gates(value: &Value, list: &str, at: &str, faults: &mut Faults) -> Vec<GateSpec> {
    let read = |(index, gate)| read_gate(gate, list, &format!("{at}.{list}[{index}]"), faults);
    items(value, list).iter().enumerate().filter_map(read).collect()
}

fn read_gate(value: &Value, list: &str, at: &str, faults: &mut Faults) -> Option<GateSpec> {
    let kind = match text(value, "type")? {
        "ScheduledStart" => GateType::ScheduledStart,
        "Approval" => GateType::Approval,
        // The contract has said already that this is no type of a gate.
        _ => return None,
    };
    if kind == GateType::ScheduledStart && list == "afterGates" {
        faults.add(
            Code::InvalidParameter,
            format!("{at}.type"),
            "A gate of type ScheduledStart can stand before a stage or group only; after one, use Approval.",
        );
    }
    let configuration = value.get("scheduledStartConfiguration");
    let target = format!("{at}.scheduledStartConfiguration");
    match (kind, configuration) {
        (GateType::ScheduledStart, None) => faults.add(
            Code::RequiredPropertyMissing,
            target.as_str(),
            "A gate of type ScheduledStart needs a scheduledStartConfiguration with startDay, startTime and \
             utcOffset.",
        ),
        (GateType::Approval, Some(_)) => faults.add(
            Code::InvalidParameter,
            target.as_str(),
            "Only a gate of type ScheduledStart has a scheduledStartConfiguration; remove it, or change the type.",
        ),
        _ => {}
    }
    Some(GateSpec {
        display_name: text(value, "displayName").map(str::to_owned),
        kind,
        scheduled_start_configuration: configuration
            .and_then(|configuration| read_schedule(configuration, &target, faults)),
    })
}

fn read_schedule(value: &Value, at: &str, faults: &mut Faults) -> Option<ScheduledStart> {
    let start_day = serde_json::from_value(value.get("startDay")?.clone()).ok();
    let start_time = note(text(value, "startTime")?.parse(), &format!("{at}.startTime"), faults);
    let utc_offset = note(text(value, "utcOffset")?.parse(), &format!("{at}.utcOffset"), faults);
    Some(ScheduledStart { start_day: start_day?, start_time: start_time?, utc_offset: utc_offset? })
}

/// Stage names are unique; group names in their stage, and, where they are what members are found by, in the whole
/// strategy: a member would otherwise belong to two stages.
fn names_are_unique(strategy: &Strategy, at: &str, faults: &mut Faults) {
    let (mut stages, mut matched_by_name) = (HashSet::new(), HashSet::new());
    for (stage_index, stage) in strategy.stages.iter().enumerate() {
        let stage_at = format!("{at}[{stage_index}]");
        if !stage.name.is_empty() && !stages.insert(stage.name.to_ascii_lowercase()) {
            let message = format!("There is another stage named '{}' before this one.", stage.name);
            faults.add(Code::InvalidParameter, format!("{stage_at}.name"), message);
        }
        let mut in_stage = HashSet::new();
        for (group_index, group) in
            stage.groups.iter().enumerate().filter(|(_, group)| !group.name.is_empty())
        {
            let name = group.name.to_ascii_lowercase();
            let by_name = stage.member_selector.is_none() && group.member_selector.is_none();
            let message = if !in_stage.insert(name.clone()) {
                format!("There is another group named '{}' in this stage.", group.name)
            } else if by_name && !matched_by_name.insert(name) {
                format!(
                    "There is a group named '{}' in an earlier stage; its members are updated there.",
                    group.name
                )
            } else {
                continue;
            };
            faults.add(Code::InvalidParameter, format!("{stage_at}.groups[{group_index}].name"), message);
        }
    }
}

fn items<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name)?.as_str()
}

fn too_many(count: usize, max: usize, what: &str, at: &str, faults: &mut Faults) {
    if count > max {
        faults.add(
            Code::InvalidParameter,
            at,
            format!("There are {count} {what}; at most {max} are allowed."),
        );
    }
}

/// The value, or its problem as a fault at `at`.
fn note<T, E: std::fmt::Display>(result: Result<T, E>, at: &str, faults: &mut Faults) -> Option<T> {
    result.map_err(|problem| faults.add(Code::InvalidParameter, at, format!("{problem}."))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use serde_json::json;

    fn stage(name: &str) -> Value {
        json!({ "name": name, "groups": [{ "name": format!("{name}-group") }] })
    }

    fn faults_of(value: &Value) -> Vec<(String, String)> {
        let Err(refusal) = Strategy::read(value, "s") else { return Vec::new() };
        let all = if refusal.details.is_empty() { vec![refusal] } else { refusal.details };
        all.into_iter().map(|fault| (fault.target.unwrap_or_default(), fault.message)).collect()
    }

    fn targets_of(value: &Value) -> Vec<String> {
        faults_of(value).into_iter().map(|(target, _)| target).collect()
    }

    #[test]
    fn a_strategy_is_written_as_it_was_read() {
        let sent = json!({ "stages": [{
            "name": "canary",
            "groups": [{ "name": "eu", "memberSelector": { "byLabel": "tier=a" }, "maxConcurrency": "50%",
                         "maxAllowedFailures": "", "afterGates": [{ "type": "Approval" }] }],
            "memberSelector": { "byLabel": "env in (prod, canary),!frozen" },
            "afterStageWaitInSeconds": 3600,
            "maxConcurrency": "25%",
            "maxAllowedFailures": "10%",
            "beforeGates": [{ "displayName": "night", "type": "ScheduledStart", "scheduledStartConfiguration":
                { "startDay": "Sunday", "startTime": "20:00", "utcOffset": "+01:00" } }]
        }]});
        let read = Strategy::read(&sent, "s").unwrap();
        assert_eq!(serde_json::to_value(read).unwrap(), sent);
    }

    #[rstest]
    #[case::no_stage(json!({ "stages": [] }), "s.stages")]
    #[case::stages(json!({ "stages": (0..51).map(|n| stage(&format!("s{n}"))).collect::<Vec<_>>() }), "s.stages")]
    #[case::empty_stage(json!({ "stages": [{ "name": "a" }] }), "s.stages[0]")]
    #[case::stage_name(json!({ "stages": [{ "name": "No_Good", "groups": [{ "name": "g" }] }] }), "s.stages[0].name")]
    #[case::stage_above_fifty(
        json!({ "stages": [{ "name": "a", "groups": [{ "name": "g" }], "maxConcurrency": "51" }] }),
        "s.stages[0].maxConcurrency"
    )]
    #[case::zero_percent(
        json!({ "stages": [{ "name": "a", "groups": [{ "name": "g", "maxConcurrency": "0%" }] }] }),
        "s.stages[0].groups[0].maxConcurrency"
    )]
    #[case::failures(
        json!({ "stages": [{ "name": "a", "groups": [{ "name": "g", "maxAllowedFailures": "101%" }] }] }),
        "s.stages[0].groups[0].maxAllowedFailures"
    )]
    #[case::negative_wait(
        json!({ "stages": [{ "name": "a", "groups": [{ "name": "g" }], "afterStageWaitInSeconds": -1 }] }),
        "s.stages[0].afterStageWaitInSeconds"
    )]
    #[case::long_wait(
        json!({ "stages": [{ "name": "a", "groups": [{ "name": "g" }], "afterStageWaitInSeconds": 2147483648_i64 }] }),
        "s.stages[0].afterStageWaitInSeconds"
    )]
    #[case::selector(
        json!({ "stages": [{ "name": "a", "memberSelector": { "byLabel": "a > 1" } }] }),
        "s.stages[0].memberSelector.byLabel"
    )]
    #[case::scheduled_after(
        json!({ "stages": [{ "name": "a", "groups": [{ "name": "g" }], "afterGates": [{ "type": "ScheduledStart",
            "scheduledStartConfiguration": { "startDay": "Sunday", "startTime": "20:00", "utcOffset": "+01:00" } }] }] }),
        "s.stages[0].afterGates[0].type"
    )]
    #[case::schedule_missing(
        json!({ "stages": [{ "name": "a", "groups": [{ "name": "g", "beforeGates": [{ "type": "ScheduledStart" }] }] }] }),
        "s.stages[0].groups[0].beforeGates[0].scheduledStartConfiguration"
    )]
    #[case::schedule_of_an_approval(
        json!({ "stages": [{ "name": "a", "groups": [{ "name": "g" }], "beforeGates": [{ "type": "Approval",
            "scheduledStartConfiguration": { "startDay": "Sunday", "startTime": "20:00", "utcOffset": "+01:00" } }] }] }),
        "s.stages[0].beforeGates[0].scheduledStartConfiguration"
    )]
    #[case::offset(
        json!({ "stages": [{ "name": "a", "groups": [{ "name": "g" }], "beforeGates": [{ "type": "ScheduledStart",
            "scheduledStartConfiguration": { "startDay": "Sunday", "startTime": "20:00", "utcOffset": "+15:00" } }] }] }),
        "s.stages[0].beforeGates[0].scheduledStartConfiguration.utcOffset"
    )]
    #[case::same_stage(json!({ "stages": [stage("a"), { "name": "A", "memberSelector": { "byLabel": "" } }] }), "s.stages[1].name")]
    #[case::same_group(
        json!({ "stages": [{ "name": "a", "groups": [{ "name": "g" }, { "name": "g" }] }] }),
        "s.stages[0].groups[1].name"
    )]
    #[case::same_group_in_two_stages(
        json!({ "stages": [{ "name": "a", "groups": [{ "name": "g" }] }, { "name": "b", "groups": [{ "name": "g" }] }] }),
        "s.stages[1].groups[0].name"
    )]
    fn a_broken_rule_is_reported_where_it_is_broken(#[case] value: Value, #[case] target: &str) {
        assert!(targets_of(&value).iter().any(|found| found == target), "{:?}", faults_of(&value));
    }

    #[test]
    fn groups_with_selectors_may_share_a_name_across_stages() {
        let group = json!({ "name": "g", "memberSelector": { "byLabel": "a=b" } });
        let value =
            json!({ "stages": [{ "name": "a", "groups": [group] }, { "name": "b", "groups": [group] }] });
        assert_eq!(targets_of(&value), [""; 0]);
    }

    #[test]
    fn a_group_may_ask_for_more_than_its_stage() {
        let value = json!({ "stages": [{ "name": "a", "maxConcurrency": "3",
            "groups": [{ "name": "g", "maxConcurrency": "70" }] }] });
        assert_eq!(targets_of(&value), [""; 0]);
    }

    #[test]
    fn all_faults_of_a_strategy_are_reported_together() {
        let value = json!({ "stages": [
            { "name": "a", "groups": [{ "name": "g", "maxConcurrency": "0" }] },
            { "name": "a", "maxConcurrency": "99" }
        ]});
        assert_eq!(
            targets_of(&value),
            [
                "s.stages[0].groups[0].maxConcurrency",
                "s.stages[1]",
                "s.stages[1].maxConcurrency",
                "s.stages[1].name"
            ]
        );
    }
}
