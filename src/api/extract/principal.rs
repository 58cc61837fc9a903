//! Who sends a request: taken, unverified, from a bearer JWT, until there is authentication.

use axum::http::{HeaderMap, header};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;

use crate::domain::system_data::{IdentityType, Principal};

/// The longest name that is taken over into `systemData`.
const MAX_NAME: usize = 256;

#[derive(Deserialize)]
struct Claims {
    upn: Option<String>,
    appid: Option<String>,
    oid: Option<String>,
    idtyp: Option<String>,
}

/// The principal of a request with these headers: `upn`, else `appid`, else `oid`, else anonymous.
pub fn principal(headers: &HeaderMap) -> Principal {
    claims(headers).and_then(from_claims).unwrap_or_else(Principal::anonymous)
}

fn claims(headers: &HeaderMap) -> Option<Claims> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    let payload = token.trim().split('.').nth(1).filter(|_| scheme.eq_ignore_ascii_case("bearer"))?;
    let bytes = URL_SAFE_NO_PAD.decode(payload.trim_end_matches('=')).ok()?;
    serde_json::from_slice(&bytes).ok()
}

fn from_claims(claims: Claims) -> Option<Principal> {
    let object =
        if claims.idtyp.as_deref() == Some("app") { IdentityType::Application } else { IdentityType::User };
    let named = |name: Option<String>, kind| {
        let name: String = name?.chars().take(MAX_NAME).collect();
        (!name.is_empty()).then_some(Principal { name, kind })
    };
    named(claims.upn, IdentityType::User)
        .or_else(|| named(claims.appid, IdentityType::Application))
        .or_else(|| named(claims.oid, object))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn with(authorization: &str) -> Principal {
        let mut headers = HeaderMap::new();
        headers.insert(header::AUTHORIZATION, authorization.parse().unwrap());
        principal(&headers)
    }

    #[rstest]
    #[case(r#"{"upn":"ada@example.com","oid":"1"}"#, "ada@example.com", IdentityType::User)]
    #[case(r#"{"appid":"app-1","oid":"1"}"#, "app-1", IdentityType::Application)]
    #[case(r#"{"oid":"object-1"}"#, "object-1", IdentityType::User)]
    #[case(r#"{"oid":"object-1","idtyp":"app"}"#, "object-1", IdentityType::Application)]
    #[case(r#"{}"#, "anonymous", IdentityType::User)]
    #[case("no json", "anonymous", IdentityType::User)]
    fn a_token_names_its_principal(#[case] claims: &str, #[case] name: &str, #[case] kind: IdentityType) {
        let token = format!("Bearer e30.{}.sig", URL_SAFE_NO_PAD.encode(claims));
        assert_eq!(with(&token), Principal { name: name.to_owned(), kind });
    }

    #[rstest]
    fn what_is_no_token_is_anonymous(
        #[values("Basic x.y.z", "Bearer", "Bearer x", "Bearer x.!!.z")] value: &str,
    ) {
        assert_eq!(with(value), Principal::anonymous());
    }
}
