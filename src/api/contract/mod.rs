//! The ARM contract of the fleet types as one declarative table, and what follows from it.
//!
//! [`table`] says which members there are, what they hold and which api-versions know them. From it alone follow what
//! a request may say ([`read`]), what an answer shows ([`project`]), what of a resource survives a write by a version
//! that does not know it (also [`read`]), and the schemas of the OpenAPI document ([`schema`]). Rules that need more
//! than one member live in the domain.

mod carry;
mod project;
mod read;
pub mod schema;
pub mod shape;
pub mod table;
pub mod version;

pub use project::project;
pub use read::{Method, read};
pub use table::ResourceType;
pub use version::{ApiVersion, FleetVersion, Served, Versions};

#[cfg(test)]
mod tests;
