//! Judging: the rules in their order, rule by rule.

use rstest::rstest;
use serde_json::json;

use crate::domain::observed_cluster::PowerState;
use crate::domain::update_run::state::UpdateState::{self, *};
use crate::domain::update_run::target::Target;
use crate::domain::update_run::testing::World;
use crate::domain::update_run::testing::build::*;
use crate::domain::update_run::testing::cluster::{AZURE_LINUX, Cluster};

const UBUNTU_NEW: &str = "AKSUbuntu-2204gen2containerd-202611.02.0";

/// A run over one cluster that may fail, just started.
fn judged(target: Target, cluster: Cluster) -> World {
    let mut world = World::new(target, None, vec![cluster]);
    world.start();
    world
}

/// State, error code and message of the one member.
fn verdict(world: &World) -> (UpdateState, String, String) {
    (world.state("c"), world.code("c").to_owned(), world.message("c").to_owned())
}

fn c() -> Cluster {
    Cluster::new("c")
}

fn auto(target: Target) -> Target {
    Target { by_auto_upgrade: true, ..target }
}

#[rstest]
#[case::full(full("1.35.3"), c().image("202611.16.0"))]
#[case::full_ahead(full("1.35.3"), c().version("1.36.4").image("202612.01.0"))]
#[case::control_plane_only_whatever_the_pools(control_plane("1.35.3"), c())]
#[case::images_only_whatever_the_version(images(), c().version("1.34.5").image("202611.16.0"))]
#[case::a_snapshot_pool_counts_as_there_with_latest(images(), c().from_snapshot())]
#[case::the_regions_newest_counts(images(), c().region("westeurope").image("202611.02.0"))]
fn skipped_where_it_is_already_there(#[case] target: Target, #[case] cluster: Cluster) {
    let (state, _, message) = verdict(&judged(target, cluster));
    assert_eq!((state, message.as_str()), (Skipped, "The cluster is already at the target, or ahead of it."));
}

#[rstest]
#[case::arc(full("1.36.4"), c().but(|c| c.unsupported = true), "of this kind")]
#[case::auto_provisioning(full("1.36.4"), c().but(|c| c.observed.node_auto_provisioning = true), "auto-provisioned")]
#[case::auto_upgrade_two_minors(auto(full("1.36.4")), c().version("1.34.5"), "2 minor versions behind")]
#[case::custom_none_of_the_family(custom(images(), &["AKSAzureLinux-V3gen2-202611.02.0"]), c(), "No node pool")]
#[case::custom_full_none_of_the_family(custom(full("1.36.4"), &["AKSAzureLinux-V3gen2-202611.02.0"]), c(), "No node pool")]
#[case::custom_none_left(custom(images(), &[UBUNTU_NEW]), c().image("202611.02.0"), "already at the target")]
#[case::consistent_no_target(consistent(images()), c().region("westeurope").pool("w", "AKSWindows-2022-containerd", "1.0"), "AKSWindows-2022-containerd")]
fn skipped_for_other_reasons(#[case] target: Target, #[case] cluster: Cluster, #[case] says: &str) {
    let (state, _, message) = verdict(&judged(target, cluster));
    assert_eq!(state, Skipped, "{message}");
    assert!(message.contains(says), "{message}");
}

#[rstest]
#[case::two_minors(full("1.36.4"), c().version("1.34.5"), "OperationNotAllowed")]
#[case::long_term_support_needed(full("1.34.5"), c().version("1.33.7"), "LongTermSupportRequired")]
#[case::no_longer_supported(full("1.33.7"), c().version("1.32.9"), "KubernetesVersionNotSupported")]
#[case::images_of_an_unsupported_minor(images(), c().version("1.33.7"), "KubernetesVersionNotSupported")]
#[case::deleted(full("1.36.4"), c().but(|c| c.deleted = true), "ClusterNotFound")]
#[case::stopped(full("1.36.4"), c().but(|c| c.observed.power = PowerState::Stopped), "ClusterStopped")]
fn failed(#[case] target: Target, #[case] cluster: Cluster, #[case] code: &str) {
    let world = judged(target, cluster);
    assert_eq!((world.state("c"), world.code("c")), (Failed, code));
    assert_eq!(world.run.status.state, Failed);
}

