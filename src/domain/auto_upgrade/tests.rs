//! The examples of the French seed, and every status a trigger can lead to.

use std::collections::BTreeSet;

use rstest::rstest;
use serde_json::json;

use super::target::{NoTarget, newest};
use super::trigger::{Decision, Obstacle, Situation, Turn, decide, failed, news, turn};
use super::*;
use crate::domain::catalogue::{Catalogue, Release, ReleaseItem};
use crate::domain::resource_id::ResourceId;
use crate::domain::system_data::Principal;
use crate::domain::time::Timestamp;
use crate::domain::update_run::state::UpdateState;

pub(super) fn spec(channel: Channel) -> ProfileSpec {
    ProfileSpec {
        channel,
        target_kubernetes_version: None,
        long_term_support: None,
        node_image_selection: None,
        update_strategy_id: None,
        disabled: None,
    }
}

pub(super) fn following(minor: &str, long_term_support: bool) -> ProfileSpec {
    ProfileSpec {
        target_kubernetes_version: Some(minor.parse().unwrap()),
        long_term_support: Some(long_term_support),
        ..spec(Channel::TargetKubernetesVersion)
    }
}

pub(super) fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub(super) fn now() -> Timestamp {
    at("2026-11-30T00:00:00Z")
}

/// A profile named `p` that has seen nothing.
pub(super) fn profile(spec: ProfileSpec) -> AutoUpgradeProfile {
    let fleet = ResourceId::resource_group("11111111-2222-3333-4444-555555555555", "rg").child("fleets", "f");
    let system_data = SystemData::created(&Principal::anonymous(), now());
    AutoUpgradeProfile::new(fleet.child("autoUpgradeProfiles", "p"), spec, Newest::Nothing, system_data)
}

/// A profile that has seen what `catalogue` offers now.
fn profile_in(catalogue: &Catalogue, spec: ProfileSpec) -> AutoUpgradeProfile {
    AutoUpgradeProfile { seen: newest(&spec, catalogue, now()), ..profile(spec) }
}

pub(super) fn kubernetes(version: &str) -> ChannelTarget {
    ChannelTarget::Kubernetes(version.parse().unwrap())
}

pub(super) fn images(versions: &[&str]) -> ChannelTarget {
    let images = versions.iter().map(|text| text.parse::<crate::domain::node_image::NodeImage>().unwrap());
    ChannelTarget::Images(images.map(|image| (image.family.clone(), image)).collect())
}

/// The seed's world: minors up to 1.`newest`, three of them with community support, three more with long-term support.
fn seed(newest: u16) -> Catalogue {
    let versions: Vec<serde_json::Value> =
        (newest - 6..=newest).map(|minor| json!({ "version": format!("1.{minor}.4") })).collect();
    let file = json!({
        "regions": ["eastus", "westus"],
        "kubernetesVersions": versions,
        "nodeImages": [
            { "image": "AKSUbuntu-2204gen2containerd-202407.08.0" },
            { "image": "AKSWindows-2022-containerd-20348.2582.240716" },
        ],
    });
    Catalogue::from_json(&file.to_string()).unwrap()
}

fn with(catalogue: &Catalogue, item: serde_json::Value) -> Catalogue {
    let items: Vec<ReleaseItem> = vec![serde_json::from_value(item).unwrap()];
    catalogue.with_releases(&[Release { id: uuid::Uuid::nil(), at: now(), items }])
}

fn version(version: &str) -> serde_json::Value {
    json!({ "kind": "KubernetesVersion", "version": version, "regions": ["eastus"] })
}

fn used(families: &[&str]) -> BTreeSet<String> {
    families.iter().map(|family| (*family).to_owned()).collect()
}

const UBUNTU: &str = "AKSUbuntu-2204gen2containerd";
const WINDOWS: &str = "AKSWindows-2022-containerd";

/// Where the profile, having seen `before`, is told to go by `item`.
fn moved(
    before: &Catalogue,
    spec: ProfileSpec,
    item: serde_json::Value,
) -> Option<Result<ChannelTarget, NoTarget>> {
    let after = with(before, item);
    let profile = profile_in(before, spec);
    let newest = newest(&profile.spec, &after, now());
    news(&profile, &newest, &used(&[UBUNTU, WINDOWS]))
}

#[test]
fn rapid_takes_patches_of_1_30_and_moves_to_1_31_when_that_is_published() {
    let world = seed(30);
    assert_eq!(moved(&world, spec(Channel::Rapid), version("1.30.5")), Some(Ok(kubernetes("1.30.5"))));
    assert_eq!(moved(&world, spec(Channel::Rapid), version("1.29.5")), None);
    assert_eq!(moved(&world, spec(Channel::Rapid), version("1.31.0")), Some(Ok(kubernetes("1.31.0"))));
}

