//! The OpenAPI document, made from the route table and the contract's table, so that it cannot lag behind them.

use std::collections::BTreeMap;

use axum::http::Method;
use utoipa::openapi::path::{OperationBuilder, Parameter, ParameterBuilder, ParameterIn, PathItem, Paths};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{
    ComponentsBuilder, ContentBuilder, InfoBuilder, OpenApi, OpenApiBuilder, RefOr, Required, Response,
    ResponseBuilder,
};

use super::contract::schema::{reference, schemas};
use super::contract::shape::Object;
use super::contract::table::shared::ERROR;
use super::route::{AnswerBody, Operation, Route};

/// The document that describes `routes`.
pub fn document(routes: &[Route]) -> OpenApi {
    let mut paths = Paths::new();
    for route in routes {
        let mut item = PathItem::default();
        let operation = Some(operation(route).build());
        match route.method {
            Method::GET => item.get = operation,
            Method::HEAD => item.head = operation,
            Method::PUT => item.put = operation,
            Method::PATCH => item.patch = operation,
            Method::DELETE => item.delete = operation,
            _ => item.post = operation,
        }
        match paths.paths.get_mut(route.path) {
            Some(known) => known.merge_operations(item),
            None => {
                paths.paths.insert(route.path.to_owned(), item);
            }
        }
    }
    let mut schemas = schemas(routes.iter().flat_map(|route| objects(route.operation)).chain([&ERROR]));
    schemas.insert("ErrorResponse".to_owned(), error_response());
    let components = ComponentsBuilder::new().schemas_from_iter(schemas).build();
    let info = InfoBuilder::new()
        .title("fleetplane")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(env!("CARGO_PKG_DESCRIPTION")));
    OpenApiBuilder::new().info(info.build()).paths(paths).components(Some(components)).build()
}

/// The document as it is written to a file: indented, with a final newline.
pub fn text(routes: &[Route]) -> String {
    let mut text = serde_json::to_string_pretty(&document(routes)).expect("a document is JSON");
    text.push('\n');
    text
}

fn objects(operation: &'static Operation) -> impl Iterator<Item = &'static Object> {
    let answered = operation.answers.iter().filter_map(|answer| match answer.body {
        AnswerBody::One(object) | AnswerBody::Page(object) => Some(object),
        AnswerBody::Empty | AnswerBody::Json => None,
    });
    operation.takes.into_iter().chain(answered)
}

fn operation(route: &Route) -> OperationBuilder {
    let operation = route.operation;
    let mut builder = OperationBuilder::new()
        .operation_id(Some(operation.id))
        .summary(Some(operation.summary))
        .tag(operation.id.split('_').next().unwrap_or_default());
    for parameter in parameters(route) {
        builder = builder.parameter(parameter);
    }
    if let Some(object) = operation.takes {
        let content = ContentBuilder::new().schema(Some(reference(object))).build();
        let body =
            RequestBodyBuilder::new().content("application/json", content).required(Some(Required::True));
        builder = builder.request_body(Some(body.build()));
    }
    for answer in operation.answers {
        builder = builder.response(answer.status.to_string(), success(answer.status, answer.body));
    }
    builder.response("default", error())
}

fn parameters(route: &Route) -> Vec<Parameter> {
    let string = || Schema::Object(ObjectBuilder::new().schema_type(SchemaType::new(Type::String)).build());
    let parameter = |name: &str, place: ParameterIn, required: Required| {
        ParameterBuilder::new()
            .name(name)
            .parameter_in(place)
            .required(required)
            .schema(Some(string()))
            .build()
    };
    let names = route.path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'));
    let mut parameters: Vec<Parameter> =
        names.map(|name| parameter(name, ParameterIn::Path, Required::True)).collect();
    if route.path.starts_with("/subscriptions")
        || route.path.starts_with("/providers")
        || route.path == "/tenants"
    {
        parameters.push(parameter("api-version", ParameterIn::Query, Required::True));
    }
    let lists = route.operation.answers.iter().any(|answer| matches!(answer.body, AnswerBody::Page(_)));
    if lists {
        let optional = ["$top", "$skipToken", "$filter"];
        parameters.extend(optional.map(|name| parameter(name, ParameterIn::Query, Required::False)));
    } else if route.method != Method::GET && route.method != Method::HEAD {
        let headers = ["If-Match", "If-None-Match"];
        parameters.extend(headers.map(|name| parameter(name, ParameterIn::Header, Required::False)));
    }
    parameters
}

fn success(status: u16, body: AnswerBody) -> Response {
    let described = ResponseBuilder::new().description(match status {
        200 => "Done.",
        201 => "Created.",
        202 => "Accepted; poll the URL in Azure-AsyncOperation or Location.",
        _ => "Nothing to show.",
    });
    let content = |schema: RefOr<Schema>| ContentBuilder::new().schema(Some(schema)).build();
    match body {
        AnswerBody::Empty => described.build(),
        AnswerBody::One(object) => {
            described.content("application/json", content(RefOr::Ref(reference(object)))).build()
        }
        AnswerBody::Page(object) => described.content("application/json", content(page(object))).build(),
        AnswerBody::Json => {
            let any = Schema::Object(ObjectBuilder::new().schema_type(SchemaType::new(Type::Object)).build());
            described.content("application/json", content(RefOr::T(any))).build()
        }
    }
}

fn page(object: &Object) -> RefOr<Schema> {
    let items = utoipa::openapi::schema::ArrayBuilder::new().items(RefOr::Ref(reference(object))).build();
    let link = ObjectBuilder::new().schema_type(SchemaType::new(Type::String)).build();
    let page = ObjectBuilder::new().property("value", items).required("value").property("nextLink", link);
    RefOr::T(Schema::Object(page.build()))
}

fn error() -> Response {
    let schema = utoipa::openapi::Ref::from_schema_name("ErrorResponse");
    let content = ContentBuilder::new().schema(Some(schema)).build();
    ResponseBuilder::new().description("Refused or failed.").content("application/json", content).build()
}

fn error_response() -> RefOr<Schema> {
    let object = ObjectBuilder::new().property("error", reference(&ERROR)).required("error");
    RefOr::T(Schema::Object(object.build()))
}

/// The files of `openapi/`, by name.
pub fn files() -> BTreeMap<&'static str, String> {
    BTreeMap::from([("fleetplane.json", text(&super::routes()))])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_route_is_in_the_document_and_every_reference_leads_somewhere() {
        let routes = crate::api::routes();
        let document = serde_json::to_value(document(&routes)).unwrap();
        for route in &routes {
            let described = &document["paths"][route.path][route.method.as_str().to_lowercase()];
            assert_eq!(
                described["operationId"],
                json!(route.operation.id),
                "{} {}",
                route.method,
                route.path
            );
        }
        let text = document.to_string();
        for name in text.split("#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(document["components"]["schemas"].get(name).is_some(), "{name} is missing");
        }
    }
}
