//! Entity tags and the preconditions that name them (the German seed's table; the ARM protocol: eTags).
//!
//! Every accepted write gives a resource a new tag that is never used again; this module decides whether a request
//! that carries `If-Match` or `If-None-Match` may go on. Which request renews which tag is decided where the write is.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::refusal::{Code, Refusal};

/// The opaque tag of one state of one resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ETag(pub Uuid);

impl ETag {
    /// The tag in quotes: the `ETag` header, and the `eTag` member of fleet types.
    pub fn quoted(self) -> String {
        format!("\"{}\"", self.0)
    }
}

impl fmt::Display for ETag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What `If-Match` asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum IfMatch {
    /// Absent or empty: nothing.
    #[default]
    Nothing,
    /// `*`: that the resource exists.
    Any,
    /// That the resource's tag is one of these: never, where none is named.
    OneOf(Vec<String>),
}

/// The preconditions of one request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preconditions {
    /// `If-Match`.
    pub if_match: IfMatch,
    /// `If-None-Match: *`, the only value a write may carry.
    pub must_not_exist: bool,
}

/// What a request wants to do: the table has a row a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Create or replace.
    Put,
    /// Change; also every POST action and a gate's PATCH.
    Patch,
    /// Remove.
    Delete,
}

impl Preconditions {
    /// Reads the two headers of a write; several values of one header are given joined by commas.
    ///
    /// # Errors
    /// `BadRequest`, where `If-None-Match` is neither empty nor `*` (the German seed, scenario 1), or both headers
    /// are used at once (scenario 2).
    pub fn of_write(if_match: Option<&str>, if_none_match: Option<&str>) -> Result<Self, Refusal> {
        let must_not_exist = match if_none_match.map(str::trim).unwrap_or_default() {
            "" => false,
            any if unquoted(any) == "*" => true,
            other => {
                return Err(Refusal::at(
                    Code::BadRequest,
                    "If-None-Match",
                    format!("If-None-Match must be empty or '*' on a write; it is '{other}'."),
                ));
            }
        };
        let if_match = IfMatch::parse(if_match.unwrap_or_default());
        if must_not_exist && if_match != IfMatch::Nothing {
            return Err(Refusal::at(
                Code::BadRequest,
                "If-Match",
                "If-Match and If-None-Match: * cannot be used together.",
            ));
        }
        Ok(Self { if_match, must_not_exist })
    }

    /// Decides for a resource whose tag is `current` (`None`: it does not exist).
    ///
    /// # Errors
    /// `PreconditionFailed`. Only a PUT can fail on a missing resource: for the other verbs "not found" is answered
    /// first, by the caller.
    pub fn check(&self, verb: Verb, current: Option<ETag>) -> Result<(), Refusal> {
        match (current, &self.if_match) {
            (Some(tag), _) if self.must_not_exist => Err(failed(format!(
                "The resource exists already, with eTag {}, and the request asks by If-None-Match: * that it \
                 does not.",
                tag.quoted()
            ))),
            (Some(tag), IfMatch::OneOf(wanted)) if wanted.is_empty() => Err(failed(format!(
                "The resource has eTag {}, and the request's If-Match names none. Send the eTag in quotes, or leave \
                 the header away.",
                tag.quoted()
            ))),
            (Some(tag), IfMatch::OneOf(wanted)) if !wanted.contains(&tag.to_string()) => Err(failed(format!(
                "The resource has eTag {}, the request's If-Match names {}. Someone changed it meanwhile: GET it \
                 again and repeat the request with the new eTag.",
                tag.quoted(),
                wanted.iter().map(|tag| format!("\"{tag}\"")).collect::<Vec<_>>().join(", ")
            ))),
            (None, IfMatch::Any | IfMatch::OneOf(_)) if verb == Verb::Put => Err(failed(
                "The resource does not exist, and the request asks by If-Match that it does. GET it again, or \
                 repeat the request without If-Match to create it."
                    .to_owned(),
            )),
            _ => Ok(()),
        }
    }
}

impl IfMatch {
    /// What is not blank asks for something: a value that cannot be read must not be taken for one that is not there.
    fn parse(text: &str) -> Self {
        if text.trim().is_empty() {
            return Self::Nothing;
        }
        let tags: Vec<String> = text
            .split(',')
            .map(unquoted)
            .filter(|tag| !tag.is_empty())
            .map(str::to_ascii_lowercase)
            .collect();
        if tags.iter().any(|tag| tag == "*") { Self::Any } else { Self::OneOf(tags) }
    }
}

/// Whether a GET's `If-None-Match` (a list, weak or strong, quoted or not) names `current`: then nothing changed.
pub fn is_not_modified(if_none_match: &str, current: ETag) -> bool {
    match IfMatch::parse(if_none_match) {
        IfMatch::Nothing => false,
        IfMatch::Any => true,
        IfMatch::OneOf(tags) => tags.contains(&current.to_string()),
    }
}

