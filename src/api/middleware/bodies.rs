//! A request's body is taken to its end before anything answers.
//!
//! A server that answers while a body is still on its way can only close the connection, without a word to a client
//! that meant to go on with it. So even a request that is refused for its path or its headers is read first; what is
//! wrong with the body is told when its turn has come.

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;

use crate::api::extract::RawBody;

/// Runs the rest of the service with the body taken.
pub async fn take_body(request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let taken = RawBody::take(&parts.headers, body).await;
    parts.extensions.insert(taken);
    next.run(Request::from_parts(parts, Body::empty())).await
}
