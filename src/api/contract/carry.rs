//! Which stored object a written one is the same as, so that what the request's version cannot name stays on it.
//!
//! Elements of lists are matched by their identity in the table (stages and groups by name, in whichever list they
//! stand; gates by what they say), the n-th alike to the n-th alike; elements without identity by their place.

use std::collections::HashMap;

use serde_json::Value;

use super::shape::{Member, Object, Shape};

/// The stored document, as far as elements are looked up in it.
pub(super) struct Stored<'a> {
    /// Every stored object of a type that is the same wherever it stands, by type and identity.
    anywhere: HashMap<(&'static str, String), &'a Value>,
}

impl<'a> Stored<'a> {
    /// Looks through `document`, of type `object`.
    pub(super) fn of(object: &'static Object, document: Option<&'a Value>) -> Self {
        let mut stored = Self { anywhere: HashMap::new() };
        if let Some(document) = document {
            stored.collect(object, document);
        }
        stored
    }

    fn collect(&mut self, object: &'static Object, value: &'a Value) {
        if object.anywhere {
            self.anywhere.entry((object.name, identity(object, value))).or_insert(value);
        }
        for member in object.members.iter().filter(|member| !member.read_only) {
            match (member.shape, value.get(member.name)) {
                (Shape::Object(inner), Some(value)) => self.collect(inner, value),
                (Shape::List(Shape::Object(inner)), Some(Value::Array(items))) => {
                    items.iter().for_each(|item| self.collect(inner, item));
                }
                _ => {}
            }
        }
    }

    /// For each of `items`, written where the list `stored` stands, the object it was.
    pub(super) fn counterparts(
        &self,
        object: &'static Object,
        items: &[Value],
        stored: Option<&'a Value>,
    ) -> Vec<Option<&'a Value>> {
        let stored = stored.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        if object.identity.is_empty() {
            return (0..items.len()).map(|index| stored.get(index)).collect();
        }
        let mut here: HashMap<String, Vec<&'a Value>> = HashMap::new();
        for value in stored.iter().rev() {
            here.entry(identity(object, value)).or_default().push(value);
        }
        let mut take = |item| {
            let identity = identity(object, item);
            let same = here.get_mut(&identity).and_then(Vec::pop);
            same.or_else(|| self.anywhere.get(&(object.name, identity)).copied())
        };
        items.iter().map(&mut take).collect()
    }
}

/// What an element says about who it is; names and values compare without case.
fn identity(object: &Object, value: &Value) -> String {
    let part = |name: &&str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_ascii_lowercase();
    object.identity.iter().map(part).collect::<Vec<_>>().join("\u{0}")
}

/// Whether a member that may not change would be changed from `stored` to `written`; ids compare without case, and
/// an absent flag is one that is not set.
pub(super) fn changes(member: &Member, written: &Value, stored: &Value) -> bool {
    match (member.shape, written, stored.get(member.name)) {
        (Shape::Boolean, Value::Bool(written), None) => *written,
        (_, _, None) => true,
        (_, Value::String(written), Some(Value::String(stored))) => !written.eq_ignore_ascii_case(stored),
        (_, written, Some(stored)) => written != stored,
    }
}
