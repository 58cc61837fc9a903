//! What `listClusterUserCredential` and `listClusterAdminCredential` answer.

use super::super::super::shape::{Member, Object, Shape};

/// The kubeconfigs of a role.
pub static CREDENTIALS: Object = Object::new(
    "CredentialResults",
    &[Member::new("kubeconfigs", Shape::List(&Shape::Object(&CREDENTIAL))).read_only()],
);

static CREDENTIAL: Object = Object::new(
    "CredentialResult",
    &[
        Member::new("name", Shape::Text).read_only(),
        Member::new("value", Shape::Text).read_only().says("A kubeconfig in base64. It leads nowhere."),
    ],
);
