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
    let provider = segments.iter().position(|segment| segment.eq_ignore_ascii_case("providers"));
    let Some(namespace) = provider.and_then(|at| segments.get(at + 1)) else {
        return Refusal::new(Code::NotFound, format!("There is nothing at {}.", bounded(uri.path())));
    };
    if !NAMESPACES.iter().any(|known| known.eq_ignore_ascii_case(namespace)) {
        return Refusal::new(
            Code::InvalidResourceNamespace,
            format!("The namespace '{}' is not served here; {CONTAINER_SERVICE} is.", bounded(namespace)),
        );
    }
    let types = provider.map_or(&[][..], |at| &segments[at + 2..]);
    let types: Vec<&str> = types.iter().step_by(2).copied().collect();
    Refusal::new(
        Code::InvalidResourceType,
        format!(
            "The namespace {CONTAINER_SERVICE} has no resource type '{}' at this place.",
            bounded(&types.join("/"))
        ),
    )
}

fn bounded(text: &str) -> String {
    text.chars().take(256).collect()
}
