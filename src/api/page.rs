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
    let (mut values, mut last, mut bytes) = (Vec::new(), None, 0);
    let total = records.len();
    for record in records.into_iter().take(limit as usize) {
        let size = record.body.len() * 2;
        if bytes + size > MAX_BYTES && last.is_some() {
            break;
        }
        bytes += size;
        last = Some(record.place.clone());
        values.push(render(record)?);
    }
    let more = values.len() < total;
    let mut page = json!({ "value": values });
    if let Some(place) = last.filter(|_| more) {
        page["nextLink"] = json!(next_link(call, &place));
    }
    Ok(Json(page).into_response())
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
