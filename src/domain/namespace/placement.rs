//! Where a namespace is placed: on all members, on named ones, or on those that affinity terms choose.
//!
//! Whether named members exist is for the service to see; everything that one body tells is checked here.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::domain::labels::{check_label_key, check_label_value, check_labels};
use crate::domain::refusal::{Code, Faults};
use crate::domain::resource_quantity::Quantity;
use crate::domain::tags::string_map;

use super::NamespaceSettings;

const PROPAGATION: &str = "properties.propagationPolicy";
const POLICY: &str = "properties.propagationPolicy.placementProfile.defaultClusterResourcePlacement.policy";
const ROLLOUT: &str =
    "properties.propagationPolicy.placementProfile.defaultClusterResourcePlacement.rolloutStrategy";

/// The JSON path of the named members.
pub const CLUSTER_NAMES: &str =
    "properties.propagationPolicy.placementProfile.defaultClusterResourcePlacement.policy.clusterNames";

/// The members that the settings name, in their order.
pub fn cluster_names(settings: &NamespaceSettings) -> Vec<&str> {
    let placement = settings.get("propagationPolicy").and_then(placement);
    let names = placement.and_then(|placement| placement.pointer("/policy/clusterNames"));
    items(names).iter().filter_map(Value::as_str).collect()
}

/// Notes what is wrong with a `propagationPolicy`.
pub(super) fn check_propagation(propagation: Option<&Value>, faults: &mut Faults) {
    let Some(propagation) = propagation else { return };
    if propagation.get("type").is_none() {
        required(&format!("{PROPAGATION}.type"), faults);
    }
    let Some(placement) = placement(propagation) else { return };
    if let Some(policy) = placement.get("policy") {
        check_policy(policy, faults);
    }
    if let Some(rollout) = placement.get("rolloutStrategy") {
        check_rollout(rollout, faults);
    }
}

fn placement(propagation: &Value) -> Option<&Value> {
    propagation.pointer("/placementProfile/defaultClusterResourcePlacement")
}

/// Named members belong to `PickFixed` and terms to `PickAll`, which is also what an absent type means.
fn check_policy(policy: &Value, faults: &mut Faults) {
    let fixed = text(policy, "placementType") == Some("PickFixed");
    let names = items(policy.get("clusterNames"));
    if fixed && names.is_empty() {
        let message = "PickFixed places a namespace on members that are named; name at least one.";
        faults.add(Code::RequiredPropertyMissing, CLUSTER_NAMES, message);
    }
    if !fixed && !names.is_empty() {
        let message =
            "Members are named for placementType PickFixed only. Leave clusterNames out, or set that type.";
        faults.add(Code::InvalidParameter, CLUSTER_NAMES, message);
    }
    let mut seen = BTreeSet::new();
    for (index, name) in names.iter().filter_map(Value::as_str).enumerate() {
        if !seen.insert(name.to_ascii_lowercase()) {
            let message = format!("The member '{name}' is named twice; name each once.");
            faults.add(Code::InvalidParameter, format!("{CLUSTER_NAMES}[{index}]"), message);
        }
    }
    if fixed && policy.get("affinity").is_some() {
        let message =
            "Affinity chooses members for placementType PickAll only. Leave it out, or set that type.";
        faults.add(Code::InvalidParameter, format!("{POLICY}.affinity"), message);
    }
    check_affinity(policy.get("affinity"), faults);
    for (index, toleration) in items(policy.get("tolerations")).iter().enumerate() {
        check_toleration(toleration, &format!("{POLICY}.tolerations[{index}]"), faults);
    }
}

fn check_affinity(affinity: Option<&Value>, faults: &mut Faults) {
    const SELECTOR: &str = "/clusterAffinity/requiredDuringSchedulingIgnoredDuringExecution";
    let Some(selector) = affinity.and_then(|affinity| affinity.pointer(SELECTOR)) else { return };
    let at = format!("{POLICY}.affinity{}.clusterSelectorTerms", SELECTOR.replace('/', "."));
    let terms = items(selector.get("clusterSelectorTerms"));
    if terms.is_empty() && !faults.are_at(&at) {
        faults.add(Code::RequiredPropertyMissing, &at, "An affinity needs at least one term.");
    }
    for (index, term) in terms.iter().enumerate() {
        check_labels_of_term(&term["labelSelector"], &format!("{at}[{index}].labelSelector"), faults);
        check_properties_of_term(
            &term["propertySelector"],
            &format!("{at}[{index}].propertySelector"),
            faults,
        );
    }
}

