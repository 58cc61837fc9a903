//! The table as OpenAPI schemas.
//!
//! A schema says of a type what its newest version says; which versions know a member is told by `x-fleetplane-versions`
//! where not all do. Enumerations and mutability are also told in the `x-ms-` terms that generators of clients read.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::schema::{
    AdditionalProperties, AnyOfBuilder, ArrayBuilder, KnownFormat, Object as ObjectSchema, ObjectBuilder,
    Schema, SchemaFormat, SchemaType, Type,
};
use utoipa::openapi::{Ref, RefOr};

use super::shape::{Choice, Limits, Member, Object, Shape};
use super::version::{FleetVersion, Versions};

/// The schemas of these objects and of everything in them, by name.
pub fn schemas(objects: impl IntoIterator<Item = &'static Object>) -> BTreeMap<String, RefOr<Schema>> {
    let mut schemas = BTreeMap::new();
    objects.into_iter().for_each(|object| add(object, &mut schemas));
    schemas
}

/// A reference to an object's schema.
pub fn reference(object: &Object) -> Ref {
    Ref::from_schema_name(object.name)
}

fn add(object: &'static Object, schemas: &mut BTreeMap<String, RefOr<Schema>>) {
    if schemas.contains_key(object.name) {
        return;
    }
    let mut builder =
        plain(Type::Object).additional_properties(Some(AdditionalProperties::FreeForm(object.open)));
    for member in object.members {
        builder = builder.property(member.name, of_member(object, member));
        if member.required.is_some() && !member.kept {
            builder = builder.required(member.name);
        }
    }
    schemas.insert(object.name.to_owned(), RefOr::T(Schema::Object(builder.build())));
    object.members.iter().for_each(|member| add_shape(&member.shape, schemas));
}

fn add_shape(shape: &Shape, schemas: &mut BTreeMap<String, RefOr<Schema>>) {
    match shape {
        Shape::Object(object) => add(object, schemas),
        Shape::List(item) | Shape::Map(item) => add_shape(item, schemas),
        Shape::AnyOf(shapes) => shapes.iter().for_each(|shape| add_shape(shape, schemas)),
        _ => {}
    }
}

fn of_member(object: &Object, member: &Member) -> RefOr<Schema> {
    let says = (!member.says.is_empty()).then(|| member.says.to_owned());
    let extensions = extensions(object, member);
    match of_shape(&member.shape) {
        RefOr::Ref(mut reference) => {
            reference.read_only = member.read_only.then_some(true);
            reference.description = says.unwrap_or_default();
            RefOr::Ref(reference)
        }
        RefOr::T(Schema::Object(mut schema)) => {
            limit(&mut schema, &member.shape, member.limits);
            schema.read_only = member.read_only.then_some(true);
            schema.description = says;
            schema.extensions = extensions;
            RefOr::T(Schema::Object(schema))
        }
        RefOr::T(Schema::Array(mut schema)) => {
            let count = |count: i64| usize::try_from(count).ok();
            schema.min_items = member.limits.range.and_then(|(least, _)| count(least));
            schema.max_items = member.limits.range.and_then(|(_, most)| count(most));
            schema.description = says;
            schema.extensions = extensions;
            RefOr::T(Schema::Array(schema))
        }
        RefOr::T(Schema::AnyOf(mut schema)) => {
            schema.description = says;
            RefOr::T(Schema::AnyOf(schema))
        }
        other => other,
    }
}

fn limit(schema: &mut ObjectSchema, shape: &Shape, limits: Limits) {
    schema.pattern = limits.pattern.map(str::to_owned);
    let Some((least, most)) = limits.range else { return };
    if matches!(shape, Shape::Integer) {
        (schema.minimum, schema.maximum) = (Some((least as isize).into()), Some((most as isize).into()));
    } else {
        (schema.min_length, schema.max_length) = (usize::try_from(least).ok(), usize::try_from(most).ok());
    }
}

/// What schemas have no words for.
fn extensions(object: &Object, member: &Member) -> Option<Extensions> {
    let mut extensions: Vec<(&str, Value)> = Vec::new();
    if let Shape::Choice(choices) = member.shape {
        extensions.push(("x-ms-enum", enumeration(object, member, choices)));
    }
    if member.versions != Versions::ALL {
        let versions: Vec<&str> = member.versions.iter().map(FleetVersion::as_str).collect();
        extensions.push(("x-fleetplane-versions", json!(versions)));
    }
    if member.immutable {
        extensions.push(("x-ms-mutability", json!(["create", "read"])));
    }
    // Schemas of lists have no member for it.
    if member.read_only && matches!(member.shape, Shape::List(_)) {
        extensions.push(("readOnly", json!(true)));
    }
    (!extensions.is_empty()).then(|| Extensions::from_iter(extensions))
}

/// A name for the values, and that later versions may add others.
fn enumeration(object: &Object, member: &Member, choices: &[Choice]) -> Value {
    let (first, rest) = member.name.split_at(1);
    let values: Vec<Value> = choices.iter().map(|choice| json!({ "value": choice.value })).collect();
    let name = format!("{}{}{rest}", object.name, first.to_ascii_uppercase());
    json!({ "name": name, "modelAsString": true, "values": values })
}

/// The schema of a shape.
pub fn of_shape(shape: &Shape) -> RefOr<Schema> {
    let schema = match shape {
        Shape::Text => plain(Type::String),
        Shape::Integer => plain(Type::Integer),
        Shape::Number => plain(Type::Number),
        Shape::Boolean => plain(Type::Boolean),
        Shape::Timestamp => {
            plain(Type::String).format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
        }
        Shape::Choice(choices) => {
            plain(Type::String).enum_values(Some(choices.iter().map(|choice| json!(choice.value))))
        }
        Shape::Map(item) => {
            plain(Type::Object).additional_properties(Some(AdditionalProperties::RefOr(of_shape(item))))
        }
        Shape::List(item) => {
            return RefOr::T(Schema::Array(ArrayBuilder::new().items(of_shape(item)).build()));
        }
        Shape::Object(object) => return RefOr::Ref(reference(object)),
        Shape::AnyOf(shapes) => {
            let any = shapes.iter().map(of_shape).fold(AnyOfBuilder::new(), AnyOfBuilder::item);
            return RefOr::T(Schema::AnyOf(any.build()));
        }
        Shape::Any => ObjectBuilder::new().schema_type(SchemaType::AnyValue),
    };
    RefOr::T(Schema::Object(schema.build()))
}

fn plain(kind: Type) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::new(kind))
}
