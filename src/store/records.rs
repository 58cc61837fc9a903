//! Every document the service keeps: ARM resources, and its own (operations, releases).
//!
//! They are alike: an id, a parent, a version that only compare-and-set moves, an eTag, a JSON body. So they share
//! one table and one port, and adding a resource adds no SQL. What differs, a run's members, has a port of its own.

use async_trait::async_trait;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::StoreError;
use super::page::ListQuery;
use crate::domain::etag::ETag;
use crate::domain::resource_id::ResourceId;

/// What a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the resource types by their names")]
pub enum Kind {
    ResourceGroup,
    Fleet,
    Member,
    UpdateStrategy,
    UpdateRun,
    Gate,
    AutoUpgradeProfile,
    ManagedNamespace,
    ClusterMeshProfile,
    ManagedCluster,
    Snapshot,
    Operation,
    Release,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 13] = [
        Self::ResourceGroup,
        Self::Fleet,
        Self::Member,
        Self::UpdateStrategy,
        Self::UpdateRun,
        Self::Gate,
        Self::AutoUpgradeProfile,
        Self::ManagedNamespace,
        Self::ClusterMeshProfile,
        Self::ManagedCluster,
        Self::Snapshot,
        Self::Operation,
        Self::Release,
    ];

    /// How the stores write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ResourceGroup => "resourceGroups",
            Self::Fleet => "fleets",
            Self::Member => "members",
            Self::UpdateStrategy => "updateStrategies",
            Self::UpdateRun => "updateRuns",
            Self::Gate => "gates",
            Self::AutoUpgradeProfile => "autoUpgradeProfiles",
            Self::ManagedNamespace => "managedNamespaces",
            Self::ClusterMeshProfile => "clusterMeshProfiles",
            Self::ManagedCluster => "managedClusters",
            Self::Snapshot => "snapshots",
            Self::Operation => "operations",
            Self::Release => "releases",
        }
    }

    /// The kind written as `text`.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// Where a record stands among the others; every part in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locator {
    /// The record's own key, unique over all kinds: the lower-case id.
    pub key: String,
    /// The parent's key: for a top-level resource its group's.
    pub parent: String,
    /// The subscription's GUID.
    pub subscription: String,
    /// The resource group's name; empty for what is in none.
    pub group: String,
    /// The record's name.
    pub name: String,
}

impl From<&ResourceId> for Locator {
    fn from(id: &ResourceId) -> Self {
        Self {
            key: id.key(),
            parent: id.parent().map(|parent| parent.key()).unwrap_or_default(),
            subscription: id.subscription_id().to_ascii_lowercase(),
            group: id.resource_group_name().unwrap_or_default().to_ascii_lowercase(),
            name: id.name().to_ascii_lowercase(),
        }
    }
}

/// A type that is kept as a record. Its JSON form is the stored body: changing it needs a migration.
pub trait Entity: Serialize + DeserializeOwned + Send + Sync {
    /// What it is.
    const KIND: Kind;

    /// Where it stands.
    fn locator(&self) -> Locator;

    /// A key that no other record of this kind may have (a member's cluster), where there is one.
    fn unique_key(&self) -> Option<String> {
        None
    }
}

/// A record as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its key.
    pub key: String,
    /// What it is.
    pub kind: Kind,
    /// `(group, name)`: its place in lists.
    pub place: (String, String),
    /// Moves by one with every write.
    pub version: i64,
    /// The visible tag; several versions may share it (a cluster whose pool changes keeps its own).
    pub etag: ETag,
    /// In the order of creation, over all records.
    pub sequence: i64,
    /// The JSON document.
    pub body: String,
}

impl Record {
    /// The document as its type.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`].
    pub fn decode<E: Entity>(self) -> Result<Stored<E>, StoreError> {
        let entity = serde_json::from_str(&self.body)
            .map_err(|source| StoreError::Corrupt { key: self.key.clone(), source })?;
        Ok(Stored { entity, version: self.version, etag: self.etag, sequence: self.sequence })
    }
}

/// An entity with what the store knows about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored<E> {
    /// The document.
    pub entity: E,
    /// The version that a write of it must name.
    pub version: i64,
    /// Its visible tag.
    pub etag: ETag,
    /// In the order of creation, over all records.
    pub sequence: i64,
}

impl<E> std::ops::Deref for Stored<E> {
    type Target = E;

    fn deref(&self) -> &E {
        &self.entity
    }
}

