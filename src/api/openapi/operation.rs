//! One row of the route table as the document's operation: its parameters, its body, its answers.

use axum::http::Method;
use serde_json::json;
use utoipa::openapi::path::{
    Operation as Described, OperationBuilder, Parameter, ParameterBuilder, ParameterIn,
};
use utoipa::openapi::request_body::{RequestBody, RequestBodyBuilder};
use utoipa::openapi::schema::{ArrayBuilder, Object as AnyObject, ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{Content, ContentBuilder, Ref, RefOr, Required, Response, ResponseBuilder};

use super::ERROR_RESPONSE;
use crate::api::contract::schema::reference;
use crate::api::contract::shape::Object;
use crate::api::contract::{FleetVersion, Served};
use crate::api::extract::MAX_TOP;
use crate::api::route::{AnswerBody, Operation, Route};

/// The media type of all bodies but the metrics'.
const JSON: &str = "application/json";

/// The document's entry of a route.
pub(super) fn operation(route: &Route) -> Described {
    let operation = route.operation;
    let builder = OperationBuilder::new()
        .operation_id(Some(operation.id))
        .summary(Some(operation.summary))
        .tag(operation.id.split('_').next().unwrap_or_default())
        .request_body(request_body(route));
    let builder = parameters(route).into_iter().fold(builder, OperationBuilder::parameter);
    let builder = operation.answers.iter().fold(builder, |builder, answer| {
        builder.response(answer.status.to_string(), success(answer.status, answer.body))
    });
    let builder = if has_etag(route) {
        builder.response("304", described("The client has this state already."))
    } else {
        builder
    };
    builder.response("default", refusal()).build()
}

/// The objects of the contract's table that an operation takes or answers.
pub(super) fn objects(operation: &'static Operation) -> impl Iterator<Item = &'static Object> {
    let answered = operation.answers.iter().filter_map(|answer| match answer.body {
        AnswerBody::One(object) | AnswerBody::Page(object) => Some(object),
        AnswerBody::Empty | AnswerBody::Json | AnswerBody::Text(_) => None,
    });
    operation.takes.into_iter().chain(answered)
}

fn parameters(route: &Route) -> Vec<Parameter> {
    let names = route.path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'));
    let mut parameters: Vec<Parameter> =
        names.map(|name| parameter(name, ParameterIn::Path).build()).collect();
    if is_arm(route) {
        parameters.push(api_version(route.operation.served));
    }
    if is_list(route) {
        parameters.extend(paging());
    } else if is_arm(route) && is_write(route) {
        let says = "Refused with 412 unless the resource has one of these eTags; * stands for any.";
        parameters.push(header("If-Match", says));
        let says = "With *, refused with 412 where the resource exists already.";
        parameters.push(header("If-None-Match", says));
    } else if has_etag(route) {
        parameters
            .push(header("If-None-Match", "Answered with 304 where the resource has one of these eTags."));
    }
    parameters
}

/// Whether the operation is one of Azure Resource Manager's, which all have an api-version.
fn is_arm(route: &Route) -> bool {
    ["/subscriptions", "/providers", "/tenants"].iter().any(|root| route.path.starts_with(root))
}

fn is_list(route: &Route) -> bool {
    route.operation.answers.iter().any(|answer| matches!(answer.body, AnswerBody::Page(_)))
}

fn is_write(route: &Route) -> bool {
    !matches!(route.method, Method::GET | Method::HEAD)
}

/// Whether this reads one resource of the fleet provider: those have an eTag for all of what is shown.
fn has_etag(route: &Route) -> bool {
    let one = route.operation.answers.iter().any(|answer| matches!(answer.body, AnswerBody::One(_)));
    one && route.method == Method::GET && matches!(route.operation.served, Served::Fleet(_))
}

fn api_version(served: Served) -> Parameter {
    let schema = match served {
        Served::Fleet(versions) => {
            string().enum_values(Some(versions.iter().map(|version| json!(version.as_str()))))
        }
        Served::Aks | Served::Any => string().pattern(Some(r"^\d{4}-\d{2}-\d{2}(-preview)?$")),
    };
    let example = match served {
        Served::Fleet(versions) => versions.newest().unwrap_or(FleetVersion::LATEST).as_str(),
        Served::Aks | Served::Any => "2026-08-01",
    };
    parameter("api-version", ParameterIn::Query)
        .required(Required::True)
        .schema(Some(Schema::Object(schema.build())))
        .example(Some(json!(example)))
        .build()
}

fn paging() -> [Parameter; 3] {
    let top = ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::Integer))
        .minimum(Some(1))
        .maximum(Some(MAX_TOP));
    let query =
        |name: &str, says: &str| parameter(name, ParameterIn::Query).description(Some(says.to_owned()));
    [
        query("$top", "How many resources a page has at most.")
            .schema(Some(Schema::Object(top.build())))
            .build(),
        query("$skipToken", "Where the page begins; part of a nextLink.").build(),
        query("$filter", "Conditions on members, as in `properties/group eq 'canary'`.").build(),
    ]
}

fn header(name: &str, says: &str) -> Parameter {
    parameter(name, ParameterIn::Header).description(Some(says)).build()
}

/// A string; required where it is a part of the path.
fn parameter(name: &str, place: ParameterIn) -> ParameterBuilder {
    let required = if matches!(place, ParameterIn::Path) { Required::True } else { Required::False };
    ParameterBuilder::new()
        .name(name)
        .parameter_in(place)
        .required(required)
        .schema(Some(Schema::Object(string().build())))
}

fn string() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::new(Type::String))
}

/// The body that is taken. Where the table does not describe it, every PUT and PATCH has one all the same, and so do the
/// simulator's actions; those of managed clusters have none.
fn request_body(route: &Route) -> Option<RequestBody> {
    let free = matches!(route.method, Method::PUT | Method::PATCH)
        || (route.method == Method::POST && route.path.starts_with("/simulator"));
    let content = match route.operation.takes {
        Some(object) => content(reference(object)),
        None if free => content(any_json()),
        None => return None,
    };
    Some(RequestBodyBuilder::new().content(JSON, content).required(Some(Required::True)).build())
}

fn success(status: u16, body: AnswerBody) -> Response {
    let response = ResponseBuilder::new().description(match status {
        200 => "Done.",
        201 => "Created.",
        202 => "Accepted; poll the URL in Azure-AsyncOperation or Location.",
        _ => "Nothing to show.",
    });
    match body {
        AnswerBody::Empty => response,
        AnswerBody::One(object) => response.content(JSON, content(reference(object))),
        AnswerBody::Page(object) => response.content(JSON, content(page(object))),
        AnswerBody::Json => response.content(JSON, content(any_json())),
        AnswerBody::Text(media_type) => {
            response.content(media_type, content(Schema::Object(string().build())))
        }
    }
    .build()
}

fn described(says: &str) -> Response {
    ResponseBuilder::new().description(says).build()
}

fn refusal() -> Response {
    let content = content(Ref::from_schema_name(ERROR_RESPONSE));
    ResponseBuilder::new().description("Refused, or failed.").content(JSON, content).build()
}

fn page(object: &Object) -> Schema {
    let items = ArrayBuilder::new().items(RefOr::Ref(reference(object))).build();
    let page = ObjectBuilder::new().property("value", items).required("value");
    Schema::Object(page.property("nextLink", string().build()).build())
}

fn any_json() -> Schema {
    Schema::Object(AnyObject::with_type(Type::Object))
}

fn content(schema: impl Into<RefOr<Schema>>) -> Content {
    ContentBuilder::new().schema(Some(schema)).build()
}
