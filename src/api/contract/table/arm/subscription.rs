//! Subscriptions and tenants.

use super::super::super::shape::{Member, Object, Shape};

/// A subscription.
pub static SUBSCRIPTION: Object = Object::new(
    "Subscription",
    &[
        Member::new("id", Shape::Text).required(),
        Member::new("subscriptionId", Shape::Text).required(),
        Member::new("tenantId", Shape::Text).required(),
        Member::new("displayName", Shape::Text).required(),
        Member::new("state", Shape::Text).required(),
        Member::new("subscriptionPolicies", Shape::Object(&POLICIES)).required(),
        Member::new("authorizationSource", Shape::Text).required(),
        Member::new("managedByTenants", Shape::List(&Shape::Any)).required(),
    ],
);

static POLICIES: Object = Object::new(
    "SubscriptionPolicies",
    &[
        Member::new("locationPlacementId", Shape::Text).required(),
        Member::new("quotaId", Shape::Text).required(),
        Member::new("spendingLimit", Shape::Text).required(),
    ],
);

/// The tenant.
pub static TENANT: Object = Object::new(
    "TenantIdDescription",
    &[
        Member::new("id", Shape::Text).required(),
        Member::new("tenantId", Shape::Text).required(),
        Member::new("displayName", Shape::Text).required(),
        Member::new("tenantCategory", Shape::Text).required(),
    ],
);
