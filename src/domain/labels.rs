//! The grammar of Kubernetes labels: keys, values, and the prefix that belongs to the fleet service.
//!
//! What labels a member carries and who may set them is decided elsewhere. To add a rule, add it to the
//! narrowest `check_…` and to the table of its tests; selectors use the same checks.

use std::collections::BTreeMap;

/// The most labels a user may put on one member.
pub const MAX_LABELS: usize = 50;

/// The longest value of a label.
const MAX_LABEL_VALUE: usize = 63;

/// The prefix of the labels that the service sets itself; users' values for it are ignored.
pub const FLEET_PREFIX: &str = "fleet.azure.com/";

/// The service's own label `fleet.azure.com/{name}`.
pub fn fleet_label(name: &str) -> String {
    format!("{FLEET_PREFIX}{name}")
}

/// `name`, of whatever characters, as a label's value: what does not fit is written `-`, cut, and trimmed.
pub fn label_value_of(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let value: String = name.chars().map(|c| if fits(c) { c } else { '-' }).collect();
    let value = value.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    let value = &value[..value.len().min(MAX_LABEL_VALUE)];
    value.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()).to_owned()
}

/// Whether `key` is one of the service's own labels. Keys are case-sensitive, as everywhere in Kubernetes.
pub fn is_fleet_label(key: &str) -> bool {
    key.starts_with(FLEET_PREFIX)
}

/// What of `labels` is the user's: all but the service's own, which come back with every GET-then-PUT.
pub fn user_labels(labels: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    labels.iter().filter(|(key, _)| !is_fleet_label(key)).map(|(k, v)| (k.clone(), v.clone())).collect()
}

/// Refuses more than [`MAX_LABELS`].
///
/// # Errors
/// The problem in words.
pub fn check_label_count(count: usize) -> Result<(), String> {
    if count > MAX_LABELS {
        return Err(format!("there are {count} labels; at most {MAX_LABELS} are allowed"));
    }
    Ok(())
}

/// Every problem of a label map, as (key, problem), in the order of the keys. Empty means valid.
pub fn check_labels(labels: &BTreeMap<String, String>) -> Vec<(String, String)> {
    let problems = |(key, value): (&String, &String)| {
        [check_label_key(key), check_label_value(value)].into_iter().filter_map(Result::err).map({
            let key = key.clone();
            move |problem| (key.clone(), problem)
        })
    };
    labels.iter().flat_map(problems).collect()
}

/// Checks a key: `[prefix/]name`, the prefix a DNS subdomain, the name up to 63 characters.
///
/// # Errors
/// The problem in words, with what would be right.
pub fn check_label_key(key: &str) -> Result<(), String> {
    let name = match key.split_once('/') {
        None => key,
        Some((_, name)) if name.contains('/') => {
            return Err(format!("label key '{key}' has more than one '/'; expected [prefix/]name"));
        }
        Some((prefix, name)) => {
            check_label_prefix(prefix)?;
            name
        }
    };
    if name.is_empty() {
        return Err(format!(
            "label key '{key}' has no name; expected [prefix/]name, such as example.com/tier"
        ));
    }
    if name.len() > 63 {
        return Err(format!(
            "label key '{key}' has a name of {} characters; at most 63 are allowed",
            name.len()
        ));
    }
    if !is_label_name(name) {
        return Err(format!(
            "label key '{key}' has an invalid name '{name}'; expected letters, digits, '-', '_' and '.', \
             beginning and ending with a letter or digit"
        ));
    }
    Ok(())
}

/// Checks the part of a key before its `/`: a DNS subdomain of up to 253 characters.
///
/// # Errors
/// The problem in words, with what would be right.
pub fn check_label_prefix(prefix: &str) -> Result<(), String> {
    if prefix.len() > 253 {
        return Err(format!("label prefix has {} characters; at most 253 are allowed", prefix.len()));
    }
    if !prefix.split('.').all(is_dns_label) {
        return Err(format!(
            "label prefix '{prefix}' is not a DNS subdomain; expected lower-case letters, digits and '-', \
             in parts joined by '.', such as example.com"
        ));
    }
    Ok(())
}

/// Checks a value: up to 63 characters, or nothing at all.
///
/// # Errors
/// The problem in words, with what would be right.
pub fn check_label_value(value: &str) -> Result<(), String> {
    if value.len() > MAX_LABEL_VALUE {
        return Err(format!(
            "label value '{value}' has {} characters; at most {MAX_LABEL_VALUE} are allowed",
            value.len()
        ));
    }
    if !value.is_empty() && !is_label_name(value) {
        return Err(format!(
            "label value '{value}' is invalid; expected letters, digits, '-', '_' and '.', beginning and \
             ending with a letter or digit, or an empty value"
        ));
    }
    Ok(())
}

