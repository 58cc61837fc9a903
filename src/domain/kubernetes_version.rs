//! Kubernetes versions as this service compares them: exact versions, minors, and what a user may ask for.
//!
//! No catalogue knowledge lives here (which versions exist, where, or which are supported): these are numbers
//! and their order. To accept one more spelling, extend [`RequestedVersion`]'s parser and its table of tests.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Why a text is no Kubernetes version. The message says what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VersionError {
    /// Not `MAJOR.MINOR.PATCH`, where an exact version is needed.
    #[error("'{0}' is not an exact Kubernetes version; expected MAJOR.MINOR.PATCH, such as 1.36.5")]
    NotExact(String),
    /// Not `MAJOR.MINOR`, where a minor is needed.
    #[error("'{0}' is not a Kubernetes minor version; expected MAJOR.MINOR, such as 1.36")]
    NotMinor(String),
    /// Neither of the two forms that a user may ask for.
    #[error("'{0}' is not a Kubernetes version; expected [v]MAJOR.MINOR[.PATCH], such as 1.36 or v1.36.5")]
    NotRequestable(String),
}

/// A minor version, such as `1.36`: what support, skew and "how far behind" are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Minor {
    /// The first number.
    pub major: u16,
    /// The second number.
    pub minor: u16,
}

impl Minor {
    /// The minor `major.minor`.
    pub const fn new(major: u16, minor: u16) -> Self {
        Self { major, minor }
    }

    /// The minor that follows this one within the same major: the furthest that one upgrade may reach.
    pub const fn next(self) -> Self {
        Self { major: self.major, minor: self.minor.saturating_add(1) }
    }
}

/// An exact version, such as `1.36.5`, ordered by its numbers (`1.9.0 < 1.10.0`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct KubernetesVersion {
    /// The first number.
    pub major: u16,
    /// The second number.
    pub minor: u16,
    /// The third number.
    pub patch: u16,
}

impl KubernetesVersion {
    /// The version `major.minor.patch`.
    pub const fn new(major: u16, minor: u16, patch: u16) -> Self {
        Self { major, minor, patch }
    }

    /// The minor this version is a patch of.
    pub const fn minor_version(self) -> Minor {
        Minor::new(self.major, self.minor)
    }
}

/// How many minors `a` is ahead of `b`: 0 for the same minor, negative when `a` is behind.
///
/// A change of major counts as more minors than any one major can have, so that "at most one minor" rules
/// refuse it without a case of their own.
pub fn minors_ahead(a: Minor, b: Minor) -> i64 {
    let minors_in_a_major = i64::from(u16::MAX) + 1;
    let majors = i64::from(a.major) - i64::from(b.major);
    majors * minors_in_a_major + i64::from(a.minor) - i64::from(b.minor)
}

/// A version as a user may ask for it: `[v]MAJOR.MINOR[.PATCH]`.
///
/// The text itself is echoed as it was sent, so whoever stores a request keeps it next to this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RequestedVersion {
    /// One patch, taken literally.
    Exact(KubernetesVersion),
    /// A minor, standing for a patch of it that the catalogue names.
    Alias(Minor),
}

impl RequestedVersion {
    /// The minor that was asked for, in either form.
    pub const fn minor_version(self) -> Minor {
        match self {
            Self::Exact(version) => version.minor_version(),
            Self::Alias(minor) => minor,
        }
    }

    /// Whether `version` is what was asked for: the same patch, or any patch of the alias's minor.
    pub fn admits(self, version: KubernetesVersion) -> bool {
        match self {
            Self::Exact(exact) => exact == version,
            Self::Alias(minor) => minor == version.minor_version(),
        }
    }
}

/// One number of a version: digits without sign or leading zeros, at most 65535.
fn number(text: &str) -> Option<u16> {
    let canonical = text.bytes().all(|b| b.is_ascii_digit()) && (text.len() == 1 || !text.starts_with('0'));
    if canonical { text.parse().ok() } else { None }
}

fn parse(text: &str) -> Option<RequestedVersion> {
    let mut parts = text.split('.');
    let major = number(parts.next()?)?;
    let minor = number(parts.next()?)?;
    let Some(patch) = parts.next() else { return Some(RequestedVersion::Alias(Minor::new(major, minor))) };
    let exact = KubernetesVersion::new(major, minor, number(patch)?);
    parts.next().is_none().then_some(RequestedVersion::Exact(exact))
}

impl FromStr for KubernetesVersion {
    type Err = VersionError;

    /// Reads `MAJOR.MINOR.PATCH`, without a `v`: this is the form the service itself writes.
    fn from_str(text: &str) -> Result<Self, VersionError> {
        match parse(text) {
            Some(RequestedVersion::Exact(version)) => Ok(version),
            _ => Err(VersionError::NotExact(text.to_owned())),
        }
    }
}

impl FromStr for Minor {
    type Err = VersionError;

    /// Reads `MAJOR.MINOR`, without a `v`.
    fn from_str(text: &str) -> Result<Self, VersionError> {
        match parse(text) {
            Some(RequestedVersion::Alias(minor)) => Ok(minor),
            _ => Err(VersionError::NotMinor(text.to_owned())),
        }
    }
}

impl FromStr for RequestedVersion {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        let numbers = text.strip_prefix('v').unwrap_or(text);
        parse(numbers).ok_or_else(|| VersionError::NotRequestable(text.to_owned()))
    }
}

