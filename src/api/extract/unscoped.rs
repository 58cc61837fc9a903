//! A request on a path that is about no resource of a subscription: only its api-version is checked.

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;

use super::{PublicBase, QueryParameters};
use crate::api::contract::ApiVersion;
use crate::api::error::ApiError;
use crate::api::state::Api;
use crate::service::Service;

/// Such a request.
pub struct Unscoped {
    /// The use cases.
    pub service: Service,
    /// The query.
    pub query: QueryParameters,
    /// The headers.
    pub headers: HeaderMap,
    /// The base of absolute URLs.
    pub base: PublicBase,
}

impl FromRequestParts<Api> for Unscoped {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, ApiError> {
        let query = QueryParameters::parse(parts.uri.query());
        ApiVersion::read(query.get("api-version"))?;
        Ok(Self {
            service: api.service.clone(),
            query,
            headers: parts.headers.clone(),
            base: PublicBase::of(parts, api.public_url.as_deref())?,
        })
    }
}
