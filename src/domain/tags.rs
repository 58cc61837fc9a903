//! Tags of tracked resources: read from a request, checked as a whole.
//!
//! Tags are never merged: PUT and PATCH both replace all of them (the ARM protocol: ids, names, bodies).

use std::collections::BTreeMap;

use serde_json::Value;

use super::names::{check_tag_count, check_tags};
use super::refusal::{Code, Faults};

/// Tags by their keys.
pub type Tags = BTreeMap<String, String>;

/// The tags in `value`, a resource's body; what is wrong is noted in `faults`.
pub fn read_tags(value: &Value, faults: &mut Faults) -> Tags {
    let tags = string_map(value.get("tags"));
    note_faults(&tags, faults);
    tags
}

/// Notes what is wrong with `tags`, at `tags`, or at `tags.{key}` where it is one of them.
pub(in crate::domain) fn note_faults(tags: &Tags, faults: &mut Faults) {
    if let Err(problem) = check_tag_count(tags.len()) {
        faults.add(Code::InvalidParameter, "tags", format!("{problem}."));
    }
    for (key, problem) in check_tags(tags) {
        let shown: String = key.chars().take(80).collect();
        faults.add(Code::InvalidParameter, format!("tags.{shown}"), format!("{problem}."));
    }
}

/// The strings of a JSON object; what is no string is the contract's to complain about.
pub(super) fn string_map(value: Option<&Value>) -> BTreeMap<String, String> {
    let entries = value.and_then(Value::as_object).into_iter().flatten();
    entries.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_bad_tag_is_reported_at_its_key() {
        let mut faults = Faults::new();
        read_tags(&json!({ "tags": { "a<b": "1", "ok": "2", "long": "x".repeat(257) } }), &mut faults);
        let refusal = faults.finish().unwrap_err();
        let targets: Vec<_> = refusal.details.iter().filter_map(|fault| fault.target.as_deref()).collect();
        assert_eq!(targets, ["tags.a<b", "tags.long"]);
    }
}
