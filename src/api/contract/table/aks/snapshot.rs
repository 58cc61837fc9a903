//! `snapshots`.

use super::super::super::shape::{Member, Object, Shape};
use super::super::shared::{ID, NAME, SYSTEM_DATA, TAGS, TYPE as KIND};
use super::{CREATION_DATA, ETAG, OS_TYPE, echoed};

/// The type.
pub static SNAPSHOT: Object = Object::new(
    "Snapshot",
    &[
        ID,
        NAME,
        KIND,
        Member::new("location", Shape::Text).says("A region of the catalogue; required of a new snapshot."),
        TAGS,
        ETAG,
        SYSTEM_DATA,
        Member::new("properties", Shape::Object(&PROPERTIES)),
    ],
)
.open();

static PROPERTIES: Object = Object::new(
    "SnapshotProperties",
    &[
        CREATION_DATA,
        echoed("snapshotType"),
        Member::new("kubernetesVersion", Shape::Text)
            .read_only()
            .says("The version that the pool's nodes ran."),
        Member::new("nodeImageVersion", Shape::Text).read_only().says("The image that they ran."),
        OS_TYPE.read_only(),
        Member::new("osSku", Shape::Text).read_only(),
    ],
)
.open();
