//! `GET /dev/identity/token`: a token for whoever asks.

use axum::Json;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::TimeDelta;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::api::contract::Served;
use crate::api::contract::table::arm::cloud::TOKEN;
use crate::api::error::ApiError;
use crate::api::extract::Unscoped;
use crate::api::route::{Answer, Operation};
use crate::domain::identity::tenant_id;
use crate::domain::ids::derived;
use crate::domain::refusal::{Code, Faults};
use crate::domain::time::Timestamp;

/// The operation.
pub static OPERATION: Operation = Operation {
    id: "DevIdentity_GetToken",
    summary: "Get a token of the development identity, as App Service's managed-identity endpoint gives it.",
    served: Served::Any,
    takes: None,
    answers: &[Answer::one(200, &TOKEN)],
};

/// Shows that the caller can set headers, which another site's page in a browser cannot; App Service insists on it, too.
const SECRET: &str = "x-identity-header";
/// By these a user-assigned identity is asked for.
const USER_ASSIGNED: [&str; 5] = ["client_id", "object_id", "principal_id", "mi_res_id", "msi_res_id"];
/// As long as those of managed identities.
const VALID_HOURS: i64 = 24;

/// The handler.
pub async fn handle(call: Unscoped) -> Result<Json<Value>, ApiError> {
    let mut faults = Faults::new();
    if !call.headers.contains_key(SECRET) {
        faults.add(Code::BadRequest, "X-IDENTITY-HEADER", "The header X-IDENTITY-HEADER is missing.");
    }
    let resource = call.query.get("resource").unwrap_or_default();
    if resource.is_empty() {
        faults.add(
            Code::BadRequest,
            "resource",
            "The parameter resource, for what the token is meant, is missing.",
        );
    }
    for parameter in USER_ASSIGNED.into_iter().filter(|name| call.query.get(name).is_some()) {
        faults.add(
            Code::BadRequest,
            parameter,
            "There is one identity, the system-assigned one; none can be chosen.",
        );
    }
    faults.finish()?;
    // Clients compare with their own clock.
    Ok(Json(body(resource, call.service.clock.real_now())))
}

/// The answer at `now`, real time.
fn body(resource: &str, now: Timestamp) -> Value {
    let expires = now + TimeDelta::hours(VALID_HOURS);
    json!({
        "access_token": token(resource, now, expires),
        "expires_on": expires.timestamp().to_string(),
        "resource": resource,
        "token_type": "Bearer",
        "client_id": client_id()
    })
}

/// An unsecured JSON Web Token (RFC 7519) of an application; `appid` is what `systemData` names.
fn token(resource: &str, now: Timestamp, expires: Timestamp) -> String {
    let header = json!({ "typ": "JWT", "alg": "none" });
    let claims = json!({
        "aud": resource,
        "iss": format!("urn:fleetplane:{}", tenant_id()),
        "iat": now.timestamp(),
        "nbf": now.timestamp(),
        "exp": expires.timestamp(),
        "tid": tenant_id(),
        "oid": derived("dev identity: object"),
        "sub": derived("dev identity: object"),
        "appid": client_id(),
        "idtyp": "app",
        "xms_mirid": "/subscriptions/00000000-0000-0000-0000-000000000001/resourcegroups/fleetplane/providers/\
                      Microsoft.Web/sites/dev-identity",
        "ver": "1.0"
    });
    let [header, claims] = [header, claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string()));
    format!("{header}.{claims}.")
}

fn client_id() -> Uuid {
    derived("dev identity: application")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::extract::principal;
    use crate::domain::system_data::{IdentityType, Principal};
    use crate::domain::time::from_micros;

    #[test]
    fn the_token_names_an_application() {
        let now = from_micros(1_795_996_800_000_000);
        let token = token("https://localhost/", now, now + TimeDelta::hours(1));
        let headers = [(axum::http::header::AUTHORIZATION, format!("Bearer {token}").parse().unwrap())];
        let expected = Principal { name: client_id().to_string(), kind: IdentityType::Application };
        assert_eq!(principal(&headers.into_iter().collect()), expected);
    }
}
