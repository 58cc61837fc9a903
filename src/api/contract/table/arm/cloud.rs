//! The service as a cloud of its own, and the tokens of its development identity.

use super::super::super::shape::{Member, Object, Shape, value};
use super::super::shared::TEXT_LIST;

/// The endpoints of the cloud: all are the service itself.
pub static CLOUD: Object = Object::new(
    "CloudMetadata",
    &[
        required("name"),
        required("portal"),
        required("resourceManager"),
        Member::new("authentication", Shape::Object(&AUTHENTICATION)).required(),
        required("graph"),
        required("graphAudience"),
        required("microsoftGraphResourceId"),
        required("media"),
        required("batch"),
        required("gallery"),
        required("sqlManagement"),
        required("vmImageAliasDoc"),
        required("activeDirectoryDataLake"),
        Member::new("suffixes", Shape::Object(&SUFFIXES)).required(),
    ],
);

static AUTHENTICATION: Object = Object::new(
    "CloudAuthentication",
    &[
        required("loginEndpoint"),
        Member::new("audiences", TEXT_LIST).required(),
        required("tenant"),
        required("identityProvider"),
    ],
);

static SUFFIXES: Object = Object::new(
    "CloudSuffixes",
    &[
        required("storage"),
        required("keyVaultDns"),
        required("sqlServerHostname"),
        required("acrLoginServer"),
    ],
);

/// A token of the development identity.
pub static TOKEN: Object = Object::new(
    "IdentityToken",
    &[
        required("access_token").says("An unsecured JSON Web Token of an application."),
        required("expires_on").says("Seconds since 1970."),
        required("resource"),
        Member::new("token_type", Shape::Choice(&[value("Bearer")])).required(),
        required("client_id"),
    ],
);

const fn required(name: &'static str) -> Member {
    Member::new(name, Shape::Text).required()
}
