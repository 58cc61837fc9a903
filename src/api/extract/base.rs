//! The base of absolute URLs in answers: `--public-url`, else the request's own scheme and host.

use axum::http::uri::Authority;
use axum::http::{HeaderValue, header, request::Parts};

use crate::domain::refusal::{Code, Refusal};

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
    ///
    /// # Errors
    /// `BadRequest` where the base is the request's own host, and that is none: it would get into links as it is.
    pub fn of(parts: &Parts, public_url: Option<&str>) -> Result<Self, Refusal> {
        if let Some(url) = public_url {
            return Ok(Self(url.to_owned()));
        }
        let scheme = parts.extensions.get::<Scheme>().map_or("http", |scheme| scheme.0);
        let header = parts.headers.get(header::HOST).filter(|host| !host.is_empty());
        let host = match (header, parts.uri.authority()) {
            (Some(host), _) => host_of(host).ok_or_else(no_host)?,
            (None, Some(authority)) => authority.to_string(),
            (None, None) => "localhost".to_owned(),
        };
        Ok(Self(format!("{scheme}://{host}")))
    }

    /// The absolute URL of a path with its query.
    pub fn url(&self, path_and_query: &str) -> String {
        format!("{}{path_and_query}", self.0)
    }
}

/// A host, perhaps with a port.
fn host_of(header: &HeaderValue) -> Option<String> {
    let authority = Authority::try_from(header.as_bytes()).ok()?;
    // What is left beside the host is a port, and no user.
    let rest = authority.as_str().strip_prefix(authority.host())?;
    (rest.is_empty() || authority.port_u16().is_some()).then(|| authority.to_string())
}

fn no_host() -> Refusal {
    let message = "The Host header is not a host, or a host and a port, such as localhost:8080.";
    Refusal::at(Code::BadRequest, "Host", message)
}
