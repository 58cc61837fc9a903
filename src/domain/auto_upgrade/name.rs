//! What a profile's run is called: `auto-{profile}-{channel}-{version}-{hash}`, so that the same specification always finds
//! the same run.

use sha2::{Digest, Sha256};

use super::{AutoUpgradeProfile, ChannelTarget, ImagePreference};
use crate::domain::names::MAX_CHILD_NAME;
use crate::domain::node_image::NodeImage;

/// The name of the profile's run to `target`: lower case, at most [`MAX_CHILD_NAME`] characters, which the profile's name
/// gives way to.
pub fn run_name(profile: &AutoUpgradeProfile, target: &ChannelTarget) -> String {
    let channel = profile.spec.channel.name().to_ascii_lowercase();
    let rest = format!("-{channel}-{}-{}", version_part(target), hash(profile, target));
    let name: String = profile.id.name().to_ascii_lowercase();
    let room = MAX_CHILD_NAME.saturating_sub("auto-".len() + rest.len());
    let name: String = name.chars().take(room).collect();
    format!("auto-{}{rest}", name.trim_end_matches('-'))
}

/// The version with dashes; of images the date of the newest one.
fn version_part(target: &ChannelTarget) -> String {
    match target {
        ChannelTarget::Kubernetes(version) => version.to_string().replace('.', "-"),
        ChannelTarget::Images(images) => {
            images.values().map(dated).max().map(|(_, text)| text).unwrap_or_default()
        }
    }
}

/// The day of an image as a number, and the part of its version that says it: the whole of `202611.02.0`, the last number of
/// Windows' `20348.4346.261110`.
fn dated(image: &NodeImage) -> (u64, String) {
    let text = image.version.as_str();
    let numbers: Vec<u64> = text.split('.').filter_map(|number| number.parse().ok()).collect();
    match numbers.as_slice() {
        [month, day, ..] if *month >= 200_001 => (month * 100 + day, text.replace('.', "-")),
        [.., day] => (20_000_000 + day, text.rsplit('.').next().unwrap_or_default().to_owned()),
        [] => (0, text.replace('.', "-")),
    }
}

/// The first 32 bits of SHA-256 over whatever makes two runs different, in base 36.
fn hash(profile: &AutoUpgradeProfile, target: &ChannelTarget) -> String {
    let images = match profile.spec.node_image_selection {
        Some(ImagePreference::Consistent) => "Consistent",
        Some(ImagePreference::Latest) | None => "Latest",
    };
    let strategy = profile.spec.update_strategy_id.as_ref().map(|id| id.key()).unwrap_or_default();
    let mut hasher = Sha256::new();
    let versions = target.versions().join(",");
    for part in [profile.id.key().as_str(), profile.spec.channel.name(), &versions, images, &strategy] {
        hasher.update(part.as_bytes());
        // No part contains a line break, so that no two lists of parts read alike.
        hasher.update(b"\n");
    }
    let digest = hasher.finalize();
    base36(u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]]))
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.extend(char::from_digit(number % 36, 36));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::super::tests::{images, kubernetes, profile, spec};
    use super::*;
    use crate::domain::auto_upgrade::Channel;
    use crate::domain::names::check_child_name;

    #[test]
    fn a_name_says_profile_channel_and_version() {
        let name = run_name(&profile(spec(Channel::Rapid)), &kubernetes("1.37.2"));
        assert!(name.starts_with("auto-p-rapid-1-37-2-"), "{name}");
        let hash = name.rsplit('-').next().unwrap();
        assert!((1..=7).contains(&hash.len()) && u32::from_str_radix(hash, 36).is_ok(), "{name}");
    }

    #[rstest]
    #[case(&["AKSUbuntu-2204gen2containerd-202611.02.0"], "202611-02-0")]
    #[case(&["AKSUbuntu-2204gen2containerd-202611.02.1"], "202611-02-1")]
    #[case(&["AKSUbuntu-2204gen2containerd-202611.02.0", "AKSWindows-2022-containerd-20348.4346.261110"], "261110")]
    #[case(&["AKSUbuntu-2204gen2containerd-202611.16.0", "AKSWindows-2022-containerd-20348.4346.261110"], "202611-16-0")]
    fn an_image_channels_name_has_the_date_of_the_newest_image(
        #[case] versions: &[&str],
        #[case] part: &str,
    ) {
        let name = run_name(&profile(spec(Channel::NodeImage)), &images(versions));
        assert!(name.starts_with(&format!("auto-p-nodeimage-{part}-")), "{name}");
    }

    #[rstest]
    #[case(Channel::TargetKubernetesVersion, kubernetes("1.36.15"))]
    #[case(Channel::SecurityPatch, images(&["AKSUbuntu-2204gen2containerd-202611.02.1"]))]
    #[case(Channel::Stable, kubernetes("1.36.4"))]
    fn a_long_profiles_name_is_cut_so_that_the_whole_is_a_name(
        #[case] channel: Channel,
        #[case] target: ChannelTarget,
        #[values(
            "a",
            "abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvwxy",
            "a-------------------------------------------------"
        )]
        name: &str,
    ) {
        let mut profile = profile(spec(channel));
        profile.id = profile.id.parent().unwrap().child("autoUpgradeProfiles", name);
        let run = run_name(&profile, &target);
        assert_eq!(check_child_name(&run), Ok(()), "{run}");
        assert!(!run.contains("--"), "{run}");
    }

    #[test]
    fn profiles_whose_names_are_cut_alike_have_runs_of_their_own() {
        let name_of = |name: &str| {
            let mut profile = profile(spec(Channel::TargetKubernetesVersion));
            profile.id = profile.id.parent().unwrap().child("autoUpgradeProfiles", name);
            run_name(&profile, &kubernetes("1.36.5"))
        };
        assert_ne!(name_of("production-eu"), name_of("production-us"));
    }

    #[test]
    fn whatever_the_run_would_do_differently_is_in_the_hash() {
        let base = profile(spec(Channel::Rapid));
        let target = kubernetes("1.37.2");
        let name = |change: &dyn Fn(&mut AutoUpgradeProfile)| {
            let mut profile = base.clone();
            change(&mut profile);
            run_name(&profile, &target)
        };
        let same = name(&|_| {});
        let strategy = base.id.parent().unwrap().child("updateStrategies", "s");
        assert_ne!(
            name(&|profile| profile.spec.node_image_selection = Some(ImagePreference::Consistent)),
            same
        );
        assert_ne!(name(&|profile| profile.spec.update_strategy_id = Some(strategy.clone())), same);
        assert_eq!(name(&|profile| profile.spec.node_image_selection = Some(ImagePreference::Latest)), same);
        assert_eq!(name(&|profile| profile.spec.disabled = Some(true)), same);
    }

    #[rstest]
    #[case(0, "0")]
    #[case(35, "z")]
    #[case(36, "10")]
    #[case(u32::MAX, "1z141z3")]
    fn base_36_counts_with_digits_and_letters(#[case] number: u32, #[case] text: &str) {
        assert_eq!(base36(number), text);
    }
}
