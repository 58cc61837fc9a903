//! The table as OpenAPI schemas.

use std::collections::BTreeMap;

use serde_json::json;
use utoipa::openapi::schema::{
    AdditionalProperties, ArrayBuilder, KnownFormat, ObjectBuilder, Schema, SchemaFormat, SchemaType, Type,
};
use utoipa::openapi::{Ref, RefOr};

use super::shape::{Member, Object, Shape};

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
    let mut builder = ObjectBuilder::new();
    for member in object.members {
        builder = builder.property(member.name, of_member(member));
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
        _ => {}
    }
}

fn of_member(member: &Member) -> RefOr<Schema> {
    match of_shape(&member.shape) {
        RefOr::T(Schema::Object(mut object)) if member.read_only => {
            object.read_only = Some(true);
            RefOr::T(Schema::Object(object))
        }
        schema => schema,
    }
}

fn of_shape(shape: &Shape) -> RefOr<Schema> {
    let plain = |kind| ObjectBuilder::new().schema_type(SchemaType::new(kind));
    let schema = match shape {
        Shape::Text => plain(Type::String).build(),
        Shape::Integer => plain(Type::Integer).build(),
        Shape::Boolean => plain(Type::Boolean).build(),
        Shape::Timestamp => {
            plain(Type::String).format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime))).build()
        }
        Shape::Choice(choices) => {
            plain(Type::String).enum_values(Some(choices.iter().map(|choice| json!(choice.value)))).build()
        }
        Shape::Map(item) => plain(Type::Object)
            .additional_properties(Some(AdditionalProperties::RefOr(of_shape(item))))
            .build(),
        Shape::List(item) => {
            return RefOr::T(Schema::Array(ArrayBuilder::new().items(of_shape(item)).build()));
        }
        Shape::Object(object) => return RefOr::Ref(reference(object)),
        Shape::Any => ObjectBuilder::new().schema_type(SchemaType::AnyValue).build(),
    };
    RefOr::T(Schema::Object(schema))
}
