//! What names may look like: fleets and their children, clusters, pools, resource groups, subscriptions, tags.
//!
//! Only the spelling is checked; whether a name is free, or agrees with a URL, is decided where it is used.
//! Each check answers with a sentence that says what would be right. To add a kind of name, write one
//! `check_…` here, with the table of its tests, next to the kind it resembles.

use std::collections::HashMap;

use uuid::Uuid;

use super::tags::Tags;

/// The longest name of a fleet.
pub const MAX_FLEET_NAME: usize = 63;
/// The longest name of anything in a fleet: members, strategies, runs, profiles, stages, groups.
pub const MAX_CHILD_NAME: usize = 50;
/// The longest name of a managed namespace.
pub const MAX_NAMESPACE_NAME: usize = 63;
/// The longest name of a managed cluster.
pub const MAX_CLUSTER_NAME: usize = 63;
/// The longest name of a resource group.
pub const MAX_RESOURCE_GROUP_NAME: usize = 90;
/// The longest name of an agent pool; Windows pools have up to 6 characters.
pub const MAX_AGENT_POOL_NAME: usize = 12;
/// How fleets and all in them are spelled, as a regular expression; the checks below are what counts.
pub const LOWER_CASE_NAME: &str = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";
/// How agent pools are spelled.
pub const AGENT_POOL_NAME: &str = "^[a-z][a-z0-9]*$";
/// How managed clusters are spelled.
pub const CLUSTER_NAME: &str = "^[a-zA-Z0-9]([-_a-zA-Z0-9]*[a-zA-Z0-9])?$";
/// How resource groups are spelled.
pub const RESOURCE_GROUP_NAME: &str = r"^[-\w._()]*[-\w_()]$";
/// The most tags on one resource.
pub const MAX_TAGS: usize = 50;
/// The longest key of a tag, in characters.
pub const MAX_TAG_KEY: usize = 512;
/// The longest value of a tag, in characters.
pub const MAX_TAG_VALUE: usize = 256;

/// A fleet's name: `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`, up to 63 characters.
///
/// # Errors
/// The problem in words, with what would be right.
pub fn check_fleet_name(name: &str) -> Result<(), String> {
    check_lower_case_name("fleet name", name, MAX_FLEET_NAME)
}

/// The name of a resource in a fleet, or of a stage or group: as a fleet's, up to 50 characters.
///
/// # Errors
/// The problem in words, with what would be right.
pub fn check_child_name(name: &str) -> Result<(), String> {
    check_lower_case_name("name", name, MAX_CHILD_NAME)
}

/// The name of a managed namespace, which is Kubernetes' name of it too: an RFC 1123 label, as a fleet's name.
///
/// # Errors
/// The problem in words, with what would be right.
pub fn check_namespace_name(name: &str) -> Result<(), String> {
    check_lower_case_name("namespace name", name, MAX_NAMESPACE_NAME)
}

/// An agent pool's name: `^[a-z][a-z0-9]{0,11}$`, and at most 6 characters for Windows nodes, whose host names
/// have no more room.
///
/// # Errors
/// The problem in words, with what would be right.
pub fn check_agent_pool_name(name: &str, windows: bool) -> Result<(), String> {
    let (what, max) =
        if windows { ("Windows agent pool name", 6) } else { ("agent pool name", MAX_AGENT_POOL_NAME) };
    check_length(what, name, 1, max)?;
    let lower = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.as_bytes().iter().all(lower) {
        return Err(format!(
            "agent pool name '{name}' is invalid; expected lower-case letters and digits, beginning with a letter"
        ));
    }
    Ok(())
}

/// A managed cluster's name: `^[a-zA-Z0-9]$|^[a-zA-Z0-9][-_a-zA-Z0-9]{0,61}[a-zA-Z0-9]$`.
///
/// # Errors
/// The problem in words, with what would be right.
pub fn check_cluster_name(name: &str) -> Result<(), String> {
    check_length("cluster name", name, 1, MAX_CLUSTER_NAME)?;
    if !is_bounded_by(name, u8::is_ascii_alphanumeric, b"-_") {
        return Err(format!(
            "cluster name '{name}' is invalid; expected letters, digits, '-' and '_', beginning and ending with \
             a letter or digit"
        ));
    }
    Ok(())
}

/// A resource group's name: up to 90 of `[-\w._()]`, not ending in a period. Letters of any script are letters.
///
/// # Errors
/// The problem in words, with what would be right.
pub fn check_resource_group_name(name: &str) -> Result<(), String> {
    check_length("resource group name", name, 1, MAX_RESOURCE_GROUP_NAME)?;
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '(' | ')');
    if !name.chars().all(allowed) || name.ends_with('.') {
        return Err(format!(
            "resource group name '{name}' is invalid; expected letters, digits, '-', '_', '.', '(' and ')', not \
             ending in '.'"
        ));
    }
    Ok(())
}

