//! The tables restate those of Kubernetes' own parser (`k8s.io/apimachinery`, `pkg/labels`), its `>` and `<`
//! cases turned into refusals.

use proptest::prelude::*;
use rstest::rstest;

use super::*;

fn labels(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

fn requirement(key: &str, operator: Operator, values: &[&str]) -> Requirement {
    Requirement { key: key.to_owned(), operator, values: values.iter().map(|v| (*v).to_owned()).collect() }
}

#[rstest]
#[case("x=a,y=b,z=c")]
#[case("")]
#[case("x!=a,y=b")]
#[case("x=")]
#[case("x= ")]
#[case("x=,z= ")]
#[case("x= ,z= ")]
#[case("!x")]
fn a_selector_is_written_as_it_was_read_less_its_blanks(#[case] text: &str) {
    assert_eq!(LabelSelector::parse(text).unwrap().to_string(), text.replace(' ', ""));
}

#[rstest]
#[case("x in (def,abc), y notin ( jkl ), z", "x in (abc,def),y notin (jkl),z")]
#[case("x notin (abc,def),y!=jkl,!z", "x notin (abc,def),y!=jkl,!z")]
#[case("x notin (abc),y in (jkl,mno),z notin ()", "x notin (abc),y in (jkl,mno),z notin ()")]
#[case("x=abc,y==jkl,z!=a,z", "x=abc,y=jkl,z!=a,z")]
fn a_selector_is_written_in_one_form(#[case] text: &str, #[case] written: &str) {
    assert_eq!(LabelSelector::parse(text).unwrap().to_string(), written);
}

#[rstest]
#[case("\rx", vec![requirement("x", Operator::Exists, &[])])]
#[case("a ", vec![requirement("a", Operator::Exists, &[])])]
#[case(
    "this-is-a-dns.domain.com/key-with-dash",
    vec![requirement("this-is-a-dns.domain.com/key-with-dash", Operator::Exists, &[])]
)]
#[case(
    "this-is-another-dns.domain.com/key-with-dash in (so,what)",
    vec![requirement("this-is-another-dns.domain.com/key-with-dash", Operator::In, &["so", "what"])]
)]
#[case(
    "0.1.2.domain/99 notin (10.10.100.1, tick.tack.clock)",
    vec![requirement("0.1.2.domain/99", Operator::NotIn, &["10.10.100.1", "tick.tack.clock"])]
)]
#[case("foo  in\t (abc)", vec![requirement("foo", Operator::In, &["abc"])])]
#[case("x notin\n (abc)", vec![requirement("x", Operator::NotIn, &["abc"])])]
#[case("x  notin\t\t\t(abc,def)", vec![requirement("x", Operator::NotIn, &["abc", "def"])])]
#[case("x in (abc,def)", vec![requirement("x", Operator::In, &["abc", "def"])])]
#[case("x in (abc,)", vec![requirement("x", Operator::In, &["abc", ""])])]
#[case("x in ()", vec![requirement("x", Operator::In, &[""])])]
#[case("x notin ( )", vec![requirement("x", Operator::NotIn, &[""])])]
#[case("x notin (, a)", vec![requirement("x", Operator::NotIn, &["", "a"])])]
#[case("x in (foo,,baz)", vec![requirement("x", Operator::In, &["foo", "", "baz"])])]
#[case("x in (a,,)", vec![requirement("x", Operator::In, &["a", ""])])]
#[case(
    "x notin (abc,def),bar,z in (),w",
    vec![
        requirement("x", Operator::NotIn, &["abc", "def"]),
        requirement("bar", Operator::Exists, &[]),
        requirement("z", Operator::In, &[""]),
        requirement("w", Operator::Exists, &[]),
    ]
)]
#[case(
    "x,y in (a)",
    vec![requirement("x", Operator::Exists, &[]), requirement("y", Operator::In, &["a"])]
)]
#[case("x=a", vec![requirement("x", Operator::Equals, &["a"])])]
#[case(
    "x=a,y!=b",
    vec![requirement("x", Operator::Equals, &["a"]), requirement("y", Operator::NotEquals, &["b"])]
)]
#[case(
    "x==a,y!=b,z in (h,i,j)",
    vec![
        requirement("x", Operator::Equals, &["a"]),
        requirement("y", Operator::NotEquals, &["b"]),
        requirement("z", Operator::In, &["h", "i", "j"]),
    ]
)]
#[case("x,y", vec![requirement("x", Operator::Exists, &[]), requirement("y", Operator::Exists, &[])])]
#[case("a in (x,y,notin, z,in)", vec![requirement("a", Operator::In, &["in", "notin", "x", "y", "z"])])]
#[case("in in (in)", vec![requirement("in", Operator::In, &["in"])])]
#[case("!in", vec![requirement("in", Operator::DoesNotExist, &[])])]
#[case("notin,in", vec![requirement("notin", Operator::Exists, &[]), requirement("in", Operator::Exists, &[])])]
#[case("1foo in (bar)", vec![requirement("1foo", Operator::In, &["bar"])])]
#[case("1234 in (bar)", vec![requirement("1234", Operator::In, &["bar"])])]
fn terms_are_read_with_keys_operators_and_values(#[case] text: &str, #[case] expected: Vec<Requirement>) {
    assert_eq!(LabelSelector::parse(text).unwrap().requirements(), expected);
}

