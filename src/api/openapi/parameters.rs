//! The parameters of an operation: names in its path with their grammar, its api-version, paging, preconditions.
//!
//! To name a new thing in a path, add its grammar to [`grammar`]; a test finds names that have none.

use axum::http::Method;
use serde_json::{Value, json};
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr, Required};

use super::examples::Example;
use crate::api::contract::Served;
use crate::api::contract::table::shared::GUID;
use crate::api::extract::MAX_TOP;
use crate::api::route::Route;
use crate::domain::managed_cluster::ConfigurationName;
use crate::domain::names::{
    AGENT_POOL_NAME, CLUSTER_NAME, LOWER_CASE_NAME, MAX_AGENT_POOL_NAME, MAX_CHILD_NAME, MAX_CLUSTER_NAME,
    MAX_FLEET_NAME, MAX_NAMESPACE_NAME, MAX_RESOURCE_GROUP_NAME, RESOURCE_GROUP_NAME,
};

/// How an api-version is spelled.
const VERSION: &str = r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(-preview)?$";

/// The headers that every operation of Azure Resource Manager takes, by the names under which the document keeps them.
const REQUEST_IDS: [(&str, &str, &str); 3] = [
    (
        "CorrelationRequestId",
        "x-ms-correlation-request-id",
        "The id under which the caller follows the request through systems; the answer has the same.",
    ),
    ("ClientRequestId", "x-ms-client-request-id", "The caller's own id of the request."),
    (
        "ReturnClientRequestId",
        "x-ms-return-client-request-id",
        "With true, the answer has the caller's id, too.",
    ),
];

/// Parameters that follow from nothing: of an operation, by name and place. All are required.
const NAMED: [(&str, &str, ParameterIn, &str); 2] = [
    ("DevIdentity_GetToken", "resource", ParameterIn::Query, "For what the token is meant."),
    (
        "DevIdentity_GetToken",
        "X-IDENTITY-HEADER",
        ParameterIn::Header,
        "Any value; a page in a browser cannot send it.",
    ),
];

/// The parameters that operations refer to, by their names in the document.
pub(super) fn shared() -> impl Iterator<Item = (&'static str, RefOr<Parameter>)> {
    REQUEST_IDS.into_iter().map(|(key, name, says)| {
        let schema = match key {
            "ReturnClientRequestId" => string().enum_values(Some(["true", "false"])),
            _ => string().max_length(Some(256)).pattern(Some("^[!-~]*$")),
        };
        (key, RefOr::T(header(name, says).schema(Some(Schema::Object(schema.build()))).build()))
    })
}

/// References to those that `route` takes.
pub(super) fn references(route: &Route) -> Vec<Ref> {
    let to = |(key, ..): (&str, _, _)| Ref::new(format!("#/components/parameters/{key}"));
    if route.is_arm() { REQUEST_IDS.into_iter().map(to).collect() } else { Vec::new() }
}

/// The others that `route` takes.
pub(super) fn own(route: &Route) -> Vec<Parameter> {
    let names = route.path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'));
    let mut parameters: Vec<Parameter> = names.map(|name| in_path(route, name)).collect();
    if route.has_api_version() {
        parameters.push(api_version(route));
    }
    let named = NAMED.iter().filter(|(id, ..)| *id == route.operation.id);
    parameters.extend(named.map(|(_, name, place, says)| {
        parameter(name, place.clone()).required(Required::True).description(Some(*says)).build()
    }));
    if route.is_paged() {
        parameters.extend(paging());
    }
    if route.is_conditional() {
        let says = "Refused with 412 unless the resource has one of these eTags; * stands for any.";
        parameters.push(header("If-Match", says).build());
        let says = if route.method == Method::PUT {
            "With *, refused with 412 where the resource exists already. No other value is taken."
        } else {
            "With *, refused with 412 where the resource exists. No other value is taken."
        };
        let schema = string().enum_values(Some(["*", ""]));
        parameters.push(header("If-None-Match", says).schema(Some(Schema::Object(schema.build()))).build());
    } else if route.is_conditional_read() {
        let says = "Answered with 304 where the resource has one of these eTags.";
        parameters.push(header("If-None-Match", says).build());
    }
    parameters
}