/// A record to insert, at version 1.
#[derive(Clone, Debug)]
pub struct NewRecord {
    /// Where.
    pub locator: Locator,
    /// What.
    pub kind: Kind,
    /// See [`Entity::unique_key`].
    pub unique: Option<String>,
    /// Its first tag.
    pub etag: ETag,
    /// The JSON document.
    pub body: String,
}

impl NewRecord {
    /// The record of `entity` with its first tag.
    pub fn of<E: Entity>(entity: &E, etag: ETag) -> Self {
        Self {
            locator: entity.locator(),
            kind: E::KIND,
            unique: entity.unique_key(),
            etag,
            body: to_body(entity),
        }
    }
}

/// A compare-and-set on one record.
#[derive(Clone, Debug)]
pub struct Update {
    /// Which.
    pub key: String,
    /// The version the writer saw; the row moves to the next.
    pub expected_version: i64,
    /// The new tag; the same one as before where the write is not visible as a change of this resource.
    pub etag: ETag,
    /// The new document.
    pub body: String,
}

impl Update {
    /// The write of `entity`, read at `expected_version`.
    pub fn of<E: Entity>(entity: &E, expected_version: i64, etag: ETag) -> Self {
        Self { key: entity.locator().key, expected_version, etag, body: to_body(entity) }
    }
}

fn to_body<E: Serialize>(entity: &E) -> String {
    serde_json::to_string(entity).expect("entities have string keys only, so they always serialise")
}

/// The port.
#[async_trait]
pub trait Records: Send {
    /// The record with this key and kind. In a writing transaction the row stays locked until its end, so that a
    /// later compare-and-set cannot lose.
    async fn get(&mut self, kind: Kind, key: &str) -> Result<Option<Record>, StoreError>;

    /// Those of `keys` that exist, ordered by key; locked like [`Records::get`], in that order.
    async fn get_many(&mut self, kind: Kind, keys: &[String]) -> Result<Vec<Record>, StoreError>;

    /// Like [`Records::get_many`], without locking: what a tick looks at but does not write.
    async fn peek_many(&mut self, kind: Kind, keys: &[String]) -> Result<Vec<Record>, StoreError>;

    /// The record of this kind with this [`Entity::unique_key`].
    async fn get_unique(&mut self, kind: Kind, unique: &str) -> Result<Option<Record>, StoreError>;

    /// One page, in the order of `(group, name)`.
    async fn list(&mut self, query: &ListQuery) -> Result<Vec<Record>, StoreError>;

    /// All records of a kind under one parent, in the order of creation, without locking them.
    async fn children(&mut self, kind: Kind, parent: &str) -> Result<Vec<Record>, StoreError>;

    /// All records of a kind, in the order of creation: only for kinds of which there are few (releases, groups).
    async fn all(&mut self, kind: Kind) -> Result<Vec<Record>, StoreError>;

    /// The first `limit` records of a kind that were created after the one with this [`Record::sequence`] (0: from the
    /// first on), in the order of creation, without locking them.
    async fn created_after(
        &mut self,
        kind: Kind,
        sequence: i64,
        limit: u32,
    ) -> Result<Vec<Record>, StoreError>;

    /// How many children of a kind a parent has.
    async fn count(&mut self, kind: Kind, parent: &str) -> Result<u64, StoreError>;

    /// How many records of a kind have each string at `path` in their documents, by that string. Looks at every record
    /// of the kind, once: for `GET /metrics`, not for requests. `path` is as in [`super::JsonEquals`].
    async fn tally(
        &mut self,
        kind: Kind,
        path: &'static [&'static str],
    ) -> Result<Vec<(String, u64)>, StoreError>;

    /// Inserts all or none.
    ///
    /// # Errors
    /// [`StoreError::Exists`] naming a key, or unique key, that is taken. The transaction can still be used only
    /// to be dropped.
    async fn insert(&mut self, records: &[NewRecord]) -> Result<(), StoreError>;

    /// Writes all or none.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] naming a record that is missing or at another version.
    async fn update(&mut self, updates: &[Update]) -> Result<(), StoreError>;

    /// Removes a record at a version.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] where it is missing or at another version.
    async fn delete(&mut self, key: &str, expected_version: i64) -> Result<(), StoreError>;

    /// Removes every record below `key` (not `key` itself), with the run members and work rows of what is removed.
    /// For a resource group's key: everything in the group.
    async fn delete_below(&mut self, key: &str) -> Result<u64, StoreError>;
}
