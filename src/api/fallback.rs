//! Answers where no route is: which part of the path is unknown, and which methods a known one takes.

use axum::extract::Request;
use axum::http::{Method, Uri};

use super::error::ApiError;
use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_id::CONTAINER_SERVICE;

/// The namespaces of which some path is served.
const NAMESPACES: [&str; 2] = [CONTAINER_SERVICE, "Microsoft.Resources"];

/// A path that no route has.
pub async fn unknown_path(request: Request) -> ApiError {
    refusal(request.uri()).into()
}

/// A path whose routes do not take this method; axum adds the `Allow` header.
pub async fn unknown_method(method: Method, uri: Uri) -> ApiError {
    Refusal::new(
        Code::MethodNotAllowed,
        format!(
            "{} cannot be done on {}; the Allow header lists what can.",
            bounded(method.as_str()),
            bounded(uri.path())
        ),
    )
    .into()
}

fn refusal(uri: &Uri) -> Refusal {
    let segments: Vec<&str> = uri.path().split('/').filter(|segment| !segment.is_empty()).collect();
    let Some((namespace, types)) = provider(&segments) else {
        return Refusal::new(Code::NotFound, format!("There is nothing at {}.", bounded(uri.path())));
    };
    let Some(known) = NAMESPACES.iter().find(|known| known.eq_ignore_ascii_case(namespace)) else {
        return Refusal::new(
            Code::InvalidResourceNamespace,
            format!("The namespace '{}' is not served here; {CONTAINER_SERVICE} is.", bounded(namespace)),
        );
    };
    let types: Vec<&str> = types.iter().step_by(2).copied().collect();
    let message = if types.is_empty() {
        format!("The path names no resource type of the namespace {known}.")
    } else {
        let types = bounded(&types.join("/"));
        format!("The namespace {known} has no resource type '{types}' at this place.")
    };
    Refusal::new(Code::InvalidResourceType, message)
}

/// The namespace that the path is about, and what follows it: that of an extension resource, where one stands behind
/// the resource that it extends. Words of the path and names take turns, so that a fleet may be called `providers`.
fn provider<'a>(segments: &'a [&'a str]) -> Option<(&'a str, &'a [&'a str])> {
    let places = (0..segments.len()).step_by(2).rev();
    let mut found = places.filter(|at| segments[*at].eq_ignore_ascii_case("providers"));
    found.find_map(|at| Some((*segments.get(at + 1)?, &segments[at + 2..])))
}

fn bounded(text: &str) -> String {
    text.chars().take(256).collect()
}
