//! Objects that several types use.

use super::super::shape::{Member, Object, Shape, value};

const TEXT: Shape = Shape::Text;

/// Strings by string keys: tags, labels.
pub const TEXT_MAP: Shape = Shape::Map(&TEXT);
/// A list of strings.
pub const TEXT_LIST: Shape = Shape::List(&TEXT);

/// How a GUID is spelled.
pub const GUID: &str = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";

/// The id of a resource.
pub const ID: Member = Member::new("id", TEXT).read_only();
/// Its name.
pub const NAME: Member = Member::new("name", TEXT).read_only();
/// Its type.
pub const TYPE: Member = Member::new("type", TEXT).read_only();
/// Its eTag, quotes included.
pub const ETAG: Member = Member::new("eTag", TEXT).read_only();
/// Who made and changed it.
pub const SYSTEM_DATA: Member = Member::new("systemData", Shape::Object(&SYSTEM_DATA_OBJECT)).read_only();
/// The tags of a tracked resource.
pub const TAGS: Member = Member::new("tags", TEXT_MAP);

static SYSTEM_DATA_OBJECT: Object = Object::new(
    "SystemData",
    &[
        Member::new("createdBy", TEXT),
        Member::new("createdByType", CREATED_BY),
        Member::new("createdAt", Shape::Timestamp),
        Member::new("lastModifiedBy", TEXT),
        Member::new("lastModifiedByType", CREATED_BY),
        Member::new("lastModifiedAt", Shape::Timestamp),
    ],
);

const CREATED_BY: Shape =
    Shape::Choice(&[value("User"), value("Application"), value("ManagedIdentity"), value("Key")]);

/// `provisioningState` of what is written at once.
pub const DONE_AT_ONCE: Member = Member::new(
    "provisioningState",
    Shape::Choice(&[value("Succeeded"), value("Failed"), value("Canceled")]),
)
.read_only();

/// `provisioningState` of what has long-running operations.
pub const LONG_RUNNING: Member = Member::new(
    "provisioningState",
    Shape::Choice(&[
        value("Succeeded"),
        value("Failed"),
        value("Canceled"),
        value("Creating"),
        value("Updating"),
        value("Deleting"),
    ]),
)
.read_only();

/// An error in a body.
pub static ERROR: Object = Object::new(
    "ErrorDetail",
    &[
        Member::new("code", TEXT).read_only(),
        Member::new("message", TEXT).read_only(),
        Member::new("target", TEXT).read_only(),
        Member::new("details", Shape::List(&Shape::Object(&ERROR))).read_only(),
        Member::new("additionalInfo", Shape::List(&Shape::Object(&ADDITIONAL_INFO))).read_only(),
    ],
);

static ADDITIONAL_INFO: Object = Object::new(
    "ErrorAdditionalInfo",
    &[Member::new("type", TEXT).read_only(), Member::new("info", Shape::Any).read_only()],
);

/// The status of what has long-running operations.
pub static OPERATION_STATUS: Object = Object::new(
    "LastOperation",
    &[
        Member::new("lastOperationId", TEXT).read_only(),
        Member::new("lastOperationError", Shape::Object(&ERROR)).read_only(),
    ],
);

/// A choice of members by label.
pub static MEMBER_SELECTOR: Object =
    Object::new("MemberSelector", &[Member::new("byLabel", TEXT).required()]);
