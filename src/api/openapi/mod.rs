//! The OpenAPI document, made from the route table and the contract's table, so that it cannot lag behind them.
//!
//! Here is the document as a whole, and the files it is kept in; `operation` says how one row of the route table reads,
//! with a file each for parameters, headers, refusals, descriptions and examples; `nature` what follows from a row; [`get`] serves
//! the document. Nothing is described by hand: what the document should say about an operation belongs to its
//! `OPERATION`, what it should say about a member to the contract's table. To keep another document, add it to [`files`].

mod description;
mod examples;
pub mod get;
mod headers;
mod nature;
mod operation;
mod parameters;
mod refusals;

pub use get::{OPERATION, handle};

use std::collections::BTreeMap;

use axum::http::Method;
use serde_json::Value;
use utoipa::openapi::path::{Operation, PathItem, Paths};
use utoipa::openapi::schema::{Components, ObjectBuilder, Schema};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, LicenseBuilder, OpenApiBuilder, RefOr};

use super::contract::schema::{reference, schemas};
use super::contract::table::shared::ERROR;
use super::route::Route;

/// The media type of all bodies but the metrics'.
const JSON: &str = "application/json";
/// The name of the schema that every refusal has.
const ERROR_RESPONSE: &str = "ErrorResponse";
/// The name of the security scheme.
const BEARER: &str = "bearer";

/// The files of `openapi/` by name, as `fleetplane openapi` writes them.
pub fn files() -> BTreeMap<&'static str, String> {
    BTreeMap::from([("fleetplane.json", text(&super::routes()))])
}

/// The document that describes `routes`.
pub fn document(routes: &[Route]) -> Value {
    let mut paths = Paths::new();
    for route in routes {
        let item = path_item(&route.method, operation::operation(route));
        paths.paths.entry(route.path.to_owned()).or_default().merge_operations(item);
    }
    let info = InfoBuilder::new()
        .title("fleetplane")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(env!("CARGO_PKG_DESCRIPTION")))
        .license(Some(LicenseBuilder::new().name("Apache-2.0").identifier(Some("Apache-2.0")).build()));
    let anonymous = SecurityRequirement::default();
    let bearer = SecurityRequirement::new(BEARER, [""; 0]);
    let document = OpenApiBuilder::new()
        .info(info.build())
        .paths(paths)
        .components(Some(components(routes)))
        .security(Some([anonymous, bearer]))
        .build();
    let mut document = serde_json::to_value(document).expect("a document is JSON");
    settle(&mut document);
    document
}

/// What operations refer to.
fn components(routes: &[Route]) -> Components {
    let mut schemas = schemas(routes.iter().flat_map(Route::objects).chain([&ERROR]));
    schemas.insert(ERROR_RESPONSE.to_owned(), error_response());
    let says = "Not checked. Its claims upn, appid or oid name whoever systemData tells of.";
    let bearer = Http::builder().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").description(Some(says));
    let components = ComponentsBuilder::new()
        .schemas_from_iter(schemas)
        .responses_from_iter(refusals::all())
        .security_scheme(BEARER, SecurityScheme::Http(bearer.build()));
    let components =
        headers::all().fold(components, |components, (name, header)| components.header(name, header));
    parameters::shared().fold(components, |components, (name, one)| components.parameter(name, one)).build()
}

/// The document as it is written to a file: indented, with a final newline.
fn text(routes: &[Route]) -> String {
    let mut text = serde_json::to_string_pretty(&document(routes)).expect("a document is JSON");
    text.push('\n');
    text
}

