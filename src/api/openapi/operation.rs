//! One row of the route table as the document's operation: its parameters, its body, its answers.

use axum::http::Method;
use serde_json::{Value, json};
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::path::{Operation as Described, OperationBuilder};
use utoipa::openapi::request_body::{RequestBody, RequestBodyBuilder};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{Content, ContentBuilder, RefOr, Required, Response, ResponseBuilder};

use super::examples::Example;
use super::{JSON, description, headers, parameters, refusals};
use crate::api::contract::schema::{of_shape, reference};
use crate::api::contract::shape::Object;
use crate::api::lro::Polling;
use crate::api::route::{Answer, AnswerBody, Route};

/// The document's entry of a route.
pub(super) fn operation(route: &Route) -> Described {
    let operation = route.operation;
    let builder = OperationBuilder::new()
        .operation_id(Some(operation.id))
        .summary(Some(operation.summary))
        .description(Some(description::of(route)))
        .tag(operation.id.split('_').next().unwrap_or_default())
        .request_body(request_body(route))
        .extensions(extensions(route));
    let builder = parameters::own(route).into_iter().fold(builder, OperationBuilder::parameter);
    let builder = parameters::references(route).into_iter().fold(builder, OperationBuilder::parameter_ref);
    let builder = answers(route).into_iter().fold(builder, |builder, answer| {
        builder.response(answer.status.to_string(), success(route, &answer))
    });
    refusals::of(route).fold(builder, |builder, (status, refusal)| builder.response(status, refusal)).build()
}

/// What is answered when all is well.
fn answers(route: &Route) -> Vec<Answer> {
    let said = route.operation.answers.iter().filter(|answer| !matches!(answer.body, AnswerBody::Refusal));
    let mut answers: Vec<Answer> = said.copied().collect();
    if route.is_conditional_read() && answers.iter().all(|answer| answer.status != 304) {
        answers.push(Answer::empty(304));
    }
    answers
}

/// What generators of clients know paging and long-running operations by.
fn extensions(route: &Route) -> Option<Extensions> {
    let mut extensions: Vec<(&str, Value)> = Vec::new();
    if route.is_paged() || route.is_list() {
        extensions.push(("x-ms-pageable", json!({ "nextLinkName": "nextLink" })));
    }
    if let Some(polling) = route.polling() {
        let result = match polling {
            Polling::Status => "azure-async-operation",
            Polling::StatusAndResult => "location",
        };
        extensions.push(("x-ms-long-running-operation", json!(true)));
        extensions.push(("x-ms-long-running-operation-options", json!({ "final-state-via": result })));
    }
    (!extensions.is_empty()).then(|| Extensions::from_iter(extensions))
}

fn request_body(route: &Route) -> Option<RequestBody> {
    let mut content = content(reference(route.operation.takes?));
    content.example = Example::of(route).and_then(|example| example.sent());
    Some(RequestBodyBuilder::new().content(JSON, content).required(Some(Required::True)).build())
}

fn success(route: &Route, answer: &Answer) -> Response {
    let response = ResponseBuilder::new().description(match (answer.status, &route.method) {
        (200, &Method::DELETE) => "Deleted.",
        (204, &Method::DELETE) => "There was nothing to delete.",
        (200, _) => "Done.",
        (201, _) => "Created.",
        (202, _) if answer.polling.is_some() => "Accepted; poll the URL in Azure-AsyncOperation or Location.",
        (202, _) => "Not known yet; ask again.",
        (304, _) => "The client has this state already.",
        _ => "Nothing to show.",
    });
    let (media_type, schema) = match answer.body {
        AnswerBody::Empty | AnswerBody::Refusal => {
            return headers::of_answer(response, route, answer).build();
        }
        AnswerBody::One(object) => (JSON, RefOr::Ref(reference(object))),
        AnswerBody::Shaped(shape) => (JSON, of_shape(shape)),
        AnswerBody::Page(object) => (JSON, built(list(object).property("nextLink", plain(Type::String)))),
        AnswerBody::List(object) => (JSON, built(list(object))),
        AnswerBody::Json => (JSON, built(plain(Type::Object))),
        AnswerBody::Text(media_type) => (media_type, built(plain(Type::String))),
    };
    let mut content = content(schema);
    content.example = Example::of(route).and_then(|example| example.answered(answer.status));
    let response = response.content(media_type, content);
    headers::of_answer(response, route, answer).build()
}

fn list(object: &Object) -> ObjectBuilder {
    let items = ArrayBuilder::new().items(RefOr::Ref(reference(object))).build();
    plain(Type::Object).property("value", items).required("value")
}

fn built(schema: ObjectBuilder) -> RefOr<Schema> {
    RefOr::T(Schema::Object(schema.build()))
}

fn plain(kind: Type) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::new(kind))
}

fn content(schema: impl Into<RefOr<Schema>>) -> Content {
    ContentBuilder::new().schema(Some(schema)).build()
}
