//! A request's body is taken to its end before anything answers.
//!
//! A server that answers while a body is still on its way can only close the connection, without a word to a client
//! that meant to go on with it. So even a request that is refused for its path or its headers is read first. A body that
//! does not come whole, in time and within its limit is refused here, whether the operation has a use for it or not: what
//! was not all of a request must not be carried out.

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::api::error::ApiError;
use crate::api::extract::{BODY_LIMIT, RawBody};

/// Runs the rest of the service with the body taken.
pub async fn take_body(request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    match RawBody::take(&parts.headers, body, BODY_LIMIT).await {
        Ok(taken) => {
            parts.extensions.insert(taken);
            next.run(Request::from_parts(parts, Body::empty())).await
        }
        Err(refusal) => ApiError::from(refusal).into_response(),
    }
}
