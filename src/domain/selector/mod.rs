//! Kubernetes label selectors in their text form, as `memberSelector.byLabel` has them: parsed, and matched.
//!
//! The grammar of labels themselves is in [`labels`](super::labels); which members are asked belongs to the
//! plan. To add an operator, add it to [`Operator`], to the parser's `operator` and to [`Requirement::matches`].
//!
//! ```text
//! selector    = [ requirement { "," requirement } ]
//! requirement = KEY | "!" KEY | KEY ( "=" | "==" | "!=" ) [ VALUE ] | KEY ( "in" | "notin" ) values
//! values      = "(" [ VALUE ] { "," [ VALUE ] } ")"
//! ```
//! White space may stand between any two of these. `in` and `notin` are operators after a key only; anywhere
//! else they are keys and values like others. All requirements must hold.
//!
//! # Caveats
//! - `>` and `<`, which Kubernetes' parser knows, are refused: ARM's contract has no such operators.
//! - Where the reference parser stumbles over certain runs of commas (`x in (a,,)`), the grammar counts: each
//!   place between commas is an empty value.

mod parse;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Why a text is no selector. Positions count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectorError {
    /// Something stands where the grammar wants something else.
    #[error("found {found} at position {position}; expected {expected}")]
    Unexpected {
        /// Where.
        position: usize,
        /// What stands there, in quotes, or "the end".
        found: String,
        /// What could stand there.
        expected: &'static str,
    },
    /// A comparison by size.
    #[error("operator '{operator}' at position {position} is not supported; use =, ==, !=, in or notin")]
    Ordering {
        /// Where.
        position: usize,
        /// `>` or `<`.
        operator: char,
    },
    /// A key or value that no label can have.
    #[error("{problem} (at position {position})")]
    InvalidLabel {
        /// Where it begins.
        position: usize,
        /// What is wrong with it and what would be right.
        problem: String,
    },
}

/// How a requirement relates a label to its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `key=value` or `key==value`.
    Equals,
    /// `key!=value`; holds for objects without the key.
    NotEquals,
    /// `key in (values)`.
    In,
    /// `key notin (values)`; holds for objects without the key.
    NotIn,
    /// `key`.
    Exists,
    /// `!key`.
    DoesNotExist,
}

/// One term of a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    key: String,
    operator: Operator,
    values: BTreeSet<String>,
}

impl Requirement {
    /// The label's key.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// How the label is looked at.
    pub const fn operator(&self) -> Operator {
        self.operator
    }

    /// The values: one for the equalities, at least one for the sets, none for existence.
    pub const fn values(&self) -> &BTreeSet<String> {
        &self.values
    }

    /// Whether an object with `labels` meets this requirement.
    pub fn matches(&self, labels: &BTreeMap<String, String>) -> bool {
        let value = labels.get(&self.key);
        let listed = value.is_some_and(|value| self.values.contains(value));
        match self.operator {
            Operator::Equals | Operator::In => listed,
            Operator::NotEquals | Operator::NotIn => !listed,
            Operator::Exists => value.is_some(),
            Operator::DoesNotExist => value.is_none(),
        }
    }
}

/// A selector: requirements that must all hold. Without any it selects everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelSelector {
    requirements: Vec<Requirement>,
}

impl LabelSelector {
    /// Reads a selector. The empty text is one.
    ///
    /// # Errors
    /// [`SelectorError`] for the first thing that is wrong, and where.
    pub fn parse(text: &str) -> Result<Self, SelectorError> {
        parse::requirements(text).map(|requirements| Self { requirements })
    }

    /// Whether an object with `labels` is selected.
    pub fn matches(&self, labels: &BTreeMap<String, String>) -> bool {
        self.requirements.iter().all(|requirement| requirement.matches(labels))
    }

    /// Whether this is the selector without requirements, `""`.
    pub fn is_empty(&self) -> bool {
        self.requirements.is_empty()
    }

    /// The requirements in the order in which they were written.
    pub fn requirements(&self) -> &[Requirement] {
        &self.requirements
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = self.values.iter().map(String::as_str).collect::<Vec<_>>().join(",");
        let key = &self.key;
        match self.operator {
            Operator::Equals => write!(f, "{key}={values}"),
            Operator::NotEquals => write!(f, "{key}!={values}"),
            Operator::In => write!(f, "{key} in ({values})"),
            Operator::NotIn => write!(f, "{key} notin ({values})"),
            Operator::Exists => f.write_str(key),
            Operator::DoesNotExist => write!(f, "!{key}"),
        }
    }
}

impl fmt::Display for LabelSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms: Vec<String> = self.requirements.iter().map(ToString::to_string).collect();
        f.write_str(&terms.join(","))
    }
}

#[cfg(test)]
mod tests;
