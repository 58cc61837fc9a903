//! Showing a resource as an older api-version knows it.

use serde_json::Value;

use super::shape::{Object, Shape};
use super::version::FleetVersion;

/// Removes from `value`, an `object` as the newest version shows it, what `version` does not know.
pub fn project(object: &Object, version: FleetVersion, value: &mut Value) {
    if version != FleetVersion::LATEST {
        project_object(object, version, value);
    }
}

fn project_object(object: &Object, version: FleetVersion, value: &mut Value) {
    let Some(map) = value.as_object_mut() else { return };
    for member in object.members {
        if !member.versions.contains(version) {
            map.shift_remove(member.name);
        } else if let Some(value) = map.get_mut(member.name) {
            project_shape(&member.shape, version, value);
        }
    }
}

fn project_shape(shape: &Shape, version: FleetVersion, value: &mut Value) {
    match (shape, value) {
        (Shape::Object(object), value) => project_object(object, version, value),
        (Shape::List(item), Value::Array(items)) => {
            items.iter_mut().for_each(|value| project_shape(item, version, value));
        }
        (Shape::Map(item), Value::Object(map)) => {
            map.values_mut().for_each(|value| project_shape(item, version, value));
        }
        (Shape::Choice(choices), Value::String(text)) => {
            let unknown = choices.iter().find(|choice| choice.value == text && !choice.known_at(version));
            if let Some(other) = unknown.and_then(|choice| choice.reads) {
                *text = other.to_owned();
            }
        }
        _ => {}
    }
}
