//! The HTTP section: where the service listens and what it calls itself.

use std::{fmt, net::SocketAddr, str::FromStr};

use axum::http::Uri;
use clap::{Args, builder::BoolishValueParser};

use super::InvalidSetting;

/// Where the API is reachable.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct HttpConfig {
    /// Address and port of the HTTP API
    #[arg(long, env = "FLEETPLANE_LISTEN", value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// Base of the absolute URLs in answers, where a proxy changes scheme or host [default: the request's own]
    #[arg(long, env = "FLEETPLANE_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<PublicUrl>,

    /// Leave out everything under /simulator
    #[arg(long, env = "FLEETPLANE_NO_SIMULATOR_API", value_parser = BoolishValueParser::new())]
    pub no_simulator_api: bool,

    /// Give tokens of a development identity at /dev/identity/token, for `az login --identity`; on loopback only
    #[arg(long, env = "FLEETPLANE_DEV_IDENTITY", value_parser = BoolishValueParser::new())]
    pub dev_identity: bool,
}

/// An absolute `http` or `https` URL without a query and without a slash at its end, so that a path can follow it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// The URL as text, ready for a path that starts with a slash.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for PublicUrl {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refused = || {
            InvalidSetting::new(
                "expected an absolute URL without a query, such as https://fleet.example.com or http://localhost:8080/arm",
            )
        };
        let uri: Uri = text.parse().map_err(|_| refused())?;
        let served = matches!(uri.scheme_str(), Some("http" | "https"));
        let host = uri.host().is_some_and(|host| !host.is_empty());
        if !served || !host || uri.query().is_some() || text.contains('#') {
            return Err(refused());
        }
        Ok(Self(text.trim_end_matches('/').to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("https://fleet.example.com", "https://fleet.example.com")]
    #[case("http://localhost:8080/", "http://localhost:8080")]
    #[case("https://proxy.example.com/arm/", "https://proxy.example.com/arm")]
    fn public_url_loses_its_final_slash(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(text.parse::<PublicUrl>().unwrap().as_str(), expected);
    }

    #[rstest]
    #[case("fleet.example.com")]
    #[case("/arm")]
    #[case("ftp://fleet.example.com")]
    #[case("https://fleet.example.com?x=1")]
    #[case("https://fleet.example.com/#top")]
    #[case("")]
    fn public_url_must_be_absolute_http_without_a_query(#[case] text: &str) {
        let error = text.parse::<PublicUrl>().unwrap_err();
        assert!(error.to_string().contains("https://fleet.example.com"), "{error}");
    }
}
