//! The contract of [`Records::list`](crate::store::Records::list) and its kin.

use std::sync::Arc;

use serde_json::json;

use super::sample::{
    SUBSCRIPTION, child, fleet, fleet_key, group_key, inserted, names, read, with_body, write,
};
use crate::store::{JsonEquals, Kind, ListQuery, NewRecord, Record, Scope, Store};

fn in_group(group: &str) -> ListQuery {
    ListQuery {
        kind: Kind::Fleet,
        scope: Scope::Parent(group_key(group)),
        filter: Vec::new(),
        after: None,
        limit: 100,
    }
}

fn in_subscription() -> ListQuery {
    ListQuery { scope: Scope::Subscription(SUBSCRIPTION.to_owned()), ..in_group("") }
}

async fn listed(store: &Arc<dyn Store>, query: &ListQuery) -> Vec<Record> {
    read(store).await.list(query).await.expect("a page is listed")
}

/// A parent's children come by name, byte by byte: punctuation before digits before letters on every store.
pub async fn a_parents_children_are_listed_by_name(store: Arc<dyn Store>) {
    let expected = ["-a", "0", "1-a", "10", "1a", "a", "a-", "a-b", "a.b", "a0", "a_b", "aa", "ab", "b"];
    for name in expected.iter().rev() {
        inserted(&store, &[fleet("rg", name), fleet("other", name)]).await;
    }
    let listed = listed(&store, &in_group("rg")).await;
    assert_eq!(names(&listed), expected);
    assert!(listed.iter().all(|record| record.place.0 == "rg"));
}

/// A subscription's resources come by group, then name; other subscriptions and kinds are left out.
pub async fn a_subscriptions_resources_are_listed_by_group_and_name(store: Arc<dyn Store>) {
    let foreign = fleet("rg", "foreign");
    let mut locator = foreign.locator.clone();
    locator.subscription = "other".to_owned();
    inserted(&store, &[fleet("rg0", "a"), fleet("rg-1", "z"), fleet("rg", "b"), fleet("rg", "a")]).await;
    inserted(&store, &[NewRecord { locator, ..foreign }, child(Kind::Member, "m")]).await;
    let places: Vec<_> =
        listed(&store, &in_subscription()).await.into_iter().map(|record| record.place).collect();
    let expected = [("rg", "a"), ("rg", "b"), ("rg-1", "z"), ("rg0", "a")]
        .map(|(group, name)| (group.into(), name.into()));
    assert_eq!(places, expected);
}

/// Pages follow each other without gap or repetition.
pub async fn pages_follow_each_other(store: Arc<dyn Store>) {
    let records: Vec<NewRecord> =
        (0..7).map(|number| fleet(&format!("rg{}", number / 3), &format!("f{number}"))).collect();
    inserted(&store, &records).await;
    let mut seen = Vec::new();
    let mut query = ListQuery { limit: 2, ..in_subscription() };
    loop {
        let page = listed(&store, &query).await;
        assert!(page.len() <= 2);
        let Some(last) = page.last() else { break };
        query.after = Some(last.place.clone());
        seen.extend(page.into_iter().map(|record| record.place.1));
    }
    assert_eq!(seen, ["f0", "f1", "f2", "f3", "f4", "f5", "f6"]);
}

/// What is there during a whole walk is seen once, whatever comes and goes meanwhile, also the page's last record.
pub async fn paging_survives_insertions_and_deletions(store: Arc<dyn Store>) {
    inserted(&store, &["b", "d", "f", "h"].map(|name| fleet("rg", name))).await;
    let first = listed(&store, &ListQuery { limit: 2, ..in_group("rg") }).await;
    assert_eq!(names(&first), ["b", "d"]);
    let mut tx = write(&store).await;
    tx.insert(&["a", "e"].map(|name| fleet("rg", name))).await.unwrap();
    tx.delete(&fleet_key("rg", "d"), 1).await.unwrap();
    tx.commit(false).await.unwrap();
    let rest = listed(&store, &ListQuery { after: Some(first[1].place.clone()), ..in_group("rg") }).await;
    assert_eq!(names(&rest), ["e", "f", "h"]);
}

/// For a parent's children the group of `after` is ignored.
pub async fn a_parents_pages_go_by_name_alone(store: Arc<dyn Store>) {
    inserted(&store, &["a", "b", "c"].map(|name| fleet("rg", name))).await;
    let after = Some(("zzz".to_owned(), "a".to_owned()));
    assert_eq!(names(&listed(&store, &ListQuery { after, ..in_group("rg") }).await), ["b", "c"]);
}

