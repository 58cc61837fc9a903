//! A bug while answering becomes a 500 in the envelope, and a line in the log.

use std::any::Any;

use axum::response::{IntoResponse as _, Response};

use crate::api::error::ApiError;
use crate::domain::refusal::{Code, Refusal};

/// The answer to a request whose handler panicked.
#[expect(clippy::needless_pass_by_value, reason = "the signature that the layer asks for")]
pub fn answer_panic(panic: Box<dyn Any + Send + 'static>) -> Response {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no text");
    tracing::error!(panic = text, "a request panicked");
    ApiError::from(Refusal::new(
        Code::InternalServerError,
        "The service failed to handle the request. The failure is in its log, under the request id.",
    ))
    .into_response()
}
