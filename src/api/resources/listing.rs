//! A page of resources of several types: one type after the other, each by group and name.

use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::wanted::Wanted;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::page::page_of_bodies;
use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::domain::tags::Tags;
use crate::store::{Kind, ListQuery, Record, Scope, StoreError};

/// What is listed, in this order.
const KINDS: [Kind; 3] = [Kind::Fleet, Kind::ManagedCluster, Kind::Snapshot];

/// What the stored documents of these kinds have in common.
#[derive(Deserialize)]
pub(super) struct Tracked {
    pub id: ResourceId,
    pub location: String,
    #[serde(default)]
    pub tags: Tags,
}

impl Tracked {
    fn read(record: &Record) -> Result<Self, StoreError> {
        serde_json::from_str(&record.body)
            .map_err(|source| StoreError::Corrupt { key: record.key.clone(), source })
    }

    fn body(&self) -> Value {
        let mut body = json!({
            "id": self.id,
            "name": self.id.name(),
            "type": self.id.type_name(),
            "location": self.location,
        });
        if !self.tags.is_empty() {
            body["tags"] = json!(self.tags);
        }
        body
    }
}

/// The page that the call asks for.
///
/// # Errors
/// Bad `$top`, `$skipToken` or `$filter`; storage's.
pub(super) async fn answer_resources(call: &Call, scope: &Scope) -> Result<Response, ApiError> {
    let wanted = Wanted::read(call.query.get("$filter"))?;
    let limit = call.query.top()?;
    let (first, mut after) = beginning(call)?;
    let mut found = Vec::new();
    for kind in &KINDS[first..] {
        loop {
            let query = ListQuery {
                kind: *kind,
                scope: scope.clone(),
                filter: Vec::new(),
                after: after.take(),
                limit: limit + 1,
            };
            let records = call.service.page(&query).await?;
            for record in &records {
                let resource = Tracked::read(record)?;
                if wanted.takes(&resource) {
                    found.push((place(*kind, record), resource.body()));
                }
            }
            if found.len() > limit as usize {
                return Ok(page_of_bodies(call, found, limit));
            }
            match records.last() {
                Some(last) if records.len() > limit as usize => after = Some(last.place.clone()),
                _ => break,
            }
        }
    }
    Ok(page_of_bodies(call, found, limit))
}

/// Where a resource stands among those of all kinds: its kind goes before its group.
fn place(kind: Kind, record: &Record) -> (String, String) {
    let (group, name) = &record.place;
    (format!("{}/{group}", kind.as_str()), name.clone())
}

/// The kind that a page begins with, by its number, and after which resource of it.
fn beginning(call: &Call) -> Result<(usize, Option<(String, String)>), Refusal> {
    let Some((group, name)) = call.query.after()? else { return Ok((0, None)) };
    let place = group.split_once('/').and_then(|(kind, group)| {
        let first = KINDS.iter().position(|known| known.as_str() == kind)?;
        Some((first, Some((group.to_owned(), name))))
    });
    place.ok_or_else(|| {
        Refusal::at(
            Code::InvalidSkipToken,
            "$skipToken",
            "The $skipToken is that of another list. Follow the nextLink of a page as it is.",
        )
    })
}
