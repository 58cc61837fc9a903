//! A resource on the wire: ARM's envelope, shown as the request's api-version knows it, with its eTag.
//!
//! Each resource says once how its newest form looks ([`Rendered::body`]); everything else is here. To add one,
//! implement [`Rendered`] in its folder.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use super::contract::{ApiVersion, ResourceType, project};
use crate::domain::etag::ETag;
use crate::domain::lifecycle::Lifecycle;
use crate::domain::resource_id::ResourceId;
use crate::domain::system_data::SystemData;
use crate::domain::time::to_rfc3339;
use crate::store::{Entity, Stored};

/// A stored type that is shown as it stands.
pub trait Rendered: Entity {
    /// Its rows in the contract's table; `None` for AKS types, which are shown alike at every version.
    const CONTRACT: Option<&'static ResourceType>;

    /// Its body as the newest version shows it.
    fn body(&self, etag: ETag) -> Value;

    /// Its body as the newest version shows it, to read a request against; the tag is of no matter there.
    fn newest(&self) -> Value {
        self.body(ETag(uuid::Uuid::nil()))
    }

    /// Its body as `version` shows it.
    fn shown(&self, etag: ETag, version: &ApiVersion) -> Value {
        let mut body = self.body(etag);
        if let Some(contract) = Self::CONTRACT {
            project(contract.body, version.fleet(), &mut body);
        }
        body
    }
}

/// ARM's envelope around `properties`.
pub struct Envelope<'a> {
    /// The resource.
    pub id: &'a ResourceId,
    /// The `eTag` member, as it is written.
    pub etag: Option<String>,
    /// Who made and changed it; some have none yet.
    pub system_data: Option<&'a SystemData>,
    /// Members between the type and the eTag: location, tags, identity.
    pub tracked: Vec<(&'static str, Value)>,
    /// The rest.
    pub properties: Value,
}

impl Envelope<'_> {
    /// The whole body; members that are null or empty are left out.
    pub fn into_body(self) -> Value {
        let mut body = Map::new();
        body.insert("id".to_owned(), json!(self.id.to_string()));
        body.insert("name".to_owned(), json!(self.id.name()));
        body.insert("type".to_owned(), json!(self.id.type_name()));
        for (name, value) in self.tracked.into_iter().filter(|(_, value)| !is_empty(value)) {
            body.insert(name.to_owned(), value);
        }
        if let Some(etag) = self.etag {
            body.insert("eTag".to_owned(), Value::String(etag));
        }
        if let Some(system_data) = self.system_data {
            body.insert("systemData".to_owned(), of_system_data(system_data));
        }
        body.insert("properties".to_owned(), self.properties);
        Value::Object(body)
    }
}

/// `systemData` as bodies carry it.
pub fn of_system_data(data: &SystemData) -> Value {
    json!({
        "createdBy": data.created_by,
        "createdByType": data.created_by_type,
        "createdAt": to_rfc3339(data.created_at),
        "lastModifiedBy": data.last_modified_by,
        "lastModifiedByType": data.last_modified_by_type,
        "lastModifiedAt": to_rfc3339(data.last_modified_at),
    })
}

/// `status` of what has long-running operations: the last one.
pub fn last_operation(lifecycle: &Lifecycle) -> Value {
    object([("lastOperationId", json!(lifecycle.operation)), ("lastOperationError", json!(lifecycle.error))])
}

/// An object of these members, without those that are null or empty.
pub fn object(members: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let present = members.into_iter().filter(|(_, value)| !is_empty(value));
    Value::Object(present.map(|(name, value)| (name.to_owned(), value)).collect())
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// An answer with a resource's body and its `ETag` header.
pub fn answer(status: StatusCode, body: &Value, etag: ETag) -> Response {
    let mut response = (status, axum::Json(body)).into_response();
    if let Ok(etag) = HeaderValue::from_str(&etag.quoted()) {
        response.headers_mut().insert(header::ETAG, etag);
    }
    response
}

/// The answer to a GET: the resource, or 304 where the client has this state.
pub fn answer_get<E: Rendered>(call: &super::extract::Call, stored: &Stored<E>) -> Response {
    if call.is_not_modified(stored.etag) {
        return not_modified(stored.etag);
    }
    answer(StatusCode::OK, &stored.entity.shown(stored.etag, &call.version), stored.etag)
}

/// The answer to an action that is done at once: the resource as it is now.
pub fn answer_stored<E: Rendered>(call: &super::extract::Call, stored: &Stored<E>) -> Response {
    answer(StatusCode::OK, &stored.entity.shown(stored.etag, &call.version), stored.etag)
}

/// 304 with the tag it is about.
pub fn not_modified(etag: ETag) -> Response {
    let mut response = StatusCode::NOT_MODIFIED.into_response();
    if let Ok(etag) = HeaderValue::from_str(&etag.quoted()) {
        response.headers_mut().insert(header::ETAG, etag);
    }
    response
}
