//! What a body says and what was sent, held against the contract's table.

use std::collections::BTreeSet;

use fleetplane::api::contract::shape::{Member, Object, Shape};
use fleetplane::api::contract::table::TYPES;
use serde_json::{Map, Value};

use crate::api::kinds::Kind;

#[test]
fn the_bodies_say_everything_that_the_contract_has() {
    for kind in Kind::ALL {
        let Some(object) = contract_of(kind) else { continue };
        let mut said = BTreeSet::new();
        kind.maximal().iter().for_each(|body| collect_said(object, body, &mut said));
        let mut sayable = BTreeSet::new();
        collect_sayable(object, &mut sayable);
        let missing: Vec<_> = sayable.difference(&said).collect();
        assert!(missing.is_empty(), "the maximal bodies of {kind:?} lack {missing:?}");
    }
}

/// A member of an object type.
type Place = (&'static str, &'static str);

pub fn contract_of(kind: Kind) -> Option<&'static Object> {
    let route = kind.path();
    let path = TYPES.iter().find(|contract| {
        let types = route.split_once("Microsoft.ContainerService/").map_or("", |(_, types)| types);
        types.split('/').step_by(2).eq(contract.path.split('/'))
    });
    path.map(|contract| contract.body)
}

/// The members that requests may have: those of the envelope are the URL's to say.
fn writable(object: &'static Object) -> impl Iterator<Item = &'static Member> {
    object.members.iter().filter(|member| !member.read_only)
}

fn inner(shape: &Shape) -> Option<&'static Object> {
    match shape {
        Shape::Object(object) => Some(object),
        Shape::List(item) | Shape::Map(item) => inner(item),
        _ => None,
    }
}

fn collect_sayable(object: &'static Object, places: &mut BTreeSet<Place>) {
    for member in writable(object) {
        if places.insert((object.name, member.name))
            && let Some(object) = inner(&member.shape)
        {
            collect_sayable(object, places);
        }
    }
}

fn collect_said(object: &'static Object, value: &Value, places: &mut BTreeSet<Place>) {
    for member in writable(object) {
        let Some(value) = value.get(member.name) else { continue };
        places.insert((object.name, member.name));
        let Some(object) = inner(&member.shape) else { continue };
        match (member.shape, value) {
            (Shape::List(_), Value::Array(items)) => {
                items.iter().for_each(|item| collect_said(object, item, places));
            }
            (Shape::Map(_), Value::Object(map)) => {
                map.values().for_each(|item| collect_said(object, item, places));
            }
            _ => collect_said(object, value, places),
        }
    }
}

/// Where something that was sent is not what is read.
#[derive(Debug, PartialEq)]
pub struct Difference(String);

impl Difference {
    /// Whatever an object has more than was sent is no difference.
    pub fn between(sent: &Value, read: &Value, at: &str) -> Option<Self> {
        match (sent, read) {
            (Value::Object(sent), Value::Object(read)) => sent.iter().find_map(|(name, value)| {
                let at = format!("{at}.{name}");
                match read.get(name) {
                    Some(read) => Self::between(value, read, &at),
                    None => Some(Self(format!("{at} is gone"))),
                }
            }),
            (Value::Array(sent), Value::Array(read)) if sent.len() == read.len() => {
                let mut pairs = sent.iter().zip(read).enumerate();
                pairs.find_map(|(index, (sent, read))| Self::between(sent, read, &format!("{at}[{index}]")))
            }
            _ => (sent != read).then(|| Self(format!("{at} was {sent} and is {read}"))),
        }
    }
}

/// What is read without having been sent, and is not read-only: labels that the service adds, and the strategy that a
/// run took over from the one it refers to, apart.
pub fn added(object: &'static Object, sent: &Value, read: &Value, at: &str) -> Vec<String> {
    let none = Map::new();
    let (sent, read) = (sent.as_object().unwrap_or(&none), read.as_object().unwrap_or(&none));
    let members = writable(object).filter_map(|member| Some((member, read.get(member.name)?)));
    let of_member = |(member, value): (&'static Member, &Value)| {
        let at = format!("{at}.{}", member.name);
        let snapshot = member.name == "strategy" && sent.contains_key("updateStrategyId");
        match (member.shape, sent.get(member.name), value) {
            (_, None, _) if snapshot => Vec::new(),
            (_, None, _) => vec![at],
            (Shape::Object(object), Some(sent), value) => added(object, sent, value, &at),
            (Shape::List(Shape::Object(object)), Some(Value::Array(sent)), Value::Array(read)) => {
                sent.iter().zip(read).flat_map(|(sent, read)| added(object, sent, read, &at)).collect()
            }
            (Shape::Map(_), Some(Value::Object(sent)), Value::Object(read)) => {
                let more = read.keys().filter(|key| !sent.contains_key(*key));
                more.filter(|key| !key.starts_with("fleet.azure.com/"))
                    .map(|key| format!("{at}.{key}"))
                    .collect()
            }
            _ => Vec::new(),
        }
    };
    members.flat_map(of_member).collect()
}
