//! A request on a path that is about no resource of a subscription: only its api-version is checked.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::QueryParameters;
use crate::api::contract::ApiVersion;
use crate::api::error::ApiError;
use crate::api::state::Api;
use crate::service::Service;

/// Such a request.
pub struct Unscoped {
    /// The use cases.
    pub service: Service,
}

impl FromRequestParts<Api> for Unscoped {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, ApiError> {
        ApiVersion::read(QueryParameters::parse(parts.uri.query()).get("api-version"))?;
        Ok(Self { service: api.service.clone() })
    }
}