fn check_labels_of_term(selector: &Value, at: &str, faults: &mut Faults) {
    for (key, problem) in check_labels(&string_map(selector.get("matchLabels"))) {
        let key: String = key.chars().take(80).collect();
        faults.add(Code::InvalidParameter, format!("{at}.matchLabels.{key}"), format!("{problem}."));
    }
    for (index, term) in items(selector.get("matchExpressions")).iter().enumerate() {
        let at = format!("{at}.matchExpressions[{index}]");
        note(text(term, "key").map(check_label_key), &format!("{at}.key"), faults);
        let values = items(term.get("values"));
        let problem = match (text(term, "operator"), values.is_empty()) {
            (Some(operator @ ("In" | "NotIn")), true) => format!("The operator {operator} needs values."),
            (Some(operator @ ("Exists" | "DoesNotExist")), false) => {
                format!("The operator {operator} looks at no values; leave them out.")
            }
            (None, _) => {
                required(&format!("{at}.operator"), faults);
                continue;
            }
            _ => String::new(),
        };
        if !problem.is_empty() {
            faults.add(Code::InvalidParameter, format!("{at}.values"), problem);
        }
        for (index, value) in values.iter().filter_map(Value::as_str).enumerate() {
            note(Some(check_label_value(value)), &format!("{at}.values[{index}]"), faults);
        }
    }
}

/// A property is compared with one quantity.
fn check_properties_of_term(selector: &Value, at: &str, faults: &mut Faults) {
    for (index, term) in items(selector.get("matchExpressions")).iter().enumerate() {
        let at = format!("{at}.matchExpressions[{index}]");
        note(text(term, "name").map(check_label_key), &format!("{at}.name"), faults);
        if text(term, "operator").is_none() {
            required(&format!("{at}.operator"), faults);
        }
        match items(term.get("values")) {
            [Value::String(value)] => {
                let read = value.parse::<Quantity>().map(|_| ()).map_err(|problem| problem.to_string());
                note(Some(read), &format!("{at}.values[0]"), faults);
            }
            _ if term.get("values").is_none() => required(&format!("{at}.values"), faults),
            values => {
                let message =
                    format!("A property is compared with exactly one quantity; there are {}.", values.len());
                faults.add(Code::InvalidParameter, format!("{at}.values"), message);
            }
        }
    }
}

/// `Equal`, which an absent operator means too, needs a key; `Exists` looks at no value.
fn check_toleration(toleration: &Value, at: &str, faults: &mut Faults) {
    let exists = text(toleration, "operator") == Some("Exists");
    let (key, value) =
        (text(toleration, "key").unwrap_or_default(), text(toleration, "value").unwrap_or_default());
    if key.is_empty() && !exists {
        let message = "A toleration without a key tolerates every taint; its operator must be Exists.";
        faults.add(Code::InvalidParameter, format!("{at}.operator"), message);
    }
    if exists && !value.is_empty() {
        let message = "The operator Exists looks at no value; leave it out, or set operator Equal.";
        faults.add(Code::InvalidParameter, format!("{at}.value"), message);
    }
    if !key.is_empty() {
        note(Some(check_label_key(key)), &format!("{at}.key"), faults);
    }
    note(Some(check_label_value(value)), &format!("{at}.value"), faults);
}

/// `External` is driven by a strategy on the hub, which only it has.
fn check_rollout(rollout: &Value, faults: &mut Faults) {
    let external = text(rollout, "type") == Some("External");
    let named = rollout.pointer("/clusterUpdateStrategy/name").and_then(Value::as_str);
    let at = format!("{ROLLOUT}.clusterUpdateStrategy");
    if external && named.is_none_or(str::is_empty) {
        let message = "A rollout of type External needs the name of the hub's strategy that drives it.";
        faults.add(Code::RequiredPropertyMissing, format!("{at}.name"), message);
    }
    if !external && rollout.get("clusterUpdateStrategy").is_some() {
        let message =
            "Only a rollout of type External is driven by a strategy. Leave it out, or set that type.";
        faults.add(Code::InvalidParameter, at, message);
    }
}

/// Notes the problem that a check found, or that there was nothing to check.
fn note(check: Option<Result<(), String>>, at: &str, faults: &mut Faults) {
    match check {
        None => required(at, faults),
        Some(Err(problem)) => faults.add(Code::InvalidParameter, at, format!("{problem}.")),
        Some(Ok(())) => {}
    }
}

/// What a PUT lacks the contract has noted already.
fn required(at: &str, faults: &mut Faults) {
    if faults.are_at(at) {
        return;
    }
    let name = at.rsplit('.').next().unwrap_or(at);
    faults.add(Code::RequiredPropertyMissing, at, format!("The required member '{name}' is missing."));
}

fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name)?.as_str()
}

fn items(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