#[test]
fn stable_takes_patches_of_1_29_and_moves_to_1_30_when_1_31_is_published() {
    let world = seed(30);
    assert_eq!(moved(&world, spec(Channel::Stable), version("1.29.5")), Some(Ok(kubernetes("1.29.5"))));
    assert_eq!(moved(&world, spec(Channel::Stable), version("1.30.5")), None);
    assert_eq!(moved(&world, spec(Channel::Stable), version("1.31.0")), Some(Ok(kubernetes("1.30.4"))));
}

#[test]
fn a_target_version_of_1_30_takes_1_30_5_and_stays_with_1_30() {
    let world = seed(30);
    assert_eq!(moved(&world, following("1.30", false), version("1.30.5")), Some(Ok(kubernetes("1.30.5"))));
    assert_eq!(moved(&world, following("1.30", false), version("1.31.0")), None);
}

#[test]
fn a_target_version_of_1_29_with_long_term_support_takes_1_29_5_while_1_33_is_the_newest() {
    let world = seed(33);
    assert_eq!(moved(&world, following("1.29", true), version("1.29.5")), Some(Ok(kubernetes("1.29.5"))));
}

#[test]
fn a_target_minor_that_leaves_support_is_news_once() {
    let world = seed(30);
    let unsupported: Minor = "1.28".parse().unwrap();
    let news_of_1_31 = moved(&world, following("1.28", false), version("1.31.0"));
    assert_eq!(news_of_1_31, Some(Err(NoTarget::Unsupported(unsupported))));
    let later = with(&world, version("1.31.0"));
    assert_eq!(moved(&later, following("1.28", false), version("1.28.5")), None);
    assert_eq!(moved(&world, following("1.28", true), version("1.31.0")), None);
}

#[test]
fn previews_are_no_news() {
    let preview = json!({ "kind": "KubernetesVersion", "version": "1.31.0", "isPreview": true });
    assert_eq!(moved(&seed(30), spec(Channel::Rapid), preview), None);
}

#[test]
fn the_seeds_windows_image_moves_the_node_image_channel() {
    let item = json!({ "kind": "NodeImage", "version": "AKSWindows-2022-containerd-20348.2582.240916" });
    let expected =
        images(&["AKSUbuntu-2204gen2containerd-202407.08.0", "AKSWindows-2022-containerd-20348.2582.240916"]);
    assert_eq!(moved(&seed(30), spec(Channel::NodeImage), item.clone()), Some(Ok(expected)));
    assert_eq!(moved(&seed(30), spec(Channel::SecurityPatch), item), None);
}

#[test]
fn a_security_patch_moves_its_own_channel_and_for_linux_only() {
    let patch = |image: &str| json!({ "kind": "SecurityPatch", "version": image, "livePatch": true });
    let linux = patch("AKSUbuntu-2204gen2containerd-202407.08.1");
    let expected = images(&["AKSUbuntu-2204gen2containerd-202407.08.1"]);
    assert_eq!(moved(&seed(30), spec(Channel::SecurityPatch), linux.clone()), Some(Ok(expected)));
    assert_eq!(moved(&seed(30), spec(Channel::NodeImage), linux), None);
    let windows = patch("AKSWindows-2022-containerd-20348.2582.240717");
    assert_eq!(moved(&seed(30), spec(Channel::SecurityPatch), windows), None);
}

#[test]
fn an_image_of_a_family_that_no_member_has_is_no_news_and_neither_is_a_member_with_another_family() {
    let world = seed(30);
    let profile = profile_in(&world, spec(Channel::NodeImage));
    let item = json!({ "kind": "NodeImage", "version": "AKSWindows-2022-containerd-20348.2582.240916" });
    let after = newest(&profile.spec, &with(&world, item), now());
    assert_eq!(news(&profile, &after, &used(&[UBUNTU])), None);
    let seen = AutoUpgradeProfile { seen: after.clone(), ..profile };
    assert_eq!(news(&seen, &after, &used(&[UBUNTU, WINDOWS])), None);
}

#[test]
fn a_disabled_profile_has_no_news_and_what_came_meanwhile_triggers_nothing_when_it_is_enabled() {
    let world = seed(30);
    let disabled = ProfileSpec { disabled: Some(true), ..spec(Channel::Rapid) };
    let profile = profile_in(&world, disabled);
    let after = newest(&profile.spec, &with(&world, version("1.30.5")), now());
    assert_eq!(news(&profile, &after, &BTreeSet::new()), None);
    let system_data = profile.system_data.clone();
    let enabled = profile.replaced(spec(Channel::Rapid), after.clone(), system_data);
    assert_eq!(news(&enabled, &after, &BTreeSet::new()), None);
}

#[rstest]
#[case::another_channel(spec(Channel::Stable), false)]
#[case::another_strategy(ProfileSpec { update_strategy_id: Some(ResourceId::subscription("s")), ..spec(Channel::Rapid) }, true)]
#[case::the_same(spec(Channel::Rapid), true)]
fn a_put_forgets_the_waiting_run_only_where_it_follows_something_else(
    #[case] to: ProfileSpec,
    #[case] kept: bool,
) {
    let mut profile = profile(spec(Channel::Rapid));
    profile.waiting = Some(profile.id.clone());
    let system_data = profile.system_data.clone();
    let seen = profile.seen.clone();
    let newest = Newest::Kubernetes("1.30.4".parse().unwrap());
    let replaced = profile.replaced(to, newest.clone(), system_data);
    assert_eq!(replaced.waiting.is_some(), kept);
    assert_eq!(replaced.seen, if kept { seen } else { newest });
}