fn in_path(route: &Route, name: &str) -> Parameter {
    let example = Example::of(route).and_then(|example| example.in_path(name));
    let (says, schema) = grammar(name).unwrap_or_default();
    parameter(name, ParameterIn::Path)
        .required(Required::True)
        .description((!says.is_empty()).then_some(says))
        .schema(Some(Schema::Object(schema.schema_type(SchemaType::new(Type::String)).build())))
        .example(example.map(Value::from))
        .build()
}

/// What a name in a path is, and how it is spelled where the resource is to be made.
fn grammar(name: &str) -> Option<(&'static str, ObjectBuilder)> {
    let spelled = |pattern: &str, most: usize| {
        string().pattern(Some(pattern)).min_length(Some(1)).max_length(Some(most))
    };
    let child = || spelled(LOWER_CASE_NAME, MAX_CHILD_NAME);
    let guid = || string().pattern(Some(GUID)).format(Some(SchemaFormat::KnownFormat(KnownFormat::Uuid)));
    Some(match name {
        "subscriptionId" => ("The subscription: any GUID.", guid()),
        "resourceGroupName" => ("The resource group.", spelled(RESOURCE_GROUP_NAME, MAX_RESOURCE_GROUP_NAME)),
        "fleetName" => ("The fleet.", spelled(LOWER_CASE_NAME, MAX_FLEET_NAME)),
        "fleetMemberName" => ("The member.", child()),
        "updateStrategyName" => ("The update strategy.", child()),
        "updateRunName" => ("The update run.", child()),
        "autoUpgradeProfileName" => ("The auto-upgrade profile.", child()),
        "clusterMeshProfileName" => ("The cluster mesh profile.", child()),
        "managedNamespaceName" => ("The namespace.", spelled(LOWER_CASE_NAME, MAX_NAMESPACE_NAME)),
        "gateName" => ("The gate.", guid()),
        "resourceName" => ("The managed cluster.", spelled(CLUSTER_NAME, MAX_CLUSTER_NAME)),
        "agentPoolName" => ("The agent pool.", spelled(AGENT_POOL_NAME, MAX_AGENT_POOL_NAME)),
        "configName" => (
            "The maintenance configuration.",
            string().enum_values(Some(ConfigurationName::ALL.map(ConfigurationName::as_str))),
        ),
        "snapshotName" => ("The snapshot.", spelled(CLUSTER_NAME, MAX_CLUSTER_NAME)),
        "profileName" => ("The upgrade profile: there is one.", string().enum_values(Some(["default"]))),
        "location" => ("A region of the catalogue.", spelled("^[a-zA-Z0-9 ]+$", 90)),
        "operationId" => ("The operation.", guid()),
        _ => return None,
    })
}

fn api_version(route: &Route) -> Parameter {
    let schema = match route.operation.served {
        Served::Fleet(versions) => {
            string().enum_values(Some(versions.iter().map(|version| json!(version.as_str()))))
        }
        Served::Aks | Served::Any => string().pattern(Some(VERSION)),
    };
    let example = Example::of(route).and_then(|example| example.in_query("api-version"));
    parameter("api-version", ParameterIn::Query)
        .required(Required::True)
        .description(Some("The version of the contract by which the client reads and writes."))
        .schema(Some(Schema::Object(schema.build())))
        .example(example.map(Value::from))
        .build()
}

fn paging() -> [Parameter; 3] {
    let top = ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::Integer))
        .minimum(Some(1))
        .maximum(Some(MAX_TOP));
    let query = |name: &str, says: &str| parameter(name, ParameterIn::Query).description(Some(says));
    [
        query("$top", "How many resources a page has at most; absent: 100.")
            .schema(Some(Schema::Object(top.build())))
            .build(),
        query("$skipToken", "Where the page begins; part of a nextLink.").build(),
        query(
            "$filter",
            "Conditions on members, as in `group eq 'canary'`; those of gates and members only.",
        )
        .build(),
    ]
}

fn header(name: &str, says: &str) -> ParameterBuilder {
    parameter(name, ParameterIn::Header).description(Some(says))
}

/// An optional string.
fn parameter(name: &str, place: ParameterIn) -> ParameterBuilder {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(place)
        .required(Required::False)
        .schema(Some(Schema::Object(string().build())))
}

fn string() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::new(Type::String))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_in_a_path_has_its_grammar() {
        for route in crate::api::routes() {
            let names = route.path.split('/').filter_map(|segment| segment.strip_prefix('{'));
            for name in names.map(|name| name.trim_end_matches('}')) {
                assert!(grammar(name).is_some(), "{name} in {}", route.path);
            }
        }
    }
}
