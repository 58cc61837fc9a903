//! Where new identifiers come from: a port, so that tests see the same ids every time.

use uuid::Uuid;

/// A source of identifiers never handed out before.
pub trait IdSource: Send + Sync {
    /// A new id.
    fn next(&self) -> Uuid;
}

/// The namespace under which ids are derived from names (RFC 9562, version 5), so that a repeated decision names
/// the same operation and repeating it is harmless.
pub const DERIVED: Uuid = Uuid::from_u128(0x9d4a_6c1e_5b0f_4e63_8f57_2b7a_41c0_d9e2);

/// The id that belongs to `name`: the same name always has the same id.
pub fn derived(name: &str) -> Uuid {
    Uuid::new_v5(&DERIVED, name.as_bytes())
}
