//! The vocabulary of the contract's table: objects, their members, what a member may hold.
//!
//! Constants only, built by `const fn`s so that the table reads as a table. What is done with it is elsewhere.

use super::version::{FleetVersion, Versions};
use crate::domain::refusal::Code;

/// What a member holds.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A string.
    Text,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// An RFC 3339 instant.
    Timestamp,
    /// One of these strings; accepted without case, kept in theirs.
    Choice(&'static [Choice]),
    /// A list of one shape.
    List(&'static Shape),
    /// Any keys, values of one shape.
    Map(&'static Shape),
    /// An object.
    Object(&'static Object),
    /// One of these shapes; never in a fleet type.
    AnyOf(&'static [Shape]),
    /// Whatever it is.
    Any,
}

/// One value of a [`Shape::Choice`].
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The value, canonical.
    pub value: &'static str,
    /// The versions that know it.
    pub versions: Versions,
    /// How it reads at other versions; `None`: as it is.
    pub reads: Option<&'static str>,
}

/// An object type.
#[derive(Debug)]
pub struct Object {
    /// Its name in the OpenAPI document.
    pub name: &'static str,
    /// Its members, in the order in which they are answered.
    pub members: &'static [Member],
    /// The members by which an element of a list is the same one as before; empty: its place.
    pub identity: &'static [&'static str],
    /// Whether an element is the same one in whichever list of this type it stands.
    pub anywhere: bool,
    /// Whether members that are not in the table are kept and echoed; else requests with such are refused.
    pub open: bool,
}

/// One member of an object.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub shape: Shape,
    /// Whether requests' values of it are ignored.
    pub read_only: bool,
    /// Whether it must be there, and with which code its absence is refused.
    pub required: Option<Code>,
    /// Whether a PUT that lacks it leaves it as it is.
    pub kept: bool,
    /// Whether its value, once given, may not change.
    pub immutable: bool,
    /// The versions that know it.
    pub versions: Versions,
    /// What it is, for the OpenAPI document; empty where its name says it.
    pub says: &'static str,
    /// What the OpenAPI document says about its values. The domain is what refuses others.
    pub limits: Limits,
}

/// What values a member may have, beyond their shape.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How a text is spelled: a regular expression as JSON schemas have it.
    pub pattern: Option<&'static str>,
    /// The least number, length or count, and the greatest.
    pub range: Option<(i64, i64)>,
}

impl Limits {
    /// Any value.
    pub const NONE: Self = Self { pattern: None, range: None };
}

impl Object {
    /// An object type without identity.
    pub const fn new(name: &'static str, members: &'static [Member]) -> Self {
        Self { name, members, identity: &[], anywhere: false, open: false }
    }

    /// With whatever else clients send, kept and echoed.
    #[must_use]
    pub const fn open(self) -> Self {
        Self { open: true, ..self }
    }

    /// With an identity.
    #[must_use]
    pub const fn identified_by(self, identity: &'static [&'static str]) -> Self {
        Self { identity, ..self }
    }

    /// The same wherever it stands.
    #[must_use]
    pub const fn wherever_it_stands(self) -> Self {
        Self { anywhere: true, ..self }
    }

    /// The member of this name.
    pub fn member(&self, name: &str) -> Option<&'static Member> {
        self.members.iter().find(|member| member.name == name)
    }
}

impl Member {
    /// An optional member that every version knows.
    pub const fn new(name: &'static str, shape: Shape) -> Self {
        Self {
            name,
            shape,
            read_only: false,
            required: None,
            kept: false,
            immutable: false,
            versions: Versions::ALL,
            says: "",
            limits: Limits::NONE,
        }
    }

    /// Ignored in requests.
    #[must_use]
    pub const fn read_only(self) -> Self {
        Self { read_only: true, ..self }
    }

    /// Must be there.
    #[must_use]
    pub const fn required(self) -> Self {
        self.required_or(Code::RequiredPropertyMissing)
    }

    /// Must be there, or the request is refused with this code.
    #[must_use]
    pub const fn required_or(self, code: Code) -> Self {
        Self { required: Some(code), ..self }
    }

    /// Left as it is by a PUT that lacks it.
    #[must_use]
    pub const fn kept(self) -> Self {
        Self { kept: true, ..self }
    }

    /// Never changes, and is left as it is by a PUT that lacks it.
    #[must_use]
    pub const fn immutable(self) -> Self {
        Self { immutable: true, ..self.kept() }
    }

    /// With a sentence about it.
    #[must_use]
    pub const fn says(self, says: &'static str) -> Self {
        Self { says, ..self }
    }

    /// Spelled so.
    #[must_use]
    pub const fn spelled(self, pattern: &'static str) -> Self {
        Self { limits: Limits { pattern: Some(pattern), ..self.limits }, ..self }
    }

    /// No less and no greater, shorter, longer, fewer or more.
    #[must_use]
    pub const fn within(self, least: i64, most: i64) -> Self {
        Self { limits: Limits { range: Some((least, most)), ..self.limits }, ..self }
    }

    /// Known to these versions only.
    #[must_use]
    pub const fn at(self, versions: Versions) -> Self {
        Self { versions, ..self }
    }
}

/// A value that every version knows.
pub const fn value(value: &'static str) -> Choice {
    Choice { value, versions: Versions::ALL, reads: None }
}

/// A value that some versions know.
pub const fn value_at(value: &'static str, versions: Versions) -> Choice {
    Choice { value, versions, reads: None }
}

impl Choice {
    /// Reads as `other` at versions that do not know it.
    #[must_use]
    pub const fn else_reads(self, other: &'static str) -> Self {
        Self { reads: Some(other), ..self }
    }

    /// Whether `version` knows it.
    pub fn known_at(&self, version: FleetVersion) -> bool {
        self.versions.contains(version)
    }
}
