//! Request ids and cache control on every answer, one log line and one count for every request.

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::api::error::ApiError;
use crate::api::state::Api;
use crate::domain::refusal::{Code, Refusal};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-ms-request-id");
const ROUTING_ID: HeaderName = HeaderName::from_static("x-ms-routing-request-id");
const CORRELATION_ID: HeaderName = HeaderName::from_static("x-ms-correlation-request-id");
const CLIENT_ID: HeaderName = HeaderName::from_static("x-ms-client-request-id");
const RETURN_CLIENT_ID: HeaderName = HeaderName::from_static("x-ms-return-client-request-id");

/// The id under which the caller follows a request through systems: the caller's own, else a new one.
#[derive(Clone, Debug)]
pub struct CorrelationId(pub String);

/// Runs the rest of the service inside one request's bookkeeping.
pub async fn exchange(State(api): State<Api>, mut request: Request, next: Next) -> Response {
    let started = std::time::Instant::now();
    let request_id = api.service.ids.next().to_string();
    let correlation_id = text(request.headers(), &CORRELATION_ID)
        .map_or_else(|| api.service.ids.next().to_string(), str::to_owned);
    let client_id = client_id(request.headers());
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let route = request.extensions().get::<MatchedPath>().cloned();
    request.extensions_mut().insert(CorrelationId(correlation_id.clone()));

    let mut response = match storable(request.uri()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => ApiError::from(refusal).into_response(),
    };

    let now = api.service.clock.real_now().format("%Y%m%dT%H%M%SZ");
    let headers = response.headers_mut();
    let mut set = |name, value: &str| HeaderValue::from_str(value).map(|value| headers.insert(name, value));
    // A caller's id that is no header value came in no header.
    let _ = set(ROUTING_ID, &format!("LOCAL:{now}:{request_id}"));
    let _ = set(REQUEST_ID, &request_id);
    let _ = set(CORRELATION_ID, &correlation_id);
    if let Some(client_id) = client_id {
        headers.insert(CLIENT_ID, client_id);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    let (status, took) = (response.status().as_u16(), started.elapsed());
    api.metrics.request_answered(route.as_ref().map(MatchedPath::as_str), method.as_str(), status, took);
    tracing::info!(
        method = %method, path, status, took_us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
        request_id, correlation_id, "request"
    );
    response
}

/// U+0000 is in no name and no value, and in no text in Postgres: it is refused before anything looks for it.
fn storable(uri: &Uri) -> Result<(), Refusal> {
    if [uri.path(), uri.query().unwrap_or_default()].iter().any(|part| part.contains("%00")) {
        return Err(Refusal::new(Code::BadRequest, "The URL contains the character U+0000 (%00)."));
    }
    Ok(())
}

/// The caller's id of this request, where it asks to have it back.
fn client_id(headers: &HeaderMap) -> Option<HeaderValue> {
    let wanted = text(headers, &RETURN_CLIENT_ID).is_some_and(|value| value.eq_ignore_ascii_case("true"));
    headers.get(CLIENT_ID).filter(|_| wanted).cloned()
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_url_with_u_0000_is_refused() {
        for uri in ["/fleets/a%00b", "/fleets/a?$filter=group%20eq%20%00"] {
            assert_eq!(storable(&uri.parse().unwrap()).unwrap_err().code, Code::BadRequest);
        }
        assert_eq!(storable(&"/fleets/a%2500b?c=%20%30%30".parse().unwrap()), Ok(()));
    }
}
