//! `fleets`.

use super::super::shape::{Member, Object, Shape, value};
use super::super::version::Versions;
use super::shared::{ETAG, ID, LONG_RUNNING, NAME, OPERATION_STATUS, SYSTEM_DATA, TAGS, TYPE as KIND};
use super::{HUB, ResourceType, STATUS, VNET};
use crate::domain::refusal::Code;

/// The type.
pub static TYPE: ResourceType = ResourceType { path: "fleets", body: &FLEET, versions: Versions::ALL };

static FLEET: Object = Object::new(
    "Fleet",
    &[
        ID,
        NAME,
        KIND,
        Member::new("location", Shape::Text).required_or(Code::LocationRequired).kept(),
        TAGS,
        Member::new("identity", Shape::Object(&IDENTITY)),
        ETAG,
        SYSTEM_DATA,
        Member::new("properties", Shape::Object(&PROPERTIES)),
    ],
);

/// What PATCH takes.
pub static PATCH: Object =
    Object::new("FleetPatch", &[TAGS, Member::new("identity", Shape::Object(&IDENTITY))]);

static PROPERTIES: Object = Object::new(
    "FleetProperties",
    &[
        LONG_RUNNING,
        Member::new("hubProfile", Shape::Object(&HUB_PROFILE)).kept().at(HUB),
        Member::new("status", Shape::Object(&OPERATION_STATUS)).read_only().at(STATUS),
    ],
);

static HUB_PROFILE: Object = Object::new(
    "FleetHubProfile",
    &[
        Member::new("dnsPrefix", Shape::Text).immutable(),
        Member::new("apiServerAccessProfile", Shape::Object(&API_SERVER)).kept(),
        Member::new("agentProfile", Shape::Object(&AGENT)).kept(),
        Member::new("fqdn", Shape::Text).read_only(),
        Member::new("kubernetesVersion", Shape::Text).read_only(),
        Member::new("portalFqdn", Shape::Text).read_only(),
    ],
);

static API_SERVER: Object = Object::new(
    "APIServerAccessProfile",
    &[
        Member::new("enablePrivateCluster", Shape::Boolean).immutable(),
        Member::new("enableVnetIntegration", Shape::Boolean).immutable().at(VNET),
        Member::new("subnetId", Shape::Text).immutable().at(VNET),
    ],
);

static AGENT: Object = Object::new(
    "AgentProfile",
    &[Member::new("subnetId", Shape::Text).immutable(), Member::new("vmSize", Shape::Text).immutable()],
);

static IDENTITY: Object = Object::new(
    "ManagedServiceIdentity",
    &[
        Member::new("principalId", Shape::Text).read_only(),
        Member::new("tenantId", Shape::Text).read_only(),
        Member::new(
            "type",
            Shape::Choice(&[
                value("None"),
                value("SystemAssigned"),
                value("UserAssigned"),
                value("SystemAssigned, UserAssigned"),
            ]),
        )
        .required(),
        Member::new("userAssignedIdentities", Shape::Map(&Shape::Object(&USER_ASSIGNED))),
    ],
);

static USER_ASSIGNED: Object = Object::new(
    "UserAssignedIdentity",
    &[Member::new("principalId", Shape::Text).read_only(), Member::new("clientId", Shape::Text).read_only()],
);

/// What `listCredentials` answers.
pub static CREDENTIALS: Object = Object::new(
    "FleetCredentialResults",
    &[Member::new("kubeconfigs", Shape::List(&Shape::Object(&CREDENTIAL))).read_only()],
);

static CREDENTIAL: Object = Object::new(
    "FleetCredentialResult",
    &[Member::new("name", Shape::Text).read_only(), Member::new("value", Shape::Text).read_only()],
);