/// A subscription id: a GUID of the form `8-4-4-4-12`, in either case, without braces.
///
/// # Errors
/// The problem in words, with what would be right.
pub fn check_subscription_id(id: &str) -> Result<(), String> {
    // `Uuid` also reads forms without hyphens, with braces and as URNs; only this one has 36 characters.
    if id.len() == 36 && Uuid::try_parse(id).is_ok() {
        return Ok(());
    }
    Err(format!(
        "subscription id '{id}' is not a GUID; expected the form 00000000-0000-0000-0000-000000000000"
    ))
}

/// Refuses more than [`MAX_TAGS`].
///
/// # Errors
/// The problem in words.
pub fn check_tag_count(count: usize) -> Result<(), String> {
    if count > MAX_TAGS {
        return Err(format!("there are {count} tags; at most {MAX_TAGS} are allowed"));
    }
    Ok(())
}

/// Every problem of a resource's tags one by one, as (key, problem). Empty means valid.
///
/// Of tags whose names differ only by case, each after the first is one too many.
pub fn check_tags(tags: &Tags) -> Vec<(String, String)> {
    let (mut problems, mut seen) = (Vec::new(), HashMap::new());
    for (key, value) in tags {
        let first: &String = seen.entry(key.to_lowercase()).or_insert(key);
        let same = if first == key { Ok(()) } else { Err(differs_by_case(key, first)) };
        let checks = [check_tag_key(key), check_tag_value(value), same];
        problems.extend(checks.into_iter().filter_map(Result::err).map(|problem| (key.clone(), problem)));
    }
    problems
}

fn differs_by_case(key: &str, first: &str) -> String {
    format!("tag name '{key}' differs from '{first}' only by case, and names of tags compare without it")
}

/// A tag's key: 1 to 512 characters, none of `<>%&\?/`.
///
/// # Errors
/// The problem in words, with what would be right.
pub fn check_tag_key(key: &str) -> Result<(), String> {
    check_length("tag name", key, 1, MAX_TAG_KEY)?;
    match key.chars().find(|c| r"<>%&\?/".contains(*c)) {
        Some(c) => Err(format!(r"tag name '{key}' contains '{c}'; none of <>%&\?/ is allowed")),
        None => Ok(()),
    }
}

/// A tag's value: up to 256 characters, of any kind.
///
/// # Errors
/// The problem in words, with what would be right.
pub fn check_tag_value(value: &str) -> Result<(), String> {
    check_length("tag value", value, 0, MAX_TAG_VALUE)
}

/// `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$` up to `max` characters.
fn check_lower_case_name(what: &str, name: &str, max: usize) -> Result<(), String> {
    check_length(what, name, 1, max)?;
    if !is_bounded_by(name, |b| b.is_ascii_lowercase() || b.is_ascii_digit(), b"-") {
        return Err(format!(
            "{what} '{name}' is invalid; expected lower-case letters, digits and '-', beginning and ending with a \
             letter or digit"
        ));
    }
    Ok(())
}

/// Length in characters, not bytes. The message leaves the name out: it may be as long as a request.
fn check_length(what: &str, text: &str, min: usize, max: usize) -> Result<(), String> {
    match text.chars().count() {
        length if length < min => Err(format!("{what} is empty; expected {min} to {max} characters")),
        length if length > max => {
            Err(format!("{what} has {length} characters; expected {min} to {max} characters"))
        }
        _ => Ok(()),
    }
}

