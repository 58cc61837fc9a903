//! The OpenAPI document, made from the route table and the contract's table, so that it cannot lag behind them.
//!
//! Here is the document as a whole, and the files it is kept in; `operation` says how one row of the route table reads;
//! [`get`] serves it. Nothing is described by hand: what the document should say about an operation belongs to its
//! `OPERATION`, what it should say about a member to the contract's table. To keep another document, add it to [`files`].

pub mod get;
mod operation;

pub use get::{OPERATION, handle};

use std::collections::BTreeMap;

use axum::http::Method;
use utoipa::openapi::path::{Operation, PathItem, Paths};
use utoipa::openapi::schema::{ObjectBuilder, Schema};
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder, RefOr};

use super::contract::schema::{reference, schemas};
use super::contract::table::shared::ERROR;
use super::route::Route;

/// The name of the schema that every refusal has.
const ERROR_RESPONSE: &str = "ErrorResponse";

/// The files of `openapi/` by name, as `fleetplane openapi` writes them.
pub fn files() -> BTreeMap<&'static str, String> {
    BTreeMap::from([("fleetplane.json", text(&super::routes()))])
}

/// The document that describes `routes`.
pub fn document(routes: &[Route]) -> OpenApi {
    let mut paths = Paths::new();
    for route in routes {
        let item = path_item(&route.method, operation::operation(route));
        paths.paths.entry(route.path.to_owned()).or_default().merge_operations(item);
    }
    let mut schemas =
        schemas(routes.iter().flat_map(|route| operation::objects(route.operation)).chain([&ERROR]));
    schemas.insert(ERROR_RESPONSE.to_owned(), error_response());
    let info = InfoBuilder::new()
        .title("fleetplane")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(env!("CARGO_PKG_DESCRIPTION")))
        .license(Some(LicenseBuilder::new().name("Apache-2.0").identifier(Some("Apache-2.0")).build()));
    let components = ComponentsBuilder::new().schemas_from_iter(schemas).build();
    OpenApiBuilder::new().info(info.build()).paths(paths).components(Some(components)).build()
}

/// The document as it is written to a file: indented, with a final newline.
fn text(routes: &[Route]) -> String {
    let mut text = serde_json::to_string_pretty(&document(routes)).expect("a document is JSON");
    text.push('\n');
    text
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
        serde_json::to_value(document(&crate::api::routes())).unwrap()
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
        let names: Vec<_> = parameters.iter().map(|parameter| parameter["name"].as_str().unwrap()).collect();
        let in_path = ["subscriptionId", "resourceGroupName", "fleetName", "updateRunName"];
        assert_eq!(names, [&in_path[..], &["api-version", "If-Match", "If-None-Match"]].concat());
        let body =
            |of: &Value| of["content"]["application/json"]["schema"]["$ref"].as_str().map(str::to_owned);
        assert_eq!(body(&put["requestBody"]), Some("#/components/schemas/UpdateRun".to_owned()));
        assert_eq!(body(&put["responses"]["201"]), Some("#/components/schemas/UpdateRun".to_owned()));
        assert_eq!(body(&put["responses"]["default"]), Some("#/components/schemas/ErrorResponse".to_owned()));
    }
}
