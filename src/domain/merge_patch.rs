//! RFC 7396 merge patches on JSON documents, for what is kept as JSON.
//!
//! What is kept as a type of its own reads its patch itself, and tags are never merged.

use serde_json::{Map, Value};

/// What `patch` makes of `target`: `null` removes a member, objects are merged, everything else replaces.
pub fn merge(target: &mut Map<String, Value>, patch: &Map<String, Value>) {
    for (name, change) in patch {
        match change {
            Value::Null => {
                target.shift_remove(name);
            }
            Value::Object(changes) => {
                let member = target.entry(name.clone()).or_insert(Value::Null);
                if !member.is_object() {
                    *member = Value::Object(Map::new());
                }
                if let Value::Object(member) = member {
                    merge(member, changes);
                }
            }
            other => {
                target.insert(name.clone(), other.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    /// The examples of RFC 7396, appendix A, whose documents are objects.
    #[rstest]
    #[case(json!({ "a": "b" }), json!({ "a": "c" }), json!({ "a": "c" }))]
    #[case(json!({ "a": "b" }), json!({ "b": "c" }), json!({ "a": "b", "b": "c" }))]
    #[case(json!({ "a": "b" }), json!({ "a": null }), json!({}))]
    #[case(json!({ "a": "b", "b": "c" }), json!({ "a": null }), json!({ "b": "c" }))]
    #[case(json!({ "a": ["b"] }), json!({ "a": "c" }), json!({ "a": "c" }))]
    #[case(json!({ "a": "c" }), json!({ "a": ["b"] }), json!({ "a": ["b"] }))]
    #[case(json!({ "a": { "b": "c" } }), json!({ "a": { "b": "d", "c": null } }), json!({ "a": { "b": "d" } }))]
    #[case(json!({ "a": [{ "b": "c" }] }), json!({ "a": [1] }), json!({ "a": [1] }))]
    #[case(json!({ "e": null }), json!({ "a": 1 }), json!({ "e": null, "a": 1 }))]
    #[case(json!({}), json!({ "a": { "bb": { "ccc": null } } }), json!({ "a": { "bb": {} } }))]
    fn documents_are_merged_as_the_standard_says(
        #[case] mut target: Value,
        #[case] patch: Value,
        #[case] expected: Value,
    ) {
        merge(target.as_object_mut().unwrap(), patch.as_object().unwrap());
        assert_eq!(target, expected);
    }
}