/// All conditions must hold; only strings equal, and only in their own case.
pub async fn conditions_select_by_the_document(store: Arc<dyn Store>) {
    let bodies = [
        ("a", json!({ "p": { "state": "On", "of": "X" } })),
        ("b", json!({ "p": { "state": "on", "of": "X" } })),
        ("c", json!({ "p": { "state": "On", "of": "Y" } })),
        ("d", json!({ "p": { "state": 5, "of": "X" } })),
        ("e", json!({ "p": { "state": null } })),
        ("f", json!({ "p": "On" })),
        ("g", json!({ "p": { "state": "a'b\"c%" } })),
    ];
    inserted(&store, &bodies.map(|(name, body)| with_body(fleet("rg", name), &body))).await;
    let equals = |path: &'static [&'static str], value: &str, ignore_case| JsonEquals {
        path,
        value: value.to_owned(),
        ignore_case,
    };
    let state = |value: &str, ignore_case| equals(&["p", "state"], value, ignore_case);
    for (filter, expected) in [
        (vec![state("On", false)], vec!["a", "c"]),
        (vec![state("ON", true)], vec!["a", "b", "c"]),
        (vec![state("On", false), equals(&["p", "of"], "X", false)], vec!["a"]),
        (vec![state("5", false)], vec![]),
        (vec![state("null", false)], vec![]),
        (vec![state("a'b\"c%", false)], vec!["g"]),
        (vec![state("a'b\"c_", true)], vec![]),
        (vec![equals(&["missing"], "", false)], vec![]),
    ] {
        let query = ListQuery { filter, ..in_group("rg") };
        assert_eq!(names(&listed(&store, &query).await), expected, "{query:?}");
    }
}

/// Conditions and pages go together.
pub async fn a_filtered_list_has_pages(store: Arc<dyn Store>) {
    let records = ["a", "b", "c", "d", "e"].map(|name| {
        let state = if name == "b" { "off" } else { "on" };
        with_body(fleet("rg", name), &json!({ "state": state }))
    });
    inserted(&store, &records).await;
    let filter = vec![JsonEquals { path: &["state"], value: "on".to_owned(), ignore_case: false }];
    let query = ListQuery { filter, limit: 2, ..in_group("rg") };
    assert_eq!(names(&listed(&store, &query).await), ["a", "c"]);
    let after = Some(("rg".to_owned(), "c".to_owned()));
    assert_eq!(names(&listed(&store, &ListQuery { after, ..query }).await), ["d", "e"]);
}

/// A tally counts records of its kind only, by the string at its path; records without one count nowhere.
pub async fn a_kind_is_counted_by_a_string_of_its_documents(store: Arc<dyn Store>) {
    let state = |name: &str, body: serde_json::Value| with_body(fleet("rg", name), &body);
    let records = [
        state("a", json!({ "run": { "state": "On" } })),
        state("b", json!({ "run": { "state": "Off" } })),
        state("c", json!({ "run": { "state": "On" } })),
        state("d", json!({ "run": { "state": 5 } })),
        state("e", json!({ "run": null })),
        with_body(child(Kind::Gate, "g"), &json!({ "run": { "state": "On" } })),
    ];
    inserted(&store, &records).await;
    let counts = read(&store).await.tally(Kind::Fleet, &["run", "state"]).await.unwrap();
    assert_eq!(counts, [("Off".to_owned(), 1), ("On".to_owned(), 2)]);
}

/// Children, and all of a kind, come in the order of creation, also of one insertion.
pub async fn children_come_in_the_order_of_creation(store: Arc<dyn Store>) {
    inserted(&store, &["c", "a"].map(|name| child(Kind::Member, name))).await;
    inserted(&store, &["d", "b"].map(|name| child(Kind::Member, name))).await;
    inserted(&store, &[child(Kind::Gate, "g"), fleet("rg", "f")]).await;
    let mut tx = read(&store).await;
    let children = tx.children(Kind::Member, &fleet_key("rg", "f")).await.unwrap();
    assert_eq!(names(&children), ["c", "a", "d", "b"]);
    assert!(children.is_sorted_by_key(|record| record.sequence));
    assert_eq!(tx.all(Kind::Member).await.unwrap(), children);
    assert_eq!(tx.created_after(Kind::Member, 0, 2).await.unwrap(), children[..2]);
    let second = children[1].sequence;
    assert_eq!(tx.created_after(Kind::Member, second, 5).await.unwrap(), children[2..]);
    assert_eq!(tx.count(Kind::Member, &fleet_key("rg", "f")).await.unwrap(), 4);
    assert_eq!(tx.count(Kind::Member, &fleet_key("rg", "g")).await.unwrap(), 0);
}

/// A place in the order of creation is never given again.
pub async fn a_sequence_is_never_used_again(store: Arc<dyn Store>) {
    inserted(&store, &[fleet("rg", "a")]).await;
    let first = listed(&store, &in_group("rg")).await[0].sequence;
    let mut tx = write(&store).await;
    tx.delete(&fleet_key("rg", "a"), 1).await.unwrap();
    tx.commit(false).await.unwrap();
    inserted(&store, &[fleet("rg", "a")]).await;
    assert!(listed(&store, &in_group("rg")).await[0].sequence > first);
}
