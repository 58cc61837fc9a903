//! Answers to writes that begin a long-running operation, and the headers by which clients poll it.

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::extract::Call;
use super::resource::{Rendered, answer};
use crate::domain::operation::Operation;
use crate::service::resource::{Outcome, Written};

/// Where the operation's status is polled.
const ASYNC_OPERATION: HeaderName = HeaderName::from_static("azure-asyncoperation");

/// Which of the two polling URLs an answer carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polling {
    /// `Azure-AsyncOperation` alone: PUT, whose result is at its own URL.
    Status,
    /// Also `Location`: whatever is answered 202.
    StatusAndResult,
}

/// The answer to a PUT: 201 or 200 with the body.
pub fn answer_put<E: Rendered>(call: &Call, written: &Written<E>) -> Response {
    let status = match written.outcome {
        Outcome::Created => StatusCode::CREATED,
        Outcome::Replaced => StatusCode::OK,
    };
    let mut response = answer_body(call, status, written);
    poll(&mut response, call, written.operation.as_ref(), Polling::Status);
    response
}

/// The answer to a PATCH: 202 where it began an operation, else 200.
pub fn answer_patch<E: Rendered>(call: &Call, written: &Written<E>) -> Response {
    let status = if written.operation.is_some() { StatusCode::ACCEPTED } else { StatusCode::OK };
    let mut response = answer_body(call, status, written);
    poll(&mut response, call, written.operation.as_ref(), Polling::StatusAndResult);
    response
}

/// The answer to a long-running DELETE: 202 with the body, or 204 where there was nothing.
pub fn answer_delete<E: Rendered>(call: &Call, deleted: Option<&Written<E>>) -> Response {
    let Some(written) = deleted else { return StatusCode::NO_CONTENT.into_response() };
    let mut response = answer_body(call, StatusCode::ACCEPTED, written);
    poll(&mut response, call, written.operation.as_ref(), Polling::StatusAndResult);
    response
}

/// The answer to an action or delete without a body: 202.
pub fn answer_accepted(call: &Call, operation: &Operation) -> Response {
    let mut response = StatusCode::ACCEPTED.into_response();
    poll(&mut response, call, Some(operation), Polling::StatusAndResult);
    response
}

fn answer_body<E: Rendered>(call: &Call, status: StatusCode, written: &Written<E>) -> Response {
    answer(status, &written.entity.shown(written.etag, &call.version), written.etag)
}

/// Adds the headers by which `operation` is polled.
pub fn poll(response: &mut Response, call: &Call, operation: Option<&Operation>, polling: Polling) {
    let Some(operation) = operation else { return };
    let status = call.base.url(&format!("{}?api-version={}", operation.id, call.version.as_str()));
    let result = status.replacen("/operations/", "/operationresults/", 1);
    let mut set =
        |name, url: &str| HeaderValue::from_str(url).map(|url| response.headers_mut().insert(name, url));
    // A host that is no header value has come in no header.
    let _ = set(ASYNC_OPERATION, &status);
    if polling == Polling::StatusAndResult {
        let _ = set(header::LOCATION, &result);
    }
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
}
