//! The one table from what went wrong inside to what ARM says about it.
//!
//! Every non-2xx answer leaves through [`ApiError`]. A refusal's message is for the user; a failure of ours is told in
//! neutral words, its cause goes to the log. To add a code, add its status to [`status_of`]; the compiler asks for it.

use axum::Json;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::domain::lifecycle::OperationError;
use crate::domain::refusal::{Code, Refusal};
use crate::service::ServiceError;
use crate::store::StoreError;

/// Where the code stands beside the body.
const ERROR_CODE: HeaderName = HeaderName::from_static("x-ms-error-code");

/// A failed request.
#[derive(Debug)]
pub struct ApiError(Refusal);

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        Self(refusal)
    }
}

impl From<ServiceError> for ApiError {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::Refused(refusal) => Self(refusal),
            ServiceError::Store(error) => error.into(),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        let refusal = match &error {
            StoreError::Unavailable(_) => Refusal::new(
                Code::ServiceUnavailable,
                "The service cannot reach its storage at the moment. Try again later.",
            ),
            StoreError::Conflict { .. } | StoreError::Exists { .. } => Refusal::new(
                Code::OperationNotAllowed,
                "Others are changing the resource at this moment. GET it again, and repeat the request.",
            ),
            StoreError::Held(_)
            | StoreError::Schema(_)
            | StoreError::Corrupt { .. }
            | StoreError::Database(_) => Refusal::new(
                Code::InternalServerError,
                "The service failed to handle the request. The failure is in its log, under the request id.",
            ),
        };
        let cause: &dyn std::error::Error = &error;
        tracing::error!(error = cause, "storage failed a request");
        Self(refusal)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = status_of(self.0.code);
        let mut response = envelope(status, &format!("{:?}", self.0.code), &detail(&self.0));
        // On no other refusal: clients repeat whatever carries it.
        if matches!(status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// What an operation ended with, as the answer to who asks for its result: its own code and words, whatever they are.
pub fn of_operation(error: &OperationError) -> Response {
    envelope(StatusCode::CONFLICT, &error.code, &json!(error))
}

fn envelope(status: StatusCode, code: &str, error: &Value) -> Response {
    let mut response = (status, Json(json!({ "error": error }))).into_response();
    if let Ok(code) = HeaderValue::from_str(code) {
        response.headers_mut().insert(ERROR_CODE, code);
    }
    response
}

fn detail(refusal: &Refusal) -> Value {
    let mut detail = json!({ "code": format!("{:?}", refusal.code), "message": refusal.message });
    // The body as a whole has no path.
    if let Some(target) = refusal.target.as_ref().filter(|target| !target.is_empty()) {
        detail["target"] = json!(target);
    }
    if !refusal.details.is_empty() {
        detail["details"] = refusal.details.iter().map(self::detail).collect();
    }
    detail
}

/// The status of an error code (the ARM protocol: errors).
pub fn status_of(code: Code) -> StatusCode {
    match code {
        Code::BadRequest
        | Code::InvalidRequestContent
        | Code::InvalidSubscriptionId
        | Code::InvalidResourceName
        | Code::InvalidParameter
        | Code::InvalidFilter
        | Code::InvalidSkipToken
        | Code::InvalidTop
        | Code::RequiredPropertyMissing
        | Code::LocationRequired
        | Code::LocationNotAvailable
        | Code::PropertyChangeNotAllowed
        | Code::ClusterNotFound
        | Code::HubProfileRequired
        | Code::UpdateStrategyNotFound
        | Code::MissingApiVersionParameter
        | Code::InvalidApiVersionParameter
        | Code::NoRegisteredProviderFound => StatusCode::BAD_REQUEST,
        Code::InvalidResourceType
        | Code::InvalidResourceNamespace
        | Code::ResourceNotFound
        | Code::ParentResourceNotFound
        | Code::ResourceGroupNotFound
        | Code::SubscriptionNotFound
        | Code::NotFound => StatusCode::NOT_FOUND,
        Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        Code::PreconditionFailed => StatusCode::PRECONDITION_FAILED,
        Code::InvalidResourceLocation
        | Code::OperationNotAllowed
        | Code::NoMembersToUpgrade
        | Code::QuotaExceeded
        | Code::ClusterAlreadyJoinedAnotherFleet
        | Code::MemberBelongsToClusterMesh => StatusCode::CONFLICT,
        Code::RequestContentTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Code::RequestTimeout => StatusCode::REQUEST_TIMEOUT,
        Code::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Code::TooManyRequests => StatusCode::TOO_MANY_REQUESTS,
        Code::InternalServerError => StatusCode::INTERNAL_SERVER_ERROR,
        Code::ServiceUnavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn body_of(error: ApiError) -> (StatusCode, axum::http::HeaderMap, Value) {
        let response = error.into_response();
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        (parts.status, parts.headers, serde_json::from_slice(&bytes).unwrap())
    }

    #[tokio::test]
    async fn faults_are_told_together_in_the_envelope() {
        let mut faults = crate::domain::refusal::Faults::new();
        faults.add(Code::InvalidParameter, "a", "bad");
        faults.add(Code::RequiredPropertyMissing, "b", "gone");
        let (status, headers, body) = body_of(faults.finish().unwrap_err().into()).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        assert_eq!(headers[ERROR_CODE], "InvalidParameter");
        assert!(!headers.contains_key(header::RETRY_AFTER));
        insta::assert_json_snapshot!(body, @r#"
        {
          "error": {
            "code": "InvalidParameter",
            "message": "The request has 2 faults; the first: bad",
            "target": "a",
            "details": [
              {
                "code": "InvalidParameter",
                "message": "bad",
                "target": "a"
              },
              {
                "code": "RequiredPropertyMissing",
                "message": "gone",
                "target": "b"
              }
            ]
          }
        }
        "#);
    }

    #[tokio::test]
    async fn a_failure_of_ours_says_nothing_about_its_cause() {
        let error = StoreError::Database("password=secret".into());
        let (status, _, body) = body_of(error.into()).await;
        assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
        assert!(!body.to_string().contains("secret"));
    }

    #[tokio::test]
    async fn unreachable_storage_asks_to_come_back() {
        let (status, headers, _) = body_of(StoreError::Unavailable("down".into()).into()).await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(headers[header::RETRY_AFTER], "1");
    }
}
