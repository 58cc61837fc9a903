use proptest::prelude::*;
use rstest::rstest;
use serde_json::json;

use super::*;
use crate::domain::lifecycle::Lifecycle;
use crate::domain::system_data::Principal;
use crate::domain::time::from_micros;

fn fleet() -> ResourceId {
    ResourceId::resource_group("s", "g").child("fleets", "f")
}

fn profile(name: &str, selector: Option<&str>) -> ClusterMeshProfile {
    ClusterMeshProfile {
        id: fleet().child("clusterMeshProfiles", name),
        selector: selector.map(|text| MemberSelector { by_label: text.to_owned() }),
        applied: None,
        system_data: SystemData::created(&Principal::anonymous(), from_micros(0)),
    }
}

fn member(number: usize, tier: &str) -> Member {
    let name = format!("m{number}");
    Member {
        id: fleet().child("members", &name),
        cluster_resource_id: ResourceId::resource_group("s", "g").child("managedClusters", &name),
        cluster_location: None,
        group: None,
        labels: [("tier".to_owned(), tier.to_owned())].into(),
        mesh: None,
        lifecycle: Lifecycle::succeeded(),
        system_data: SystemData::created(&Principal::anonymous(), from_micros(0)),
    }
}

/// Applies the profile to the members.
fn apply(profile: &ClusterMeshProfile, members: &mut [Member]) -> Result<bool, Refusal> {
    let changes = profile.changes(&members.iter().collect::<Vec<_>>(), Uuid::nil(), from_micros(7))?;
    for (place, mesh) in changes.members {
        members[place].mesh = mesh;
    }
    Ok(changes.connected)
}

fn ids(members: &[Member]) -> Vec<Option<u8>> {
    members.iter().map(|member| member.mesh.as_ref().map(|mesh| mesh.cilium_id)).collect()
}

#[test]
fn those_selected_are_connected_and_those_no_longer_selected_leave() {
    let mut members = [member(0, "a"), member(1, "b"), member(2, "a")];
    let profile = profile("mesh", Some("tier=a"));
    assert_eq!(apply(&profile, &mut members), Ok(true));
    assert_eq!(ids(&members), [Some(1), None, Some(2)]);
    members[0].labels.clear();
    members[1].labels = members[2].labels.clone();
    assert_eq!(apply(&profile, &mut members), Ok(true));
    assert_eq!(ids(&members), [None, Some(1), Some(2)]);
    let again = profile.changes(&members.iter().collect::<Vec<_>>(), Uuid::nil(), from_micros(8)).unwrap();
    assert_eq!(again.members, [], "applying it again changes nothing");
}

#[rstest]
#[case(None)]
#[case(Some(""))]
fn without_terms_nobody_is_selected(#[case] selector: Option<&str>) {
    let mut members = [member(0, "a")];
    apply(&profile("mesh", Some("tier=a")), &mut members).unwrap();
    assert_eq!(apply(&profile("mesh", selector), &mut members), Ok(false));
    assert_eq!(ids(&members), [None]);
}

#[test]
fn a_member_that_leaves_is_not_connected() {
    let mut members = [member(0, "a")];
    members[0].lifecycle.state = ProvisioningState::Deleting;
    assert_eq!(apply(&profile("mesh", Some("tier=a")), &mut members), Ok(false));
}

#[test]
fn a_member_is_in_one_mesh() {
    let mut members = [member(0, "a"), member(1, "b")];
    apply(&profile("one", Some("tier=a")), &mut members).unwrap();
    let refused = apply(&profile("two", Some("tier=a")), &mut members).unwrap_err();
    assert_eq!(refused.code, Code::MemberBelongsToClusterMesh);
    assert_eq!(apply(&profile("two", Some("tier=b")), &mut members), Ok(true));
    assert_eq!(members[0].mesh.as_ref().unwrap().profile, "one");
    assert_eq!(members[0].check_may_leave().unwrap_err().code, Code::MemberBelongsToClusterMesh);
}

#[test]
fn a_mesh_has_255_members_at_most() {
    let mut members: Vec<Member> = (0..255).map(|number| member(number, "a")).collect();
    let profile = profile("mesh", Some("tier=a"));
    assert_eq!(apply(&profile, &mut members), Ok(true));
    assert_eq!(ids(&members).last(), Some(&Some(255)));
    members.push(member(255, "a"));
    assert_eq!(apply(&profile, &mut members).unwrap_err().code, Code::QuotaExceeded);
}

#[rstest]
#[case("tier=a", true)]
#[case("tier=a, env = prod", true)]
#[case("", true)]
#[case("tier==a", false)]
#[case("tier!=a", false)]
#[case("tier in (a)", false)]
#[case("tier", false)]
#[case("!tier", false)]
#[case("tier=a b", false)]
fn terms_are_equalities(#[case] text: &str, #[case] valid: bool) {
    let mut faults = Faults::new();
    let body = json!({ "properties": { "memberSelector": { "byLabel": text } } });
    let read = read_mesh_selector(&body, &mut faults);
    assert_eq!((faults.is_empty(), read.is_some()), (valid, valid));
}

proptest! {
    #[test]
    fn ids_are_unique_and_kept_whatever_is_applied(
        rounds in prop::collection::vec(prop::collection::vec(any::<bool>(), 12), 1..6),
    ) {
        let mut members: Vec<Member> = (0..12).map(|number| member(number, "-")).collect();
        let profile = profile("mesh", Some("tier=a"));
        for selected in rounds {
            let before = ids(&members);
            for (member, selected) in members.iter_mut().zip(&selected) {
                member.labels = [("tier".to_owned(), if *selected { "a" } else { "b" }.to_owned())].into();
            }
            apply(&profile, &mut members).unwrap();
            let after = ids(&members);
            let connected: Vec<u8> = after.iter().flatten().copied().collect();
            prop_assert_eq!(connected.iter().collect::<BTreeSet<_>>().len(), connected.len());
            for ((before, after), selected) in before.iter().zip(&after).zip(&selected) {
                prop_assert_eq!(after.is_some(), *selected);
                if before.is_some() && *selected {
                    prop_assert_eq!(before, after);
                }
            }
        }
    }
}

#[rstest]
#[case("mesh==x", "mesh==x")]
#[case("a=b, mesh == x", "mesh == x")]
#[case("env in (b,a),mesh==x", "env in (b,a)")]
#[case("a=b,!c", "!c")]
fn a_term_that_no_mesh_has_is_quoted_as_it_was_written(#[case] selector: &str, #[case] quoted: &str) {
    let mut faults = Faults::new();
    let body = json!({ "properties": { "memberSelector": { "byLabel": selector } } });
    assert_eq!(read_mesh_selector(&body, &mut faults), None);
    let message = faults.finish().unwrap_err().message;
    assert!(message.contains(&format!("; '{quoted}' is not one")), "{message}");
}
