//! `snapshots`: versions and images of agent pools, from which others are made.

pub mod delete;
pub mod get;
pub mod list_by_group;
pub mod list_by_subscription;
pub mod patch;
pub mod put;

use serde_json::Value;

use super::contract::ResourceType;
use super::resource::Rendered;
use crate::domain::etag::ETag;
use crate::domain::snapshot::Snapshot;

impl Rendered for Snapshot {
    const CONTRACT: Option<&'static ResourceType> = None;

    fn body(&self, etag: ETag) -> Value {
        self.view(etag)
    }
}
