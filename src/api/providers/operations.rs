//! `GET /providers/Microsoft.ContainerService/operations`: every action, with texts for people.

use axum::Json;
use axum::http::Method;
use serde_json::{Value, json};

use crate::api::contract::Served;
use crate::api::contract::table::arm::operation::PROVIDER_OPERATION;
use crate::api::extract::Unscoped;
use crate::api::route::{Answer, Operation, Route, resource_type};
use crate::domain::resource_id::CONTAINER_SERVICE;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "Operations_List",
    summary: "List the provider's operations.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::list(&PROVIDER_OPERATION)],
};

/// The handler.
pub async fn handle(_: Unscoped) -> Json<Value> {
    let routes = crate::api::routes();
    let operations: Vec<Value> = actions(&routes).iter().map(|(name, route)| shown(name, route)).collect();
    Json(json!({ "value": operations }))
}

/// The provider's actions, each with the route that tells most about it: of reads, that of one resource.
fn actions(routes: &[Route]) -> Vec<(String, &Route)> {
    let mut actions: Vec<(String, &Route)> = Vec::new();
    for route in routes {
        let Some(name) = action(route) else { continue };
        let of_one = |route: &Route| route.path.ends_with('}');
        match actions.iter_mut().find(|(other, _)| *other == name) {
            None => actions.push((name, route)),
            Some((_, known)) if of_one(route) && !of_one(known) => *known = route,
            Some(_) => {}
        }
    }
    actions
}

/// The action that a route takes a right to: `Microsoft.ContainerService/fleets/write`; none of another provider.
fn action(route: &Route) -> Option<String> {
    let path = resource_type(route.path);
    if route.path.starts_with("/simulator/") || !path.starts_with(&format!("{CONTAINER_SERVICE}/")) {
        return None;
    }
    let verb = match route.method {
        Method::GET | Method::HEAD => "read",
        Method::PUT | Method::PATCH => "write",
        Method::DELETE => "delete",
        _ => "action",
    };
    Some(format!("{path}/{verb}"))
}

fn shown(name: &str, route: &Route) -> Value {
    let summary = route.operation.summary;
    let kind = name.rsplit_once('/').map_or(name, |(kind, _)| kind);
    json!({
        "name": name,
        "isDataAction": false,
        "display": {
            "provider": "Microsoft Container Service",
            "resource": kind.trim_start_matches(CONTAINER_SERVICE).trim_start_matches('/'),
            "operation": summary.trim_end_matches('.'),
            "description": summary,
        },
        "origin": "user,system",
    })
}
