//! One ARM request, as far as its headers, path and query go: the checks that come before everything else.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderName, Method, header};

use super::base::PublicBase;
use super::principal::principal;
use super::query::QueryParameters;
use crate::api::contract::{ApiVersion, FleetVersion};
use crate::api::error::ApiError;
use crate::api::middleware::CorrelationId;
use crate::api::route::{self, OnRoute};
use crate::api::state::Api;
use crate::domain::etag::{ETag, Preconditions, is_not_modified};
use crate::domain::names::check_subscription_id;
use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::service::{CallContext, Service};

/// A request on a route, its headers and `api-version` found good.
pub struct Call {
    /// The use cases.
    pub service: Service,
    /// Who calls.
    pub context: CallContext,
    /// By which version.
    pub version: ApiVersion,
    /// The resource: the one the path names; under an action or a collection the one around it.
    pub id: ResourceId,
    /// The preconditions of a write.
    pub preconditions: Preconditions,
    /// The path as it was routed, for links.
    pub path: String,
    /// The query.
    pub query: QueryParameters,
    /// The base of absolute URLs.
    pub base: PublicBase,
    /// A GET's `If-None-Match`.
    if_none_match: Option<String>,
}

impl Call {
    /// The version by which fleet types are read and shown.
    pub fn fleet_version(&self) -> FleetVersion {
        self.version.fleet()
    }

    /// Whether the client of a GET has this state already.
    pub fn is_not_modified(&self, etag: ETag) -> bool {
        self.if_none_match.as_deref().is_some_and(|tags| is_not_modified(tags, etag))
    }
}

impl FromRequestParts<Api> for Call {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, ApiError> {
        let on =
            route::of_request(&parts.extensions).expect("handlers that take a Call are in the route table");
        let query = QueryParameters::parse(parts.uri.query());
        let version = ApiVersion::read(query.get("api-version"))?;
        on.operation.served.check(&version, &route::resource_type(on.path))?;
        let id = target(parts.uri.path(), on)?;
        let (if_match, if_none_match) =
            (joined(parts, header::IF_MATCH), joined(parts, header::IF_NONE_MATCH));
        let reads = matches!(parts.method, Method::GET | Method::HEAD);
        let preconditions = if reads {
            Preconditions::default()
        } else {
            Preconditions::of_write(if_match.as_deref(), if_none_match.as_deref())?
        };
        let correlation_id =
            parts.extensions.get::<CorrelationId>().map(|id| id.0.clone()).unwrap_or_default();
        Ok(Self {
            service: api.service.clone(),
            context: CallContext { principal: principal(&parts.headers), correlation_id },
            version,
            id,
            preconditions,
            path: parts.uri.path().to_owned(),
            query,
            base: PublicBase::of(parts, api.public_url.as_deref())?,
            if_none_match: if_none_match.filter(|_| reads),
        })
    }
}

/// All lines of one header, joined as one list. What is no text is kept as something that no tag equals: a condition
/// that cannot be read must not be one that is not there.
fn joined(parts: &Parts, name: HeaderName) -> Option<String> {
    let lines =
        parts.headers.get_all(name).iter().map(|line| String::from_utf8_lossy(line.as_bytes()).into_owned());
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then(|| lines.join(","))
}

/// The resource that the path is about: without the last segment where that is a collection's or an action's.
fn target(path: &str, on: OnRoute) -> Result<ResourceId, Refusal> {
    let path = percent_decoded(path);
    let path = if on.path.ends_with('}') { path.as_str() } else { parent_path(&path) };
    // A top-level collection, and the provider itself, is about the group or subscription around it.
    let path = path.strip_suffix("/providers/Microsoft.ContainerService").unwrap_or(path);
    let path = path.strip_suffix("/providers").unwrap_or(path);
    let id: ResourceId = path.parse().map_err(|problem| {
        Refusal::new(Code::BadRequest, format!("The URL is not that of a resource: {problem}."))
    })?;
    check_subscription_id(id.subscription_id())
        .map_err(|problem| Refusal::at(Code::InvalidSubscriptionId, "subscriptionId", sentence(&problem)))?;
    Ok(id)
}

fn parent_path(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(parent, _)| parent)
}

/// `problem` as a sentence.
fn sentence(problem: &str) -> String {
    let mut chars = problem.chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", chars.as_str())
}

/// The path with `%xx` decoded where that is text; a `%2F` stays as it is, for it separates nothing.
fn percent_decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let decoded = tail.get(..2).filter(|_| *first == b'%').and_then(|hex| {
            u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok().filter(|byte| *byte != b'/')
        });
        bytes.push(decoded.unwrap_or(*first));
        rest = if decoded.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_names_are_decoded_but_no_slash_appears() {
        assert_eq!(percent_decoded("/a%20b/%2Fc/%zz/%"), "/a b/%2Fc/%zz/%");
        assert_eq!(percent_decoded("/%ff"), "/%ff");
    }
}
