//! Managed identities of a tracked resource: which kinds it has, and the ids the service gives them.
//!
//! Nothing is authenticated with them; they are shown as ARM shows them. To support a further kind, add it to
//! [`IdentityKind`] and to the contract.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::ids::derived;
use super::refusal::{Code, Faults};
use super::resource_id::ResourceId;

/// The type of the resources that a user assigns as identities.
const USER_ASSIGNED_TYPE: &str = "Microsoft.ManagedIdentity/userAssignedIdentities";

/// Which identities a resource has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "ARM's own names")]
pub enum IdentityKind {
    None,
    SystemAssigned,
    UserAssigned,
    #[serde(rename = "SystemAssigned, UserAssigned")]
    SystemAndUserAssigned,
}

impl IdentityKind {
    /// Whether the service makes one.
    pub fn has_system(self) -> bool {
        matches!(self, Self::SystemAssigned | Self::SystemAndUserAssigned)
    }

    /// Whether the user names some.
    pub fn has_user(self) -> bool {
        matches!(self, Self::UserAssigned | Self::SystemAndUserAssigned)
    }
}

/// A resource's identities; its JSON form is ARM's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Identity {
    /// Which there are.
    #[serde(rename = "type")]
    pub kind: IdentityKind,
    /// The system-assigned one's principal; stays as long as that one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub principal_id: Option<Uuid>,
    /// The tenant of the system-assigned one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<Uuid>,
    /// The user-assigned ones by their resource ids, spelled as sent.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub user_assigned_identities: BTreeMap<String, UserAssigned>,
}

/// What is known of a user-assigned identity: the same wherever it is assigned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "ARM's own names")]
pub struct UserAssigned {
    pub principal_id: Uuid,
    pub client_id: Uuid,
}

/// What a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentitySpec {
    /// Which kinds.
    pub kind: IdentityKind,
    /// Resource ids of user-assigned ones, as sent.
    pub user_assigned: Vec<String>,
}

/// The one tenant that everything belongs to.
pub fn tenant_id() -> Uuid {
    derived("tenant")
}

impl IdentitySpec {
    /// Reads the `identity` of a PUT; `None` where it has none.
    pub fn read(value: &Value, faults: &mut Faults) -> Option<Self> {
        let value = value.get("identity")?;
        let kind = kind_of(value)?;
        let user_assigned = named(value).map(|(id, _)| id.clone()).collect();
        Some(Self { kind, user_assigned }.checked(faults))
    }

    /// The `identity` of a resource after a merge patch: an id whose value is `null` is taken away.
    ///
    /// A patch to a kind without user-assigned identities takes away those that it does not name, so that it need not
    /// list them.
    pub fn patch(value: &Value, existing: Option<&Identity>, faults: &mut Faults) -> Option<Self> {
        if value.is_null() {
            return None;
        }
        let kind = kind_of(value).or(existing.map(|identity| identity.kind));
        let Some(kind) = kind else {
            faults.add(
                Code::RequiredPropertyMissing,
                "identity.type",
                "The resource has no identity yet, so the patch must say of which type it is to be.",
            );
            return None;
        };
        let before = existing.filter(|_| kind.has_user()).map(|identity| &identity.user_assigned_identities);
        let mut user_assigned: Vec<String> = before.into_iter().flatten().map(|(id, _)| id.clone()).collect();
        for (id, change) in named(value) {
            user_assigned.retain(|other| !other.eq_ignore_ascii_case(id));
            if !change.is_null() {
                user_assigned.push(id.clone());
            }
        }
        Some(Self { kind, user_assigned }.checked(faults))
    }

    /// The identity with its ids: those it had already, else new ones; `new_principal` is a fresh id.
    pub fn assign(self, existing: Option<&Identity>, new_principal: Uuid) -> Identity {
        let kept = existing.and_then(|identity| identity.principal_id);
        let system = self.kind.has_system();
        let ids = self.user_assigned.into_iter().map(|id| {
            let key = id.to_ascii_lowercase();
            let assigned = UserAssigned {
                principal_id: derived(&format!("principal of {key}")),
                client_id: derived(&format!("client of {key}")),
            };
            (id, assigned)
        });
        Identity {
            kind: self.kind,
            principal_id: system.then(|| kept.unwrap_or(new_principal)),
            tenant_id: system.then(tenant_id),
            user_assigned_identities: ids.collect(),
        }
    }