#[rstest]
#[case("x=a||y=b")]
#[case("x==a==b")]
#[case("x===a")]
#[case("!x=a")]
#[case("!x in (a)")]
#[case("!!x")]
#[case("!")]
#[case("x!")]
#[case("x!y")]
#[case(",x,y")]
#[case("x,,y")]
#[case(",")]
#[case("x nott in (y)")]
#[case("a in (xyz),")]
#[case("a in (xyz)b notin ()")]
#[case("a in (xyz abc)")]
#[case("a in xyz")]
#[case("a in")]
#[case("a in (x=y)")]
#[case("a in (x")]
#[case("a notin(")]
#[case("a (")]
#[case("(")]
#[case(")")]
#[case("x=)")]
#[case("x=a)")]
#[case("x=(a)")]
#[case("x=a b")]
#[case("=a")]
#[case("x y")]
#[case("~")]
#[case("a/b/c")]
#[case("-x")]
#[case("x=-")]
#[case("x in (a,b/c)")]
#[case("x\0")]
#[case("x\u{a0}=a")]
fn what_is_not_of_the_grammar_is_refused(#[case] text: &str) {
    assert!(LabelSelector::parse(text).is_err());
}

#[rstest]
#[case("x>1", '>', 2)]
#[case("x>1,z<5", '>', 2)]
#[case("x <a", '<', 3)]
#[case("y, x < 7", '<', 6)]
fn comparisons_by_size_are_refused_by_name(
    #[case] text: &str,
    #[case] operator: char,
    #[case] position: usize,
) {
    assert_eq!(LabelSelector::parse(text), Err(SelectorError::Ordering { position, operator }));
}

#[test]
fn keys_and_values_are_held_to_the_grammar_of_labels() {
    assert!(LabelSelector::parse(&"a".repeat(63)).is_ok());
    assert!(LabelSelector::parse(&"a".repeat(64)).is_err());
    assert!(LabelSelector::parse(&"a".repeat(254)).is_err());
    assert!(LabelSelector::parse(&format!("x={}", "a".repeat(63))).is_ok());
    assert!(LabelSelector::parse(&format!("x={}", "a".repeat(64))).is_err());
}

#[rstest]
#[case("x==a==b", "found '==' at position 5; expected ',' or the end")]
#[case("!x=a", "found '=' at position 3; expected ',' or the end")]
#[case("x,", "found the end at position 3; expected a label key or '!'")]
#[case("! ", "found the end at position 3; expected a label key")]
#[case("x nott (y)", "found 'nott' at position 3; expected =, ==, !=, in, notin, ',' or the end")]
#[case("a in (x y)", "found 'y' at position 9; expected ',' or ')'")]
#[case("a in x", "found 'x' at position 6; expected '('")]
#[case("x>1", "operator '>' at position 2 is not supported; use =, ==, !=, in or notin")]
fn messages_name_the_place_and_what_could_stand_there(#[case] text: &str, #[case] message: &str) {
    assert_eq!(LabelSelector::parse(text).unwrap_err().to_string(), message);
}