#[test]
fn with_long_term_support_an_older_minor_can_be_had() {
    let cluster = c().version("1.33.7").but(|c| c.observed.long_term_support = true);
    assert_eq!(judged(full("1.34.5"), cluster).state("c"), Running);
}

#[test]
fn pools_more_than_one_minor_behind_go_straight_to_the_target() {
    let cluster = c().but(|c| c.observed.pools[0].version = "1.33.7".parse().unwrap());
    assert_eq!(judged(full("1.36.4"), cluster).state("c"), Running);
}

#[rstest]
#[case::version_with_a_date(full("1.36.5"), c().region("westus2"), "KubernetesVersionNotAvailable", "It comes to westus2 at 2026-12-09T00:00:00Z")]
#[case::version_without_a_date(full("1.36.5"), c().region("westeurope"), "KubernetesVersionNotAvailable", "available in eastus. When it comes to westeurope is not known")]
#[case::image(custom(images(), &["AKSUbuntu-2204gen2containerd-202611.16.0"]), c().region("westeurope"), "NodeImageVersionNotAvailable", "AKSUbuntu-2204gen2containerd-202611.16.0")]
#[case::no_image_of_the_family(images(), c().region("westeurope").pool("w", "AKSWindows-2022-containerd", "1.0"), "NodeImageVersionNotAvailable", "AKSWindows-2022-containerd")]
#[case::window(full("1.36.4"), c().window(daily("12:00", 4)), "MaintenanceWindowClosed", "opens next at 2026-12-07T12:00:00Z")]
#[case::busy(full("1.36.4"), c().but(|c| c.other_operation = Some(Some(at("2026-12-07T01:00:00Z")))), "OperationInProgress", "until 2026-12-07T01:00:00Z")]
#[case::busy_for_an_unknown_time(full("1.36.4"), c().but(|c| c.other_operation = Some(None)), "OperationInProgress", "starts when it has ended")]
fn pending(#[case] target: Target, #[case] cluster: Cluster, #[case] code: &str, #[case] says: &str) {
    let world = judged(target, cluster);
    let (state, found, message) = verdict(&world);
    assert_eq!((state, found.as_str()), (Pending, code));
    assert!(message.contains(says), "{message}");
    if code.ends_with("NotAvailable") {
        assert!(message.contains("releases.aks.azure.com") && message.contains("/simulator/catalogue"));
    }
    assert_eq!(world.states("default", "default"), [Pending; 3]);
    assert_eq!(world.run.status.error.as_ref().unwrap().code, "MembersPending");
}

#[test]
fn skipped_comes_before_failed_before_pending_before_stopped() {
    let hopeless = |c: Cluster| {
        c.window(daily("12:00", 4)).but(|c| {
            c.observed.power = PowerState::Stopped;
            c.other_operation = Some(None);
        })
    };
    let there = hopeless(c()).version("1.36.4").image("202611.16.0");
    assert_eq!(judged(full("1.36.4"), there).state("c"), Skipped);
    let behind = hopeless(c()).version("1.34.5");
    assert_eq!(judged(full("1.36.4"), behind.clone()).state("c"), Failed);
    assert_eq!(judged(auto(full("1.36.4")), behind).state("c"), Skipped);
    // Availability before the window, the window before the operation, all of them before the power.
    let far = judged(full("1.36.5"), hopeless(c()).region("westeurope"));
    assert_eq!((far.state("c"), far.code("c")), (Pending, "KubernetesVersionNotAvailable"));
    let shut = judged(full("1.36.4"), hopeless(c()));
    assert_eq!((shut.state("c"), shut.code("c")), (Pending, "MaintenanceWindowClosed"));
    let busy = judged(full("1.36.4"), hopeless(c()).but(|c| c.observed.auto_upgrade_window = None));
    assert_eq!((busy.state("c"), busy.code("c")), (Pending, "OperationInProgress"));
}

