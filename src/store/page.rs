//! Keyset paging: what a list asks for (the ARM protocol: collections).

use super::records::Kind;

/// Where a list looks. Keys are lower-case ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Children of one resource, or resources of one group, by name.
    Parent(String),
    /// A subscription's resources, by group, then name. The subscription's GUID in lower case.
    Subscription(String),
}

/// A condition on a stored document: the member at `path` is the string `value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonEquals {
    /// Member names from the document's root inwards; plain words only, given by code, never by a user.
    pub path: &'static [&'static str],
    /// The value to equal.
    pub value: String,
    /// Whether case is ignored (ids and names).
    pub ignore_case: bool,
}

/// One page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListQuery {
    /// What to list.
    pub kind: Kind,
    /// Where.
    pub scope: Scope,
    /// Conditions that all must hold.
    pub filter: Vec<JsonEquals>,
    /// `(group, name)`, lower case, of the last record of the page before; for a parent's children the group is ignored.
    pub after: Option<(String, String)>,
    /// How many records at most.
    pub limit: u32,
}
