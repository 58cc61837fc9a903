//! Reading a request's body by the table: every fault at once, and what is left is well-formed.
//!
//! What comes out has only members that exist, of the right shape, without read-only ones, enumerated values in their
//! canonical casing, and, for a PUT, with everything the request's version cannot name carried over from what is
//! stored. Rules of the domain are checked after this, on the same [`Faults`].

use serde_json::{Map, Value};

use super::carry::{Stored, changes};
use super::shape::{Choice, Member, Object, Shape};
use super::version::FleetVersion;
use crate::domain::refusal::{Code, Faults};

/// How a body is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The whole resource: `null` is absence, and what is absent returns to its default.
    Put,
    /// A merge patch: `null` removes.
    Patch,
}

/// More faults than this in one body help nobody.
const MAX_FAULTS: usize = 50;

/// Reads `body`, an `object`, as a client of `version` wrote it; `stored` is the resource as the newest version shows
/// it, where it exists. What it returns is of use only where nothing was wrong.
pub fn read(
    object: &'static Object,
    version: FleetVersion,
    method: Method,
    body: &Value,
    stored: Option<&Value>,
    faults: &mut Faults,
) -> Value {
    let elements = Stored::of(object, stored);
    let mut reader = Reader { version, method, elements, faults, noted: 0 };
    reader.object(object, body, stored, "")
}

struct Reader<'a, 'f> {
    version: FleetVersion,
    method: Method,
    elements: Stored<'a>,
    faults: &'f mut Faults,
    noted: usize,
}