/// Puts extensions in the order of their names, behind all else: the builders keep them in none.
fn settle(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.values_mut().for_each(settle);
            let mut extensions: Vec<String> = members
                .keys()
                .filter(|name| name.starts_with("x-ms-") || name.starts_with("x-fleetplane-"))
                .cloned()
                .collect();
            extensions.sort_unstable();
            for name in extensions {
                if let Some(extension) = members.shift_remove(&name) {
                    members.insert(name, extension);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(settle),
        _ => {}
    }
}

fn path_item(method: &Method, operation: Operation) -> PathItem {
    let mut item = PathItem::default();
    let place = match *method {
        Method::GET => &mut item.get,
        Method::HEAD => &mut item.head,
        Method::PUT => &mut item.put,
        Method::PATCH => &mut item.patch,
        Method::DELETE => &mut item.delete,
        _ => &mut item.post,
    };
    *place = Some(operation);
    item
}

fn error_response() -> RefOr<Schema> {
    let object = ObjectBuilder::new().property("error", reference(&ERROR)).required("error");
    RefOr::T(Schema::Object(object.build()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};

    use super::*;

    fn whole() -> Value {
        document(&crate::api::routes())
    }

    #[test]
    fn every_route_is_in_the_document_under_an_id_of_its_own() {
        let document = whole();
        let mut ids = BTreeSet::new();
        for route in crate::api::routes() {
            let described = &document["paths"][route.path][route.method.as_str().to_lowercase()];
            let id = route.operation.id;
            assert_eq!(described["operationId"], json!(id), "{} {}", route.method, route.path);
            assert!(ids.insert(id), "{id} is the id of two operations");
        }
    }

    #[test]
    fn every_reference_leads_to_a_schema() {
        let document = whole();
        let text = document.to_string();
        for name in text.split("#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(document["components"]["schemas"].get(name).is_some(), "{name} is missing");
        }
    }

    #[test]
    fn the_files_in_the_repository_are_what_would_be_written() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi");
        for (name, text) in files() {
            let found = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
            assert!(found == text, "openapi/{name} is out of date; `cargo run -- openapi` writes it anew");
        }
    }

    #[test]
    fn an_operation_says_what_it_takes_and_answers() {
        let document = whole();
        let path = "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/\
                    Microsoft.ContainerService/fleets/{fleetName}/updateRuns/{updateRunName}";
        let put = &document["paths"][path]["put"];
        let parameters = put["parameters"].as_array().unwrap();
        let names: Vec<_> = parameters.iter().filter_map(|parameter| parameter["name"].as_str()).collect();
        let in_path = ["subscriptionId", "resourceGroupName", "fleetName", "updateRunName"];
        assert_eq!(names, [&in_path[..], &["api-version", "If-Match", "If-None-Match"]].concat());
        assert_eq!(parameters.len(), names.len() + 3, "and those of every request");
        let body =
            |of: &Value| of["content"]["application/json"]["schema"]["$ref"].as_str().map(str::to_owned);
        assert_eq!(body(&put["requestBody"]), Some("#/components/schemas/UpdateRun".to_owned()));
        assert_eq!(body(&put["responses"]["201"]), Some("#/components/schemas/UpdateRun".to_owned()));
    }

    #[test]
    fn the_statuses_of_an_operation_are_all_there() {
        let document = whole();
        let statuses = |path: &str, method: &str| -> Vec<String> {
            let operation = &document["paths"][path][method];
            operation["responses"].as_object().unwrap().keys().cloned().collect()
        };
        let fleet = "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/\
                     Microsoft.ContainerService/fleets/{fleetName}";
        assert_eq!(statuses(fleet, "get"), ["200", "304", "400", "404", "429", "500", "503"]);
        let of_put = ["200", "201", "400", "404", "408", "409", "412", "413", "415", "429", "500", "503"];
        assert_eq!(statuses(fleet, "put"), of_put);
        assert_eq!(
            statuses("/simulator/clock/advance", "post"),
            ["200", "400", "408", "409", "413", "415", "500", "503"]
        );
        assert_eq!(statuses("/livez", "get"), ["200", "400", "500"]);
    }

    #[test]
    fn what_generators_of_clients_go_by_is_there() {
        let document = whole();
        let group = "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}";
        let delete = &document["paths"][group]["delete"];
        assert_eq!(delete["x-ms-long-running-operation-options"], json!({ "final-state-via": "location" }));
        let list = &document["paths"]["/subscriptions/{subscriptionId}/resourceGroups"]["get"];
        assert_eq!(list["x-ms-pageable"], json!({ "nextLinkName": "nextLink" }));
        let refused = &document["components"]["responses"]["Conflict"];
        assert_eq!(refused["x-ms-error-response"], json!(true));
        let schemas = &document["components"]["schemas"];
        let state = &schemas["GateProperties"]["properties"]["state"]["x-ms-enum"];
        assert_eq!(
            (state["name"].as_str(), state["values"].as_array().map(Vec::len)),
            (Some("GatePropertiesState"), Some(3))
        );
        assert_eq!(schemas["ManagedCluster"]["additionalProperties"], json!(true));
        assert_eq!(schemas["Fleet"]["additionalProperties"], json!(false));
    }
}