#[test]
fn kubernetes_channels_make_full_runs_with_the_profiles_images() {
    let consistent =
        ProfileSpec { node_image_selection: Some(ImagePreference::Consistent), ..spec(Channel::Rapid) };
    let proposal = profile(consistent).proposal(&kubernetes("1.30.5"));
    assert_eq!(proposal.spec.upgrade, UpgradeType::Full);
    assert_eq!(proposal.spec.kubernetes_version.as_deref(), Some("1.30.5"));
    assert_eq!(proposal.spec.node_image_selection.unwrap().kind, SelectionType::Consistent);
    assert_eq!(proposal.origin, Origin { by_auto_upgrade: true, security_patch: false });
}

#[rstest]
#[case(Channel::NodeImage, false)]
#[case(Channel::SecurityPatch, true)]
fn image_channels_make_runs_of_custom_images(#[case] channel: Channel, #[case] security_patch: bool) {
    let proposal = profile(spec(channel)).proposal(&images(&["AKSUbuntu-2204gen2containerd-202407.08.1"]));
    let selection = proposal.spec.node_image_selection.unwrap();
    assert_eq!((proposal.spec.upgrade, selection.kind), (UpgradeType::NodeImageOnly, SelectionType::Custom));
    assert_eq!(selection.custom_node_image_versions.len(), 1);
    assert_eq!(proposal.origin, Origin { by_auto_upgrade: true, security_patch });
}

#[rstest]
#[case::new(None, None, true, Decision::Start, "was started")]
#[case::generated_before(Some(UpdateState::NotStarted), None, false, Decision::Start, "was started")]
#[case::another_active(None, Some("other"), true, Decision::Wait, "when update run other")]
#[case::generated_and_another_active(
    Some(UpdateState::NotStarted),
    Some("other"),
    true,
    Decision::Wait,
    "other"
)]
#[case::nothing_to_do(None, None, false, Decision::NothingToDo, "nothing to do")]
#[case::nothing_to_do_nor_to_wait_for(None, Some("other"), false, Decision::NothingToDo, "nothing to do")]
#[case::done_before(Some(UpdateState::Completed), None, true, Decision::LeaveAlone, "it is Completed")]
#[case::stopped_before(
    Some(UpdateState::Stopped),
    Some("other"),
    true,
    Decision::LeaveAlone,
    "it is Stopped"
)]
fn a_new_target_is_decided_and_explained(
    #[case] existing: Option<UpdateState>,
    #[case] active: Option<&str>,
    #[case] has_work: bool,
    #[case] expected: Decision,
    #[case] says: &str,
) {
    let situation = Situation { run: "r", existing, active, has_work };
    let decision = decide(situation);
    assert_eq!(decision, expected);
    let status = decision.status(&kubernetes("1.30.5"), situation, now());
    assert!(status.last_trigger_message.as_ref().unwrap().contains(says), "{status:?}");
    assert_eq!(status.last_trigger_status, Some(TriggerOutcome::Succeeded));
    assert_eq!(status.last_trigger_upgrade_versions, ["1.30.5"]);
}

#[rstest]
#[case(Obstacle::NoStrategy(ResourceId::subscription("s")), "UpdateStrategyNotFound", "does not exist")]
#[case(Obstacle::EmptyFleet, "NoMembersToUpgrade", "no members")]
#[case(Obstacle::Unsupported(Minor::new(1, 28)), "KubernetesVersionNotSupported", "1.28")]
#[case(Obstacle::NothingReleased, "NothingReleased", "released")]
fn an_obstacle_is_told_in_the_status(#[case] obstacle: Obstacle, #[case] code: &str, #[case] says: &str) {
    let error = TriggerError { code: obstacle.code().to_owned(), message: obstacle.message() };
    let status = failed(error, None, now());
    let error = status.last_trigger_error.unwrap();
    assert_eq!((error.code.as_str(), status.last_trigger_status), (code, Some(TriggerOutcome::Failed)));
    assert!(error.message.contains(says), "{}", error.message);
    assert!(!obstacle.refusal().message.is_empty());
}

#[rstest]
#[case(false, Some(UpdateState::NotStarted), false, Turn::Start)]
#[case(false, Some(UpdateState::NotStarted), true, Turn::Wait)]
#[case(true, Some(UpdateState::NotStarted), false, Turn::Wait)]
#[case(false, Some(UpdateState::Running), false, Turn::Forget)]
#[case(false, None, false, Turn::Forget)]
fn a_waiting_run_starts_when_no_other_is_under_way(
    #[case] disabled: bool,
    #[case] state: Option<UpdateState>,
    #[case] another: bool,
    #[case] expected: Turn,
) {
    assert_eq!(turn(disabled, state, another), expected);
}