impl<'a> Reader<'a, '_> {
    fn object(
        &mut self,
        object: &'static Object,
        body: &Value,
        stored: Option<&'a Value>,
        at: &str,
    ) -> Value {
        let Some(body) = body.as_object() else {
            self.wrong_shape("an object", body, at);
            return Value::Object(Map::new());
        };
        for name in body.keys().filter(|name| object.member(name).is_none()) {
            self.unknown(object, name, at);
        }
        let mut read = Map::new();
        for member in object.members.iter().filter(|member| !member.read_only) {
            if let Some(value) = self.member(member, body.get(member.name), stored, at) {
                read.insert(member.name.to_owned(), value);
            }
        }
        Value::Object(read)
    }

    /// The member's value after the write; `None` where it has none.
    fn member(
        &mut self,
        member: &'static Member,
        written: Option<&Value>,
        stored: Option<&'a Value>,
        at: &str,
    ) -> Option<Value> {
        let at = join(at, member.name);
        let before = stored.and_then(|stored| stored.get(member.name));
        let known = member.versions.contains(self.version);
        match written.filter(|value| self.method == Method::Patch || !value.is_null()) {
            Some(_) if !known => {
                self.not_yet(member, &at);
                None
            }
            // A merge patch removes what may be removed.
            Some(Value::Null) if member.required.is_none() => Some(Value::Null),
            Some(value) => {
                let value = self.shape(&member.shape, value, before, &at);
                if let (true, Some(stored)) = (member.immutable, stored)
                    && changes(member, &value, stored)
                {
                    self.immutable(member, &value, before, &at);
                }
                Some(value)
            }
            None if self.method == Method::Put && before.is_some() && (!known || member.kept) => {
                before.cloned()
            }
            None => {
                // What is required of the whole is there already when a patch leaves it out.
                let there = self.method == Method::Patch && before.is_some();
                if let (true, false, Some(code)) = (known, there, member.required) {
                    self.fault(code, &at, format!("The required member '{}' is missing.", member.name));
                }
                before
                    .filter(|_| self.method == Method::Put)
                    .and_then(|before| kept_of(&member.shape, before))
            }
        }
    }

    fn shape(&mut self, shape: &'static Shape, value: &Value, stored: Option<&'a Value>, at: &str) -> Value {
        match (shape, value) {
            (Shape::Object(object), value) => self.object(object, value, stored, at),
            (Shape::List(item), Value::Array(values)) => self.list(item, values, stored, at),
            (Shape::Map(item), Value::Object(map)) => self.map(item, map, stored, at),
            (Shape::Choice(choices), Value::String(text)) => self.choice(choices, text, stored, at),
            (Shape::Text, Value::String(_))
            | (Shape::Boolean, Value::Bool(_))
            | (Shape::Any | Shape::AnyOf(_), _) => value.clone(),
            (Shape::Integer, Value::Number(number)) if !number.is_f64() => value.clone(),
            (Shape::Number, Value::Number(_)) => value.clone(),
            (Shape::Timestamp, Value::String(text)) if chrono::DateTime::parse_from_rfc3339(text).is_ok() => {
                value.clone()
            }
            (shape, value) => {
                self.wrong_shape(expected(shape), value, at);
                Value::Null
            }
        }
    }

    fn list(&mut self, item: &'static Shape, values: &[Value], stored: Option<&'a Value>, at: &str) -> Value {
        let counterparts = match item {
            Shape::Object(object) => self.elements.counterparts(object, values, stored),
            _ => vec![None; values.len()],
        };
        let read = |(index, (value, stored)): (usize, (&Value, Option<&'a Value>))| {
            self.shape(item, value, stored, &format!("{at}[{index}]"))
        };
        Value::Array(values.iter().zip(counterparts).enumerate().map(read).collect())
    }

    fn map(
        &mut self,
        item: &'static Shape,
        values: &Map<String, Value>,
        stored: Option<&'a Value>,
        at: &str,
    ) -> Value {
        let mut read = Map::new();
        for (key, value) in values {
            let stored = stored.and_then(|stored| stored.get(key));
            match (value, item) {
                (Value::Null, _) if self.method == Method::Patch => {
                    read.insert(key.clone(), Value::Null);
                }
                // `{id: null}` names an identity as well as `{id: {}}` does.
                (Value::Null, Shape::Object(_)) => {
                    read.insert(key.clone(), Value::Object(Map::new()));
                }
                (Value::Null, _) => {}
                _ => {
                    let value = self.shape(item, value, stored, &join(at, &shown(key)));
                    read.insert(key.clone(), value);
                }
            }
        }
        Value::Object(read)
    }

    /// A value in its canonical casing. One that the version does not know is taken only where it stands already.
    fn choice(&mut self, choices: &'static [Choice], text: &str, stored: Option<&Value>, at: &str) -> Value {
        let Some(choice) = choices.iter().find(|choice| choice.value.eq_ignore_ascii_case(text)) else {
            let known = choices.iter().filter(|choice| choice.known_at(self.version)).map(|choice| {
                // `SystemAssigned, UserAssigned` is one value.
                if choice.value.contains(',') {
                    format!("'{}'", choice.value)
                } else {
                    choice.value.to_owned()
                }
            });
            let known: Vec<String> = known.collect();
            let message =
                format!("'{}' is not allowed here; it must be one of: {}.", shown(text), known.join(", "));
            self.fault(Code::InvalidParameter, at, message);
            return Value::Null;
        };
        let stands = stored.and_then(Value::as_str) == Some(choice.value);
        if !choice.known_at(self.version) && !stands {
            let message = format!(
                "'{}' is not known to api-version {}; api-version {} has it.",
                choice.value,
                self.version.as_str(),
                choice.versions.instead_of(self.version).map_or("no", FleetVersion::as_str)
            );
            self.fault(Code::InvalidParameter, at, message);
        }
        Value::String(choice.value.to_owned())
    }

    fn unknown(&mut self, object: &Object, name: &str, at: &str) {
        let known = object.members.iter().filter(|member| member.versions.contains(self.version));
        let nearest = known
            .map(|member| {
                (strsim::damerau_levenshtein(&name.to_ascii_lowercase(), &lower(member)), member.name)
            })
            .min_by_key(|(distance, _)| *distance)
            .filter(|(distance, nearest)| *distance <= nearest.len().div_ceil(2));
        let hint = nearest.map(|(_, nearest)| format!(" Did you mean '{nearest}'?")).unwrap_or_default();
        let message = format!("There is no member '{}' in {}.{hint}", shown(name), object.name);
        self.fault(Code::InvalidParameter, &join(at, &shown(name)), message);
    }

    fn not_yet(&mut self, member: &Member, at: &str) {
        let message = format!(
            "The member '{}' is not known to api-version {}; api-version {} has it.",
            member.name,
            self.version.as_str(),
            member.versions.instead_of(self.version).map_or("no", FleetVersion::as_str)
        );
        self.fault(Code::InvalidParameter, at, message);
    }

    fn immutable(&mut self, member: &Member, written: &Value, before: Option<&Value>, at: &str) {
        let before = before.map_or_else(|| "not set".to_owned(), Value::to_string);
        // Ids differ at their end.
        let shown = |text: &str| shortened(text, 300);
        let message = format!(
            "The member '{}' cannot be changed once the resource exists: it is {}, the request says {}.",
            member.name,
            shown(&before),
            shown(&written.to_string())
        );
        self.fault(Code::PropertyChangeNotAllowed, at, message);
    }

    fn wrong_shape(&mut self, expected: &str, found: &Value, at: &str) {
        let found = match found {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        self.fault(Code::InvalidParameter, at, format!("Expected {expected} here, found {found}."));
    }

    fn fault(&mut self, code: Code, at: &str, message: String) {
        self.noted += 1;
        if self.noted <= MAX_FAULTS {
            self.faults.add(code, at, message);
        }
    }
}

/// What of a stored object is kept by a PUT that lacks the whole object.
fn kept_of(shape: &Shape, stored: &Value) -> Option<Value> {
    let Shape::Object(object) = shape else { return None };
    let kept = |member: &Member| {
        let stored = stored.get(member.name).filter(|_| !member.read_only)?;
        let value = if member.kept { Some(stored.clone()) } else { kept_of(&member.shape, stored) };
        value.map(|value| (member.name.to_owned(), value))
    };
    let members: Map<String, Value> = object.members.iter().filter_map(kept).collect();
    (!members.is_empty()).then_some(Value::Object(members))
}

fn expected(shape: &Shape) -> &'static str {
    match shape {
        Shape::Text | Shape::Choice(_) => "a string",
        Shape::Integer => "a whole number",
        Shape::Number => "a number",
        Shape::Boolean => "a boolean",
        Shape::Timestamp => "an RFC 3339 time",
        Shape::List(_) => "a list",
        Shape::Map(_) | Shape::Object(_) => "an object",
        Shape::Any | Shape::AnyOf(_) => "any value",
    }
}

fn lower(member: &Member) -> String {
    member.name.to_ascii_lowercase()
}

/// What a user sent, short enough to be sent back.
fn shown(text: &str) -> String {
    shortened(text, 80)
}

fn shortened(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        text.to_owned()
    } else {
        text.chars().take(max).chain(['…']).collect()
    }
}

fn join(at: &str, name: &str) -> String {
    if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") }
}
