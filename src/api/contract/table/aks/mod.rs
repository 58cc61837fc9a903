//! The AKS types, as far as the service reads and writes them.
//!
//! Their surface is far larger than what is simulated. Members that the service checks or shows are here with their
//! shapes; those that it keeps and echoes are named with any shape, and their objects are open for yet others. Requests
//! are read by the domain, not by these tables; every answer in the tests is checked against them.

pub mod agent_pool;
pub mod credentials;
pub mod kubernetes_version;
pub mod maintenance;
pub mod managed_cluster;
pub mod node_image;
pub mod snapshot;
pub mod upgrade_profile;

use super::super::shape::{Member, Object, Shape, value};
use super::shared::TAGS;

/// What a PATCH takes: tags and nothing else.
pub static TAGS_OBJECT: Object = Object::new("TagsObject", &[TAGS]);

/// A member that is kept as it was sent and echoed, whatever it is.
const fn echoed(name: &'static str) -> Member {
    Member::new(name, Shape::Any)
}

/// The eTag of an AKS type: bare, without quotes.
const ETAG: Member = Member::new("eTag", Shape::Text).read_only().says("The eTag, without quotes.");

/// `provisioningState` of clusters and pools.
const PROVISIONING_STATE: Member = Member::new(
    "provisioningState",
    Shape::Choice(&[
        value("Creating"),
        value("Updating"),
        value("Deleting"),
        value("Succeeded"),
        value("Failed"),
        value("Canceled"),
    ]),
)
.read_only();

const POWER_STATE: Member = Member::new("powerState", Shape::Object(&POWER)).read_only();

static POWER: Object = Object::new(
    "PowerState",
    &[Member::new("code", Shape::Choice(&[value("Running"), value("Stopped")])).read_only()],
);

const OS_TYPE: Member = Member::new("osType", Shape::Choice(&[value("Linux"), value("Windows")]));

const CREATION_DATA: Member = Member::new("creationData", Shape::Object(&CREATION));

static CREATION: Object = Object::new(
    "CreationData",
    &[Member::new("sourceResourceId", Shape::Text)
        .says("Of a pool: the snapshot it is made from. Of a snapshot: the pool it is of.")],
)
.open();

/// `[v]MAJOR.MINOR[.PATCH]`, or empty.
const KUBERNETES_VERSION: &str = r"^(v?\d+\.\d+(\.\d+)?)?$";
