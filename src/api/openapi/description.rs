//! What the document says about an operation beyond its summary: what all operations of its kind have in common.

use crate::api::contract::{FleetVersion, Served, Versions};
use crate::api::lro::Polling;
use crate::api::route::Route;

/// The description of `route`: a sentence for each thing that its callers should know.
pub(super) fn of(route: &Route) -> String {
    let mut sentences = vec![served(route)];
    sentences.extend(body(route).map(str::to_owned));
    if route.is_conditional() {
        sentences.push(
            "If-Match and If-None-Match make it conditional: of several writers that have seen the same eTag one \
             succeeds, the others are answered 412."
                .to_owned(),
        );
    }
    sentences.extend(polling(route).map(str::to_owned));
    if route.is_paged() {
        sentences.push(
            "Pages are in a fixed order; nextLink leads to the next one and is absent on the last."
                .to_owned(),
        );
    }
    if route.is_conditional_read() {
        sentences.push("If-None-Match saves sending what the client has already.".to_owned());
    }
    sentences.join(" ")
}

fn served(route: &Route) -> String {
    match route.operation.served {
        Served::Fleet(Versions::ALL) => "Served at every api-version of the fleet types.".to_owned(),
        Served::Fleet(versions) => {
            let versions: Vec<&str> = versions.iter().map(FleetVersion::as_str).collect();
            format!("Served at {}.", versions.join(", "))
        }
        Served::Aks => "Served at any api-version from 2023-01-01 on.".to_owned(),
        Served::Any if route.has_api_version() => "Served at any well-formed api-version.".to_owned(),
        Served::Any if route.path.starts_with("/simulator") => {
            "Of the simulator's own API: it has no api-version, and is off with --no-simulator-api."
                .to_owned()
        }
        Served::Any => "About the process itself: it has no api-version.".to_owned(),
    }
}

fn body(route: &Route) -> Option<&'static str> {
    let object = route.operation.takes?;
    Some(if object.open {
        "Members that are not simulated are kept and echoed."
    } else {
        "Members that the schema does not have are refused, each with its place; read-only ones are ignored."
    })
}

fn polling(route: &Route) -> Option<&'static str> {
    Some(match route.polling()? {
        Polling::Status => {
            "Long-running: the answer shows the resource as it is meanwhile; poll the URL in Azure-AsyncOperation until \
             it has ended."
        }
        Polling::StatusAndResult => {
            "Long-running where answered 202: poll the URL in Azure-AsyncOperation for its status, or the one in \
             Location for its result."
        }
    })
}
