//! With which statuses an operation refuses, and what the document says of each.

use axum::http::Method;
use serde_json::json;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

use super::{ERROR_RESPONSE, JSON, headers};
use crate::api::route::{AnswerBody, Route};

/// A status, its name in the document, when it is answered.
const REFUSALS: [(u16, &str, &str); 11] = [
    (
        400,
        "BadRequest",
        "The URL, a header, the api-version or the body is not as it must be; the message says what would be right.",
    ),
    (404, "NotFound", "The resource, what it is in, or its type at this api-version does not exist."),
    (408, "RequestTimeout", "The body was not sent within a minute."),
    (
        409,
        "Conflict",
        "The state of the resource, or an operation that is under way on it, does not allow this now.",
    ),
    (
        412,
        "PreconditionFailed",
        "The resource has changed, or is there already. GET it again before another attempt.",
    ),
    (413, "RequestContentTooLarge", "The body has more than 4 MiB."),
    (415, "UnsupportedMediaType", "The body is compressed, or not in UTF-8."),
    (
        429,
        "TooManyRequests",
        "The subscription has had more requests than its limit lets through; where requests are throttled.",
    ),
    (500, "InternalServerError", "The service failed. The failure is in its log, under the request id."),
    (503, "ServiceUnavailable", "The service does not reach its storage at the moment."),
    (405, "MethodNotAllowed", "The path does not take the method; Allow lists what it takes."),
];

/// The statuses with which `route` refuses, each with a reference to what the document says of it.
pub(super) fn of(route: &Route) -> impl Iterator<Item = (String, Ref)> {
    let can = can(route);
    REFUSALS
        .into_iter()
        .filter(move |(status, ..)| can(*status))
        .map(|(status, name, _)| (status.to_string(), Ref::from_response_name(name)))
}

/// Whether `route` can refuse with a status. 405 is of no route: it is answered where there is none for a method.
fn can(route: &Route) -> impl Fn(u16) -> bool {
    let said: Vec<u16> = route
        .operation
        .answers
        .iter()
        .filter(|answer| matches!(answer.body, AnswerBody::Refusal))
        .map(|answer| answer.status)
        .collect();
    let (may_miss, writes, conditional) = (route.may_miss(), route.writes(), route.is_conditional());
    let (reads, throttled, stored) =
        (matches!(route.method, Method::GET | Method::HEAD), route.is_throttled(), route.needs_storage());
    move |status| match status {
        // A URL may be none that is taken anywhere.
        400 | 500 => true,
        404 => may_miss || said.contains(&404),
        409 => writes || said.contains(&409),
        412 => conditional,
        // A body is taken from every request; clients send none to read.
        408 | 413 | 415 => !reads,
        429 => throttled,
        503 => stored,
        _ => false,
    }
}

/// What the document says of each.
pub(super) fn all() -> impl Iterator<Item = (&'static str, Response)> {
    REFUSALS.into_iter().map(|(status, name, says)| {
        let content = ContentBuilder::new()
            .schema(Some(RefOr::<utoipa::openapi::Schema>::Ref(Ref::from_schema_name(ERROR_RESPONSE))));
        let response = ResponseBuilder::new()
            .description(says)
            .content(JSON, content.build())
            .extensions(Some(Extensions::from_iter([("x-ms-error-response", json!(true))])));
        (name, headers::of_refusal(response, status).build())
    })
}
