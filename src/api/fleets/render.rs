//! A fleet on the wire.

use serde_json::{Value, json};

use crate::api::contract::{ResourceType, table};
use crate::api::resource::{Envelope, Rendered, last_operation, object};
use crate::domain::etag::ETag;
use crate::domain::fleet::Fleet;

impl Rendered for Fleet {
    const CONTRACT: Option<&'static ResourceType> = Some(&table::fleet::TYPE);

    fn body(&self, etag: ETag) -> Value {
        Envelope {
            id: &self.id,
            etag: Some(etag.quoted()),
            system_data: Some(&self.system_data),
            tracked: vec![
                ("location", json!(self.location)),
                ("tags", json!(self.tags)),
                ("identity", json!(self.identity)),
            ],
            properties: object([
                ("provisioningState", json!(self.lifecycle.state)),
                ("hubProfile", json!(self.hub_profile)),
                ("status", last_operation(&self.lifecycle)),
            ]),
        }
        .into_body()
    }
}
