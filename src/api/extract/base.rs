//! The base of absolute URLs in answers: `--public-url`, else the request's own scheme and host.

use axum::http::{header, request::Parts};

/// Scheme and authority (and a proxy's path), without a slash at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicBase(String);

/// The scheme by which a request came, put into its extensions where that is not plain HTTP.
#[derive(Clone, Copy, Debug)]
pub struct Scheme(&'static str);

impl Scheme {
    /// HTTP over TLS.
    pub const HTTPS: Self = Self("https");
}

impl PublicBase {
    /// The base for answers to this request.
    pub fn of(parts: &Parts, public_url: Option<&str>) -> Self {
        if let Some(url) = public_url {
            return Self(url.to_owned());
        }
        let scheme = parts.extensions.get::<Scheme>().map_or("http", |scheme| scheme.0);
        let host = parts.headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let host = host.or_else(|| parts.uri.authority().map(|authority| authority.as_str()));
        Self(format!("{scheme}://{}", host.unwrap_or("localhost")))
    }

    /// The absolute URL of a path with its query.
    pub fn url(&self, path_and_query: &str) -> String {
        format!("{}{path_and_query}", self.0)
    }
}