#[test]
fn positions_count_characters_and_not_bytes() {
    let error = LabelSelector::parse("env=prod, größe = 1").unwrap_err();
    assert!(matches!(error, SelectorError::InvalidLabel { position: 11, .. }), "{error}");
    assert!(error.to_string().contains("label key 'größe'"), "{error}");
    let error = LabelSelector::parse("é é").unwrap_err();
    assert!(matches!(error, SelectorError::InvalidLabel { position: 1, .. }), "{error}");
}

#[rstest]
#[case("", &[("x", "y")])]
#[case("", &[])]
#[case("x=y", &[("x", "y")])]
#[case("x=y,z=w", &[("x", "y"), ("z", "w")])]
#[case("x!=y,z!=w", &[("x", "z"), ("z", "a")])]
#[case("notin=in", &[("notin", "in")])]
#[case("x", &[("x", "z")])]
#[case("!x", &[("y", "z")])]
#[case("foo=bar", &[("foo", "bar"), ("baz", "blah")])]
#[case("baz=blah", &[("foo", "bar"), ("baz", "blah")])]
#[case("foo=bar,baz=blah", &[("foo", "bar"), ("baz", "blah")])]
#[case("x in (foo),y notin (alpha)", &[("x", "foo"), ("y", "baz")])]
#[case("x notin (),y", &[("y", "")])]
#[case("!x,y", &[("y", "")])]
#[case("x!=y", &[])]
#[case("x notin (a,b)", &[("z", "a")])]
#[case("x in ()", &[("x", "")])]
#[case("x=", &[("x", "")])]
fn these_select(#[case] selector: &str, #[case] pairs: &[(&str, &str)]) {
    assert!(LabelSelector::parse(selector).unwrap().matches(&labels(pairs)));
}

#[rstest]
#[case("x=z", &[])]
#[case("x=y", &[("x", "z")])]
#[case("x=y,z=w", &[("x", "w"), ("z", "w")])]
#[case("x!=y,z!=w", &[("x", "z"), ("z", "w")])]
#[case("x", &[("y", "z")])]
#[case("!x", &[("x", "z")])]
#[case("foo=blah", &[("foo", "bar"), ("baz", "blah")])]
#[case("baz=bar", &[("foo", "bar"), ("baz", "blah")])]
#[case("foo=bar,foobar=bar,baz=blah", &[("foo", "bar"), ("baz", "blah")])]
#[case("x in (foo),y in (alpha)", &[("x", "foo"), ("y", "baz")])]
#[case("x notin (),!y", &[("y", "")])]
#[case("x in ()", &[("y", "baz")])]
#[case("x=", &[])]
#[case("x notin ()", &[("x", "")])]
#[case("x in (a,b)", &[("x", "A")])]
fn these_do_not_select(#[case] selector: &str, #[case] pairs: &[(&str, &str)]) {
    assert!(!LabelSelector::parse(selector).unwrap().matches(&labels(pairs)));
}

#[test]
fn only_the_empty_text_has_no_requirements() {
    assert!(LabelSelector::parse("").unwrap().is_empty());
    assert!(LabelSelector::parse(" \t").unwrap().is_empty());
    assert!(!LabelSelector::parse("x").unwrap().is_empty());
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic_and_what_is_read_can_be_written_and_read(
        text in "[xy=!(),<> inoté]{0,24}"
    ) {
        if let Ok(selector) = LabelSelector::parse(&text) {
            prop_assert_eq!(LabelSelector::parse(&selector.to_string()), Ok(selector));
        }
    }

    #[test]
    fn a_requirement_and_its_opposite_split_all_objects(
        value in prop::option::of("[ab]?"), listed in "[ab]?(,[ab])*",
    ) {
        let object: BTreeMap<String, String> = value.into_iter().map(|v| ("x".to_owned(), v)).collect();
        for (term, opposite) in [
            (format!("x in ({listed})"), format!("x notin ({listed})")),
            ("x=a".to_owned(), "x!=a".to_owned()),
            ("x".to_owned(), "!x".to_owned()),
        ] {
            let selects = |text: &str| LabelSelector::parse(text).unwrap().matches(&object);
            prop_assert!(selects(&term) != selects(&opposite), "{} and {}", term, opposite);
        }
    }
}
