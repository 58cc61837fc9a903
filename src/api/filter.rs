//! `$filter`: conditions `path eq value` joined by `and`, over the few paths that a collection allows.

use crate::domain::refusal::{Code, Refusal};
use crate::store::JsonEquals;

/// A path that a collection may be filtered by.
#[derive(Debug)]
pub struct Filterable {
    /// The path as users write it; compares without case.
    pub path: &'static str,
    /// Where the value stands in the stored document.
    pub stored: &'static [&'static str],
    /// Whether values compare without case.
    pub ignore_case: bool,
    /// The values there are; empty: any.
    pub values: &'static [&'static str],
}

/// Reads a `$filter`; absent or empty, it holds for everything.
///
/// # Errors
/// `InvalidFilter`, saying what would be right.
pub fn parse(filter: Option<&str>, allowed: &[Filterable]) -> Result<Vec<JsonEquals>, Refusal> {
    let text = filter.unwrap_or_default();
    let mut words = words(text).ok_or_else(|| invalid(text, allowed))?.into_iter();
    let mut conditions = Vec::new();
    let Some(mut path) = words.next() else { return Ok(conditions) };
    loop {
        let condition = match (words.next(), words.next()) {
            (Some(operator), Some(value)) if operator.is("eq") && !path.quoted => {
                allowed.iter().find(|allowed| path.is(allowed.path)).map(|found| (found, value))
            }
            _ => None,
        };
        let (found, value) = condition.ok_or_else(|| invalid(text, allowed))?;
        conditions.push(found.equals(value)?);
        match (words.next(), words.next()) {
            (None, _) => return Ok(conditions),
            (Some(and), Some(next)) if and.is("and") => path = next,
            _ => return Err(invalid(text, allowed)),
        }
    }
}

impl Filterable {
    /// The condition that the path has this value, where it can have it.
    fn equals(&self, value: Word) -> Result<JsonEquals, Refusal> {
        let shown: String = value.text.chars().take(256).collect();
        if !value.quoted && value.text.contains('"') {
            let message =
                format!("The value {shown} has double quotes; a text stands in single ones: 'text'.");
            return Err(Refusal::at(Code::InvalidFilter, "$filter", message));
        }
        let is_known = self.values.iter().any(|known| known.eq_ignore_ascii_case(&value.text));
        if !is_known && !self.values.is_empty() {
            let (path, known) = (self.path, self.values.join(", "));
            let message = format!("No {path} is '{shown}'; it is one of: {known}.");
            return Err(Refusal::at(Code::InvalidFilter, "$filter", message));
        }
        Ok(JsonEquals { path: self.stored, value: value.text, ignore_case: self.ignore_case })
    }
}

struct Word {
    text: String,
    quoted: bool,
}

impl Word {
    fn is(&self, keyword: &str) -> bool {
        !self.quoted && self.text.eq_ignore_ascii_case(keyword)
    }
}

/// The words of a filter; `None` where a quote is not closed. Inside quotes, `''` is one quote.
fn words(text: &str) -> Option<Vec<Word>> {
    let mut words = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(first) = chars.next() {
        if first.is_whitespace() {
            continue;
        }
        let mut word = Word { text: String::new(), quoted: first == '\'' };
        if word.quoted {
            loop {
                match chars.next()? {
                    '\'' if chars.peek() == Some(&'\'') => word.text.extend(chars.next()),
                    '\'' => break,
                    other => word.text.push(other),
                }
            }
        } else {
            word.text.push(first);
            while let Some(next) = chars.next_if(|next| !next.is_whitespace()) {
                word.text.push(next);
            }
        }
        words.push(word);
    }
    Some(words)
}

fn invalid(text: &str, allowed: &[Filterable]) -> Refusal {
    let paths: Vec<&str> = allowed.iter().map(|allowed| allowed.path).collect();
    let hint = if paths.is_empty() {
        "This collection cannot be filtered.".to_owned()
    } else {
        format!("Use PATH eq VALUE, joined by and, where PATH is one of: {}.", paths.join(", "))
    };
    let text: String = text.chars().take(256).collect();
    Refusal::at(Code::InvalidFilter, "$filter", format!("The filter '{text}' is not understood. {hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const ALLOWED: &[Filterable] = &[
        Filterable { path: "state", stored: &["state"], ignore_case: true, values: &["Pending", "Pend ing"] },
        Filterable { path: "properties/target/id", stored: &["target"], ignore_case: true, values: &[] },
    ];

    #[rstest]
    #[case(None, &[])]
    #[case(Some(" "), &[])]
    #[case(Some("state eq Pending"), &["Pending"])]
    #[case(Some("State EQ 'Pend ing' and properties/target/id eq '/a''b'"), &["Pend ing", "/a'b"])]
    fn conditions_are_read(#[case] filter: Option<&str>, #[case] values: &[&str]) {
        let read: Vec<String> = parse(filter, ALLOWED).unwrap().into_iter().map(|c| c.value).collect();
        assert_eq!(read, values);
    }

    #[rstest]
    fn other_filters_are_refused(
        #[values(
            "state",
            "state eq",
            "state ne Pending",
            "colour eq red",
            "state eq Pending and",
            "state eq Pending or state eq Completed",
            "state eq 'open",
            "'state' eq Pending",
            "state eq Pending extra"
        )]
        filter: &str,
    ) {
        assert_eq!(parse(Some(filter), ALLOWED).unwrap_err().code, Code::InvalidFilter);
    }

    #[rstest]
    #[case("state eq Bogus", "No state is 'Bogus'; it is one of: Pending, Pend ing.")]
    #[case("properties/target/id eq \"x\"", "double quotes")]
    fn a_filter_that_could_hold_for_nothing_is_refused(#[case] filter: &str, #[case] why: &str) {
        let refusal = parse(Some(filter), ALLOWED).unwrap_err();
        assert!(refusal.code == Code::InvalidFilter && refusal.message.contains(why), "{refusal:?}");
    }

    #[test]
    fn a_double_quote_may_be_part_of_a_text() {
        let filter = "properties/target/id eq '\"x\"'";
        assert_eq!(parse(Some(filter), ALLOWED).unwrap()[0].value, "\"x\"");
    }
}