    fn checked(self, faults: &mut Faults) -> Self {
        let at = "identity.userAssignedIdentities";
        if self.kind.has_user() && self.user_assigned.is_empty() {
            faults.add(
                Code::RequiredPropertyMissing,
                at,
                "An identity of this type needs at least one user-assigned identity, by its resource id.",
            );
        } else if !self.kind.has_user() && !self.user_assigned.is_empty() {
            faults.add(
                Code::InvalidParameter,
                at,
                "User-assigned identities need the type 'UserAssigned' or 'SystemAssigned, UserAssigned'.",
            );
        }
        for id in self.user_assigned.iter().filter(|id| !is_user_assigned(id)) {
            let shown: String = id.chars().take(80).collect();
            let message = format!("'{shown}' is not the resource id of a {USER_ASSIGNED_TYPE}.");
            faults.add(Code::InvalidParameter, format!("{at}.{shown}"), message);
        }
        self
    }
}

fn kind_of(value: &Value) -> Option<IdentityKind> {
    serde_json::from_value(value.get("type")?.clone()).ok()
}

fn named(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.get("userAssignedIdentities").and_then(Value::as_object).into_iter().flatten()
}

fn is_user_assigned(id: &str) -> bool {
    id.parse::<ResourceId>().is_ok_and(|id| {
        id.resource_group_name().is_some() && id.type_name().eq_ignore_ascii_case(USER_ASSIGNED_TYPE)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const MI: &str =
        "/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/mi";

    fn put(value: &Value) -> Result<Option<IdentitySpec>, super::super::refusal::Refusal> {
        let mut faults = Faults::new();
        let spec = IdentitySpec::read(value, &mut faults);
        faults.finish().map(|()| spec)
    }

    fn system(new: u128, existing: Option<&Identity>) -> Identity {
        let spec = IdentitySpec { kind: IdentityKind::SystemAssigned, user_assigned: Vec::new() };
        spec.assign(existing, Uuid::from_u128(new))
    }

    #[test]
    fn a_system_assigned_principal_stays_while_the_identity_does() {
        let first = system(1, None);
        assert_eq!(first.principal_id, Some(Uuid::from_u128(1)));
        assert_eq!(system(2, Some(&first)), first);
        let none = IdentitySpec { kind: IdentityKind::None, user_assigned: Vec::new() };
        let gone = none.assign(Some(&first), Uuid::from_u128(3));
        assert_eq!((gone.principal_id, gone.tenant_id), (None, None));
        assert_eq!(system(4, Some(&gone)).principal_id, Some(Uuid::from_u128(4)));
    }

    #[test]
    fn a_user_assigned_identity_is_the_same_in_any_casing() {
        let of = |id: String| {
            IdentitySpec { kind: IdentityKind::UserAssigned, user_assigned: vec![id] }
                .assign(None, Uuid::nil())
                .user_assigned_identities
                .into_values()
                .next()
        };
        assert_eq!(of(MI.to_owned()), of(MI.to_uppercase()));
    }

    #[test]
    fn the_type_and_the_identities_named_must_agree() {
        let named = json!({ MI: {} });
        for (kind, ids, valid) in [
            ("UserAssigned", &named, true),
            ("SystemAssigned, UserAssigned", &named, true),
            ("SystemAssigned", &named, false),
            ("None", &json!({}), true),
            ("UserAssigned", &json!({}), false),
            ("UserAssigned", &json!({ "/subscriptions/s": {} }), false),
        ] {
            let body = json!({ "identity": { "type": kind, "userAssignedIdentities": ids } });
            assert_eq!(put(&body).is_ok(), valid, "{body}");
        }
    }

    #[test]
    fn a_patch_adds_and_removes_user_assigned_identities_by_id() {
        let before =
            put(&json!({ "identity": { "type": "UserAssigned", "userAssignedIdentities": { MI: {} } } }));
        let before = before.unwrap().unwrap().assign(None, Uuid::nil());
        let other = MI.replace("/mi", "/other");
        let mut faults = Faults::new();
        let change = json!({ "userAssignedIdentities": { MI.to_uppercase(): null, other.clone(): {} } });
        let after = IdentitySpec::patch(&change, Some(&before), &mut faults).unwrap();
        assert_eq!((faults.is_empty(), after.user_assigned), (true, vec![other]));
        let after = IdentitySpec::patch(&json!({ "type": "None" }), Some(&before), &mut faults).unwrap();
        assert_eq!((faults.is_empty(), after.user_assigned), (true, Vec::new()));
        assert_eq!(IdentitySpec::patch(&Value::Null, Some(&before), &mut faults), None);
    }

    #[test]
    fn a_patch_that_gives_a_first_identity_must_say_its_type() {
        let mut faults = Faults::new();
        IdentitySpec::patch(&json!({}), None, &mut faults);
        assert_eq!(faults.finish().unwrap_err().target.as_deref(), Some("identity.type"));
    }
}
