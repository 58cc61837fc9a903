//! Collections: one keyset page, and the link to the next (the ARM protocol: collections).

use axum::Json;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::error::ApiError;
use super::extract::{Call, skip_token};
use super::resource::Rendered;
use crate::store::{JsonEquals, ListQuery, Record, Scope, StoreError};

/// A page stays below 8 MB; what does not fit goes to the next.
const MAX_BYTES: usize = 7_500_000;

/// The page of resources `E` in `scope` that the call asks for.
///
/// # Errors
/// Bad `$top` or `$skipToken`; storage's.
pub async fn answer_page<E: Rendered>(
    call: &Call,
    scope: Scope,
    filter: Vec<JsonEquals>,
) -> Result<Response, ApiError> {
    let limit = call.query.top()?;
    let query = ListQuery { kind: E::KIND, scope, filter, after: call.query.after()?, limit: limit + 1 };
    let records = call.service.page(&query).await?;
    page_of(call, records, limit, |record| {
        let stored = record.decode::<E>()?;
        Ok(stored.entity.shown(stored.etag, &call.version))
    })
}

/// A page of `records`, of which one more than `limit` was asked for, to know whether there are more.
///
/// # Errors
/// What `render` says.
pub fn page_of(
    call: &Call,
    records: Vec<Record>,
    limit: u32,
    render: impl Fn(Record) -> Result<Value, StoreError>,
) -> Result<Response, ApiError> {
    let total = records.len();
    let mut page = Page::new();
    for record in records.into_iter().take(limit as usize) {
        if !page.has_room_for(record.body.len() * 2) {
            break;
        }
        let place = record.place.clone();
        page.push(place, render(record)?);
    }
    Ok(page.answer(call, total))
}

/// A page of bodies that are rendered already, of which one more than `limit` was asked for.
pub fn page_of_bodies(call: &Call, bodies: Vec<((String, String), Value)>, limit: u32) -> Response {
    let total = bodies.len();
    let mut page = Page::new();
    for (place, body) in bodies.into_iter().take(limit as usize) {
        if !page.has_room_for(body.to_string().len()) {
            break;
        }
        page.push(place, body);
    }
    page.answer(call, total)
}

/// A page being filled; its first resource always finds room.
struct Page {
    values: Vec<Value>,
    last: Option<(String, String)>,
    bytes: usize,
}

impl Page {
    fn new() -> Self {
        Self { values: Vec::new(), last: None, bytes: 0 }
    }

    fn has_room_for(&mut self, bytes: usize) -> bool {
        self.bytes += bytes;
        self.values.is_empty() || self.bytes <= MAX_BYTES
    }

    fn push(&mut self, place: (String, String), body: Value) {
        self.last = Some(place);
        self.values.push(body);
    }

    /// The answer; of `total` resources that were found, those left over are behind the link.
    fn answer(self, call: &Call, total: usize) -> Response {
        let more = self.values.len() < total;
        let mut page = json!({ "value": self.values });
        if let Some(place) = self.last.filter(|_| more) {
            page["nextLink"] = json!(next_link(call, &place));
        }
        Json(page).into_response()
    }
}

/// A page of parts of one document, each under the name by which it stands in the list.
///
/// # Errors
/// Bad `$top` or `$skipToken`.
pub fn answer_parts(call: &Call, parts: Vec<(String, Value)>) -> Result<Response, ApiError> {
    let (limit, after) = (call.query.top()?, call.query.after()?.map(|(_, name)| name));
    let placed = parts.into_iter().map(|(name, body)| ((String::new(), name.to_ascii_lowercase()), body));
    let is_later = |name: &String| after.as_ref().is_none_or(|after| name > after);
    let mut bodies: Vec<_> = placed.filter(|((_, name), _)| is_later(name)).collect();
    bodies.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(page_of_bodies(call, bodies, limit))
}

fn next_link(call: &Call, after: &(String, String)) -> String {
    let kept = ["api-version", "$filter", "$top"].into_iter();
    let mut query: Vec<String> =
        kept.filter_map(|key| Some(format!("{}={}", encoded(key), encoded(call.query.get(key)?)))).collect();
    query.push(format!("{}={}", encoded("$skipToken"), encoded(&skip_token(after))));
    call.base.url(&format!("{}?{}", call.path, query.join("&")))
}

/// `text` with everything but letters, digits and `-._~$` as `%xx`.
fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~$".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
