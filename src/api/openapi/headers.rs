//! The headers of answers.

use axum::http::Method;
use serde_json::json;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::header::{Header, HeaderBuilder};
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr, ResponseBuilder};

use crate::api::lro::Polling;
use crate::api::route::{Answer, Route};

/// One header: its name, whether each answer that the document gives it to has it, what it says.
type Row = (&'static str, bool, &'static str);

const EVERYWHERE: [Row; 5] = [
    ("x-ms-request-id", true, "The id of the request; the log has it, too."),
    ("x-ms-routing-request-id", true, "REGION:TIME:ID of the request."),
    ("x-ms-correlation-request-id", true, "The caller's id if it sent one, else a new one."),
    ("x-ms-client-request-id", false, "The caller's own id of the request, where it asked to have it back."),
    ("Cache-Control", true, "Always no-cache."),
];
const READS: Row = remaining("x-ms-ratelimit-remaining-subscription-reads");
const WRITES: Row = remaining("x-ms-ratelimit-remaining-subscription-writes");
const DELETES: Row = remaining("x-ms-ratelimit-remaining-subscription-deletes");
const ETAG: Row = ("ETag", true, "The eTag of the resource, in quotes.");
const ASYNC_OPERATION: Row =
    ("Azure-AsyncOperation", false, "The URL of the operation's status, where one has begun.");
const LOCATION: Row = ("Location", false, "The URL of the operation's result, while it is not known.");
const RETRY_AFTER: Row = ("Retry-After", false, "After how many seconds to ask again.");
const ERROR_CODE: Row = ("x-ms-error-code", true, "The error's code, as in the body.");

const fn remaining(name: &'static str) -> Row {
    (
        name,
        false,
        "How many more requests of this sort the limit lets through now; where requests are throttled.",
    )
}

/// All of them, as the document keeps them.
pub(super) fn all() -> impl Iterator<Item = (&'static str, RefOr<Header>)> {
    let rows = EVERYWHERE.into_iter();
    let rows = rows.chain([READS, WRITES, DELETES, ETAG, ASYNC_OPERATION, LOCATION, RETRY_AFTER, ERROR_CODE]);
    rows.map(|row @ (name, ..)| (name, RefOr::T(header(row))))
}

fn header((name, always, says): Row) -> Header {
    let kind = if name.contains("ratelimit") || name == RETRY_AFTER.0 { Type::Integer } else { Type::String };
    let schema = ObjectBuilder::new().schema_type(SchemaType::new(kind)).build();
    // The builder knows no `required`.
    let extensions = Extensions::from_iter([("required", json!(always))]);
    HeaderBuilder::new()
        .schema(Some(Schema::Object(schema)))
        .description(Some(says))
        .extensions(always.then_some(extensions))
        .build()
}

/// Adds those that a successful answer of `route` can have.
pub(super) fn of_answer(response: ResponseBuilder, route: &Route, answer: &Answer) -> ResponseBuilder {
    let mut rows = EVERYWHERE.to_vec();
    if route.is_throttled() {
        rows.push(match route.method {
            Method::GET | Method::HEAD => READS,
            Method::DELETE => DELETES,
            _ => WRITES,
        });
    }
    if answer.has_etag() {
        rows.push(ETAG);
    }
    if let Some(polling) = answer.polling {
        rows.extend([ASYNC_OPERATION, RETRY_AFTER]);
        rows.extend((polling == Polling::StatusAndResult).then_some(LOCATION));
    }
    add(response, rows)
}

/// Adds those that a refusal can have.
pub(super) fn of_refusal(response: ResponseBuilder, status: u16) -> ResponseBuilder {
    let mut rows = EVERYWHERE.to_vec();
    rows.extend([READS, WRITES, DELETES, ERROR_CODE]);
    rows.extend(matches!(status, 429 | 503).then_some(RETRY_AFTER));
    add(response, rows)
}

fn add(response: ResponseBuilder, rows: Vec<Row>) -> ResponseBuilder {
    rows.into_iter().fold(response, |response, (name, ..)| {
        response.header_ref(name, Ref::new(format!("#/components/headers/{name}")))
    })
}