/// `([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]`, the shape that names and values share.
fn is_label_name(text: &str) -> bool {
    let ends = |b: Option<&u8>| b.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = text.as_bytes();
    ends(bytes.first())
        && ends(bytes.last())
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
}

/// One part of a DNS subdomain: `[a-z0-9]([-a-z0-9]*[a-z0-9])?`.
fn is_dns_label(text: &str) -> bool {
    let plain = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let bytes = text.as_bytes();
    bytes.first().is_some_and(plain)
        && bytes.last().is_some_and(plain)
        && bytes.iter().all(|b| plain(b) || *b == b'-')
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
    }

    #[rstest]
    fn well_formed_keys_are_accepted(
        #[values(
            "simple",
            "now-with-dashes",
            "1-starts-with-num",
            "1234",
            "simple/simple",
            "now-with-dashes/simple",
            "1.2.3.4/5678",
            "Uppercase_Is_OK_123",
            "example.com/Uppercase_Is_OK_123",
            "requests.storage-foo",
            "a"
        )]
        key: &str,
    ) {
        assert_eq!(check_label_key(key), Ok(()));
    }

    #[rstest]
    fn malformed_keys_are_refused(
        #[values(
            "",
            "/",
            "nospecialchars%^=@",
            "cantendwithadash-",
            "-cantstartwithadash-",
            "only/one/slash",
            "Example.com/abc",
            "example_com/abc",
            "example.com/",
            "/simple",
            "a b",
            ".dot",
            "double..dot/x",
            "é"
        )]
        key: &str,
    ) {
        assert!(check_label_key(key).is_err());
    }

    #[test]
    fn key_lengths_are_bounded_per_part() {
        assert!(check_label_key(&"a".repeat(63)).is_ok());
        assert!(check_label_key(&"a".repeat(64)).unwrap_err().contains("64 characters; at most 63"));
        assert!(check_label_key(&format!("{}/b", "a".repeat(253))).is_ok());
        assert!(check_label_key(&format!("{}/b", "a".repeat(254))).unwrap_err().contains("at most 253"));
    }

    #[rstest]
    fn well_formed_values_are_accepted(
        #[values("", "simple", "now-with-dashes", "1-starts-with-num", "end-with-num-1", "1234", "A_b.c")]
        value: &str,
    ) {
        assert_eq!(check_label_value(value), Ok(()));
    }

    #[rstest]
    fn malformed_values_are_refused(
        #[values("nospecialchars%^=@", "ends-with-dash-", "-dash", ".dot", "only/slash", " ", "a b", "ü")]
        value: &str,
    ) {
        assert!(check_label_value(value).is_err());
    }

    #[test]
    fn value_length_is_bounded() {
        assert!(check_label_value(&"a".repeat(63)).is_ok());
        assert!(check_label_value(&"a".repeat(64)).is_err());
    }

    #[rstest]
    #[case("My.Group_1", "My.Group_1")]
    #[case("(Größe) no. 1.", "Gr--e--no.-1")]
    #[case("_a_", "a")]
    #[case("(é)", "")]
    #[case(&"a".repeat(90), &"a".repeat(63))]
    #[case(&format!("{}-b", "a".repeat(62)), &"a".repeat(62))]
    fn a_name_becomes_a_value_of_the_grammar(#[case] name: &str, #[case] value: &str) {
        assert_eq!(label_value_of(name), value);
        assert_eq!(check_label_value(value), Ok(()));
    }

    #[test]
    fn every_problem_of_a_map_is_reported_under_its_key() {
        let problems = check_labels(&map(&[("ok", "fine"), ("bad key", "bad value"), ("tier", "-")]));
        let keys: Vec<&str> = problems.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["bad key", "bad key", "tier"]);
        assert!(problems[2].1.starts_with("label value '-' is invalid"));
    }

    #[test]
    fn fifty_labels_are_allowed_and_no_more() {
        assert_eq!(check_label_count(50), Ok(()));
        assert!(check_label_count(51).unwrap_err().contains("at most 50"));
    }

    #[test]
    fn the_service_s_own_labels_are_not_the_user_s() {
        assert_eq!(fleet_label("location"), "fleet.azure.com/location");
        let labels =
            map(&[("fleet.azure.com/location", "x"), ("fleet.azure.community/a", "y"), ("env", "prod")]);
        assert_eq!(user_labels(&labels), map(&[("fleet.azure.community/a", "y"), ("env", "prod")]));
    }
}