fn failed(message: String) -> Refusal {
    Refusal::new(Code::PreconditionFailed, message)
}

/// A tag without `W/`, quotes (also escaped ones, as clients copy them from bodies) and blanks.
fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let text = text.strip_prefix("W/").unwrap_or(text);
    text.trim_matches(|c| matches!(c, '"' | '\\'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const TAG: ETag = ETag(Uuid::from_u128(7));

    fn outcome(verb: Verb, if_match: &str, if_none_match: &str, exists: bool) -> Result<(), Code> {
        Preconditions::of_write(Some(if_match), Some(if_none_match))
            .and_then(|conditions| conditions.check(verb, exists.then_some(TAG)))
            .map_err(|refusal| refusal.code)
    }

    #[rstest]
    #[case::empty_if_match("", "", Ok(()), Ok(()))]
    #[case::any("*", "", Err(Code::PreconditionFailed), Ok(()))]
    #[case::stale("xyz", "", Err(Code::PreconditionFailed), Err(Code::PreconditionFailed))]
    #[case::fresh("\"00000000-0000-0000-0000-000000000007\"", "", Err(Code::PreconditionFailed), Ok(()))]
    #[case::must_not_exist("", "*", Ok(()), Err(Code::PreconditionFailed))]
    #[case::odd_if_none_match("", "xyz", Err(Code::BadRequest), Err(Code::BadRequest))]
    #[case::both("xyz", "*", Err(Code::BadRequest), Err(Code::BadRequest))]
    #[case::blank_if_match("  ", " ", Ok(()), Ok(()))]
    #[case::quotes_of_nothing("", "\"\"", Err(Code::BadRequest), Err(Code::BadRequest))]
    #[case::both_any("*", "*", Err(Code::BadRequest), Err(Code::BadRequest))]
    fn put_follows_the_table(
        #[case] if_match: &str,
        #[case] if_none_match: &str,
        #[case] missing: Result<(), Code>,
        #[case] existing: Result<(), Code>,
    ) {
        assert_eq!(outcome(Verb::Put, if_match, if_none_match, false), missing);
        assert_eq!(outcome(Verb::Put, if_match, if_none_match, true), existing);
    }

    #[rstest]
    fn a_condition_that_names_nothing_holds_for_nothing(
        #[values("\"", ",", " , ", "W/", "\"\"", "W/\"\"", "\"\\\"\"", "\\", "\"\",\"\"")] if_match: &str,
    ) {
        let failed = Err(Code::PreconditionFailed);
        assert_eq!(outcome(Verb::Put, if_match, "", false), failed);
        for verb in [Verb::Put, Verb::Patch, Verb::Delete] {
            assert_eq!(outcome(verb, if_match, "", true), failed);
        }
        assert_eq!(outcome(Verb::Put, if_match, "*", false), Err(Code::BadRequest));
        assert!(!is_not_modified(if_match, TAG));
    }

    #[rstest]
    fn patch_and_delete_of_a_missing_resource_never_fail_on_a_precondition(
        #[values(Verb::Patch, Verb::Delete)] verb: Verb,
        #[values("", "*", "xyz")] if_match: &str,
    ) {
        assert_eq!(outcome(verb, if_match, "", false), Ok(()));
    }

    #[rstest]
    #[case("", Ok(()))]
    #[case("*", Ok(()))]
    #[case("xyz", Err(Code::PreconditionFailed))]
    fn patch_and_delete_of_an_existing_resource_follow_the_table(
        #[values(Verb::Patch, Verb::Delete)] verb: Verb,
        #[case] if_match: &str,
        #[case] expected: Result<(), Code>,
    ) {
        assert_eq!(outcome(verb, if_match, "", true), expected);
    }

    #[rstest]
    #[case("00000000-0000-0000-0000-000000000007")]
    #[case("\"00000000-0000-0000-0000-000000000007\"")]
    #[case("W/\"00000000-0000-0000-0000-000000000007\"")]
    #[case("\"\\\"00000000-0000-0000-0000-000000000007\\\"\"")]
    #[case("\"other\", \"00000000-0000-0000-0000-000000000007\"")]
    fn a_tag_matches_in_every_form_clients_send(#[case] if_match: &str) {
        assert_eq!(outcome(Verb::Put, if_match, "", true), Ok(()));
        assert!(is_not_modified(if_match, TAG));
    }

    #[test]
    fn the_message_of_a_stale_tag_names_both() {
        let refusal =
            Preconditions::of_write(Some("xyz"), None).unwrap().check(Verb::Put, Some(TAG)).unwrap_err();
        assert!(refusal.message.contains("\"xyz\"") && refusal.message.contains(&TAG.quoted()));
    }
}