#[test]
fn full_and_control_plane_look_at_one_window_and_images_at_the_other() {
    let shut = |auto: bool| {
        c().window(daily("12:00", 4)).but(move |c| match auto {
            true => c.observed.node_os_window = None,
            false => c.observed.auto_upgrade_window = None,
        })
    };
    assert_eq!(judged(full("1.36.4"), shut(true)).state("c"), Pending);
    assert_eq!(judged(control_plane("1.36.4"), shut(true)).state("c"), Pending);
    assert_eq!(judged(images(), shut(true)).state("c"), Running);
    assert_eq!(judged(full("1.36.4"), shut(false)).state("c"), Running);
    assert_eq!(judged(images(), shut(false)).state("c"), Pending);
}

#[test]
fn an_upgrade_that_fails_shows_the_clusters_code_and_message() {
    let mut world = judged(full("1.36.4"), c().failing(1));
    let operation = world.member("c").operation;
    world.run_out();
    assert_eq!(verdict(&world), (Failed, "UpgradeFailed".to_owned(), "A node did not drain.".to_owned()));
    assert!(operation.is_some() && world.member("c").operation == operation);
}

#[test]
fn custom_leaves_other_families_and_names_them_and_those_already_there() {
    let cluster = c().pool("linux", AZURE_LINUX, "202610.05.0").pool(
        "new",
        "AKSUbuntu-2204gen2containerd",
        "202611.02.0",
    );
    let mut world = judged(custom(images(), &[UBUNTU_NEW]), cluster);
    world.run_out();
    assert_eq!(world.state("c"), Completed);
    assert!(
        world.message("c").contains("no image of their family is given: linux."),
        "{}",
        world.message("c")
    );
    assert!(world.message("c").contains("Already there: new."), "{}", world.message("c"));
    let images: Vec<String> =
        world.cluster("c").observed.pools.iter().map(|pool| pool.image.version.to_string()).collect();
    assert_eq!(images, ["202611.02.0", "202610.05.0", "202611.02.0"]);
}

#[test]
fn latest_is_the_regions_newest_when_that_cluster_starts() {
    let clusters = vec![c().minutes(24 * 60), Cluster::new("later").region("westeurope")];
    let mut world = World::new(images(), None, clusters);
    world.start();
    let new = json!([{"kind": "NodeImage", "version": "AKSUbuntu-2204gen2containerd-202612.01.0"}]);
    world.minutes(60);
    world.must(crate::domain::update_run::testing::Event::Publish(serde_json::from_value(new).unwrap()));
    world.run_out();
    let image = |world: &mut World, name| world.cluster(name).observed.pools[0].image.version.to_string();
    assert_eq!(image(&mut world, "c"), "202611.16.0");
    assert_eq!(image(&mut world, "later"), "202612.01.0");
}

#[test]
fn consistent_is_what_all_regions_have_at_the_first_start_and_stays_so() {
    let clusters = vec![c().failing(1), Cluster::new("d").region("westeurope")];
    let mut world = World::new(consistent(images()), None, clusters);
    world.start();
    world.run_out();
    assert_eq!(world.run.status.state, Failed);
    let new = json!([{"kind": "NodeImage", "version": "AKSUbuntu-2204gen2containerd-202612.01.0"}]);
    world.must(crate::domain::update_run::testing::Event::Publish(serde_json::from_value(new).unwrap()));
    world.start();
    world.run_out();
    assert_eq!(world.run.status.state, Completed);
    for name in ["c", "d"] {
        assert_eq!(world.cluster(name).observed.pools[0].image.to_string(), UBUNTU_NEW);
    }
}

#[test]
fn consistent_and_custom_take_pools_off_their_snapshot_and_latest_does_not() {
    for (target, leaves) in [(consistent(full("1.36.4")), true), (full("1.36.4"), false)] {
        let mut world = judged(target, c().from_snapshot());
        world.run_out();
        assert_eq!(world.state("c"), Completed);
        let pool = world.cluster("c").observed.pools[0].clone();
        assert_eq!((pool.from_snapshot, pool.image.version.as_str() == "202610.05.0"), (!leaves, !leaves));
        assert_eq!(pool.version.to_string(), "1.36.4");
    }
}