/// Whether all of `text` is `plain` or one of `between`, which may stand neither first nor last.
fn is_bounded_by(text: &str, plain: impl Fn(&u8) -> bool, between: &[u8]) -> bool {
    let bytes = text.as_bytes();
    bytes.first().is_some_and(&plain)
        && bytes.last().is_some_and(&plain)
        && bytes.iter().all(|b| plain(b) || between.contains(b))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    fn fleet_and_child_names_are_lower_case_dns_labels(
        #[values("a", "0", "a-b", "prod-1", "1--2")] name: &str,
    ) {
        assert_eq!(check_fleet_name(name), Ok(()));
        assert_eq!(check_child_name(name), Ok(()));
    }

    #[rstest]
    fn other_fleet_and_child_names_are_refused(
        #[values("", "-", "-a", "a-", "A", "a_b", "a.b", "a b", "ä", "a/b")] name: &str,
    ) {
        assert!(check_fleet_name(name).is_err());
        assert!(check_child_name(name).is_err());
    }

    #[test]
    fn fleets_and_namespaces_have_63_characters_and_children_50() {
        assert!(
            check_namespace_name(&"a".repeat(63)).is_ok() && check_namespace_name(&"a".repeat(64)).is_err()
        );
        assert_eq!(check_fleet_name(&"a".repeat(63)), Ok(()));
        assert!(check_fleet_name(&"a".repeat(64)).is_err());
        assert_eq!(check_child_name(&"a".repeat(50)), Ok(()));
        assert_eq!(
            check_child_name(&"a".repeat(51)),
            Err("name has 51 characters; expected 1 to 50 characters".to_owned())
        );
    }

    #[rstest]
    #[case("nodepool1", false, true)]
    #[case("a", false, true)]
    #[case("abcdefghijkl", false, true)]
    #[case("abcdefghijklm", false, false)]
    #[case("abcdef", true, true)]
    #[case("abcdefg", true, false)]
    #[case("1pool", false, false)]
    #[case("node-pool", false, false)]
    #[case("Pool", false, false)]
    #[case("", false, false)]
    fn agent_pool_names_are_short_and_begin_with_a_letter(
        #[case] name: &str,
        #[case] windows: bool,
        #[case] valid: bool,
    ) {
        assert_eq!(check_agent_pool_name(name, windows).is_ok(), valid);
    }

    #[test]
    fn a_long_name_of_a_windows_pool_is_told_the_limit_of_those() {
        let problem = check_agent_pool_name("windows1", true).unwrap_err();
        assert_eq!(problem, "Windows agent pool name has 8 characters; expected 1 to 6 characters");
    }

    #[rstest]
    #[case("a", true)]
    #[case("A", true)]
    #[case("9", true)]
    #[case("My_Cluster-1", true)]
    #[case("-a", false)]
    #[case("a-", false)]
    #[case("_", false)]
    #[case("a.b", false)]
    #[case("", false)]
    #[case("é", false)]
    fn cluster_names_may_have_capitals_and_underscores(#[case] name: &str, #[case] valid: bool) {
        assert_eq!(check_cluster_name(name).is_ok(), valid);
    }

    #[test]
    fn cluster_names_have_up_to_63_characters() {
        assert!(check_cluster_name(&"a".repeat(63)).is_ok());
        assert!(check_cluster_name(&"a".repeat(64)).is_err());
    }

    #[rstest]
    #[case("rg", true)]
    #[case("My.Group_(1)-x", true)]
    #[case("größe", true)]
    #[case(".", false)]
    #[case("rg.", false)]
    #[case("a b", false)]
    #[case("a/b", false)]
    #[case("", false)]
    fn resource_group_names_do_not_end_in_a_period(#[case] name: &str, #[case] valid: bool) {
        assert_eq!(check_resource_group_name(name).is_ok(), valid);
    }

    #[test]
    fn resource_group_names_have_up_to_90_characters() {
        assert!(check_resource_group_name(&"ä".repeat(90)).is_ok());
        assert!(check_resource_group_name(&"a".repeat(91)).is_err());
    }

    #[rstest]
    #[case("00000000-0000-0000-0000-000000000000", true)]
    #[case("8ECADFC9-d1a3-4ea4-b844-0d9f87e4d7c8", true)]
    #[case("8ecadfc9d1a34ea4b8440d9f87e4d7c8", false)]
    #[case("{8ecadfc9-d1a3-4ea4-b844-0d9f87e4d7c8}", false)]
    #[case("8ecadfc9-d1a3-4ea4-b844-0d9f87e4d7cg", false)]
    #[case("8ecadfc9-d1a34-ea4-b844-0d9f87e4d7c8", false)]
    #[case("mysubscription", false)]
    #[case("", false)]
    fn subscription_ids_are_hyphenated_guids(#[case] id: &str, #[case] valid: bool) {
        assert_eq!(check_subscription_id(id).is_ok(), valid);
    }

    fn tags(tags: &[(&str, &str)]) -> Tags {
        tags.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn tags_are_bounded_in_number_and_length() {
        assert_eq!(check_tag_count(50), Ok(()));
        assert_eq!(check_tag_count(51), Err("there are 51 tags; at most 50 are allowed".to_owned()));
        assert_eq!(check_tags(&tags(&[(&"k".repeat(512), &"ü".repeat(256))])), []);
        assert_eq!(check_tags(&tags(&[(&"k".repeat(513), &"v".repeat(257))])).len(), 2);
    }

    #[test]
    fn names_of_tags_differ_by_more_than_case() {
        let problems =
            check_tags(&tags(&[("A", "1"), ("a", "1"), ("b", "2"), ("Größe", "3"), ("GRÖSSE", "4")]));
        assert_eq!(problems.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), ["a"]);
        assert!(problems[0].1.contains("'a' differs from 'A'"), "{}", problems[0].1);
    }

    #[rstest]
    fn tag_keys_exclude_characters_that_urls_need(
        #[values("<", ">", "%", "&", "\\", "?", "/")] forbidden: &str,
    ) {
        let key = format!("cost{forbidden}center");
        let problem = check_tag_key(&key).unwrap_err();
        assert!(problem.contains(&format!("contains '{forbidden}'")), "{problem}");
        assert_eq!(check_tag_value(&key), Ok(()));
    }

    #[test]
    fn tag_keys_are_not_empty() {
        assert!(check_tag_key("").unwrap_err().contains("is empty"));
    }
}
