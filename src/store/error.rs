//! What can go wrong in storage, as far as a caller can act on it.

/// A failed call of a port.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The row is not at the version the caller saw: somebody wrote meanwhile.
    #[error("the record '{key}' has changed meanwhile")]
    Conflict {
        /// The record's key.
        key: String,
    },
    /// A record with this key, or with this unique key, exists already.
    #[error("'{key}' exists already")]
    Exists {
        /// The key that is taken.
        key: String,
    },
    /// Storage can't be reached now; trying again later may work.
    #[error("storage is unreachable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Another process holds what was asked for.
    #[error("another process holds this database: {0}")]
    Held(String),
    /// Migrations are missing, or the database is from a newer version.
    #[error("the database's schema does not fit: {0}")]
    Schema(String),
    /// A stored document can't be read: a bug, or a database changed by hand.
    #[error("the stored document '{key}' cannot be read")]
    Corrupt {
        /// The record's key.
        key: String,
        /// What the decoder said.
        #[source]
        source: serde_json::Error,
    },
    /// Anything else the database says.
    #[error("the database refused a statement")]
    Database(#[source] Box<dyn std::error::Error + Send + Sync>),
}
