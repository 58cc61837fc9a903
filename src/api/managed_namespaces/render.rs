//! A managed namespace on the wire.

use serde_json::{Map, Value, json};

use crate::api::contract::{ResourceType, table};
use crate::api::resource::{Envelope, Rendered, last_operation};
use crate::domain::etag::ETag;
use crate::domain::namespace::ManagedNamespace;

impl Rendered for ManagedNamespace {
    const CONTRACT: Option<&'static ResourceType> = Some(&table::namespace::TYPE);

    fn body(&self, etag: ETag) -> Value {
        let mut properties = Map::new();
        properties.insert("provisioningState".to_owned(), json!(self.lifecycle.state));
        properties.extend(self.shown_settings());
        properties.insert("status".to_owned(), last_operation(&self.lifecycle));
        properties.insert("portalFqdn".to_owned(), json!(self.portal_fqdn));
        Envelope {
            id: &self.id,
            etag: Some(etag.quoted()),
            system_data: Some(&self.system_data),
            tracked: vec![("location", json!(self.location)), ("tags", json!(self.tags))],
            properties: Value::Object(properties),
        }
        .into_body()
    }
}