impl fmt::Display for Minor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl fmt::Display for KubernetesVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl fmt::Display for RequestedVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(version) => version.fmt(f),
            Self::Alias(minor) => minor.fmt(f),
        }
    }
}

impl TryFrom<String> for KubernetesVersion {
    type Error = VersionError;

    fn try_from(text: String) -> Result<Self, VersionError> {
        text.parse()
    }
}

impl From<KubernetesVersion> for String {
    fn from(version: KubernetesVersion) -> Self {
        version.to_string()
    }
}

impl TryFrom<String> for Minor {
    type Error = VersionError;

    fn try_from(text: String) -> Result<Self, VersionError> {
        text.parse()
    }
}

impl From<Minor> for String {
    fn from(minor: Minor) -> Self {
        minor.to_string()
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("1.36.5", RequestedVersion::Exact(KubernetesVersion::new(1, 36, 5)))]
    #[case("v1.36.5", RequestedVersion::Exact(KubernetesVersion::new(1, 36, 5)))]
    #[case("1.36.0", RequestedVersion::Exact(KubernetesVersion::new(1, 36, 0)))]
    #[case("1.36", RequestedVersion::Alias(Minor::new(1, 36)))]
    #[case("v1.36", RequestedVersion::Alias(Minor::new(1, 36)))]
    fn both_forms_are_requestable_with_and_without_v(#[case] text: &str, #[case] expected: RequestedVersion) {
        assert_eq!(text.parse(), Ok(expected));
        assert_eq!(expected.to_string(), text.trim_start_matches('v'));
    }

    #[rstest]
    #[case("")]
    #[case("v")]
    #[case("1")]
    #[case("1.")]
    #[case("1.36.")]
    #[case("1.36.5.1")]
    #[case("V1.36.5")]
    #[case("vv1.36")]
    #[case("1.036")]
    #[case("1.36.05")]
    #[case("1.+36")]
    #[case("1.-36")]
    #[case(" 1.36")]
    #[case("1.36.0-alpha.1")]
    #[case("1.36.70000")]
    #[case("1.٣٦")]
    #[case("latest")]
    fn other_texts_are_refused_naming_the_form(#[case] text: &str) {
        let error = text.parse::<RequestedVersion>().unwrap_err();
        assert_eq!(error, VersionError::NotRequestable(text.to_owned()));
        assert!(error.to_string().contains("[v]MAJOR.MINOR[.PATCH]"));
    }

    #[test]
    fn exact_versions_and_minors_do_not_stand_in_for_each_other() {
        assert_eq!("1.36".parse::<KubernetesVersion>(), Err(VersionError::NotExact("1.36".to_owned())));
        assert_eq!("v1.36.5".parse::<KubernetesVersion>(), Err(VersionError::NotExact("v1.36.5".to_owned())));
        assert_eq!("1.36.5".parse::<Minor>(), Err(VersionError::NotMinor("1.36.5".to_owned())));
    }

    #[test]
    fn order_is_by_number_and_not_by_text() {
        let mut versions: Vec<KubernetesVersion> =
            ["1.10.0", "1.9.11", "1.9.2", "2.0.0", "1.10.1"].map(|v| v.parse().unwrap()).into();
        versions.sort();
        let sorted: Vec<String> = versions.iter().map(ToString::to_string).collect();
        assert_eq!(sorted, ["1.9.2", "1.9.11", "1.10.0", "1.10.1", "2.0.0"]);
        assert!(Minor::new(1, 9) < Minor::new(1, 10));
    }

    #[rstest]
    #[case("1.37", "1.36", 1)]
    #[case("1.36", "1.36", 0)]
    #[case("1.35", "1.37", -2)]
    fn minors_are_counted_within_a_major(#[case] a: Minor, #[case] b: Minor, #[case] expected: i64) {
        assert_eq!(minors_ahead(a, b), expected);
    }

    #[test]
    fn a_change_of_major_is_further_than_any_minor() {
        assert!(minors_ahead(Minor::new(2, 0), Minor::new(1, u16::MAX)) >= 1);
        assert!(minors_ahead(Minor::new(2, 0), Minor::new(1, 37)) > 1);
        assert!(minors_ahead(Minor::new(1, 37), Minor::new(2, 0)) < -1);
    }

    #[test]
    fn an_alias_admits_every_patch_of_its_minor_and_an_exact_version_only_itself() {
        let alias = RequestedVersion::Alias(Minor::new(1, 36));
        let exact = RequestedVersion::Exact(KubernetesVersion::new(1, 36, 5));
        assert!(alias.admits(KubernetesVersion::new(1, 36, 0)));
        assert!(!alias.admits(KubernetesVersion::new(1, 37, 0)));
        assert!(exact.admits(KubernetesVersion::new(1, 36, 5)));
        assert!(!exact.admits(KubernetesVersion::new(1, 36, 4)));
        assert_eq!(alias.minor_version(), exact.minor_version());
        assert_eq!(exact.minor_version().next(), Minor::new(1, 37));
    }

    #[test]
    fn versions_are_strings_in_json() {
        let version = KubernetesVersion::new(1, 36, 5);
        assert_eq!(serde_json::to_string(&version).unwrap(), r#""1.36.5""#);
        assert_eq!(serde_json::from_str::<KubernetesVersion>(r#""1.36.5""#).unwrap(), version);
        assert_eq!(serde_json::to_string(&version.minor_version()).unwrap(), r#""1.36""#);
        assert!(serde_json::from_str::<KubernetesVersion>(r#""1.36""#).is_err());
    }
}
