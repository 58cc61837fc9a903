//! A resource group on the wire. It has no eTag: the preconditions' table leaves groups out.

use serde_json::{Value, json};

use crate::api::contract::ResourceType;
use crate::api::resource::{Envelope, Rendered};
use crate::domain::etag::ETag;
use crate::domain::resource_group::ResourceGroup;

impl Rendered for ResourceGroup {
    const CONTRACT: Option<&'static ResourceType> = None;

    fn body(&self, _: ETag) -> Value {
        Envelope {
            id: &self.id,
            etag: None,
            system_data: None,
            tracked: vec![
                ("location", json!(self.location)),
                ("managedBy", json!(self.managed_by)),
                ("tags", json!(self.tags)),
            ],
            properties: json!({ "provisioningState": self.lifecycle.state }),
        }
        .into_body()
    }
}
