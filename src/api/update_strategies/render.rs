//! An update strategy on the wire.

use serde_json::{Value, json};

use crate::api::contract::{ResourceType, table};
use crate::api::resource::{Envelope, Rendered};
use crate::domain::etag::ETag;
use crate::domain::strategy::UpdateStrategy;

impl Rendered for UpdateStrategy {
    const CONTRACT: Option<&'static ResourceType> = Some(&table::strategy::TYPE);

    fn body(&self, etag: ETag) -> Value {
        Envelope {
            id: &self.id,
            etag: Some(etag.quoted()),
            system_data: Some(&self.system_data),
            tracked: Vec::new(),
            properties: json!({ "provisioningState": "Succeeded", "strategy": self.strategy }),
        }
        .into_body()
    }
}
