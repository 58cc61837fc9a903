//! Reading a profile, and the rules of each channel.

use serde_json::Value;

use super::target::is_supported;
use super::{Channel, ImagePreference, ProfileSpec};
use crate::domain::catalogue::{Catalogue, Support};
use crate::domain::kubernetes_version::Minor;
use crate::domain::refusal::{Code, Faults, Refusal};
use crate::domain::resource_id::InvalidResourceId;
use crate::domain::time::Timestamp;

const TARGET_VERSION: &str = "properties.targetKubernetesVersion";
const LONG_TERM_SUPPORT: &str = "properties.longTermSupport";
const IMAGES: &str = "properties.nodeImageSelection";
const STRATEGY: &str = "properties.updateStrategyId";

impl ProfileSpec {
    /// Reads the `properties` of a request that has the contract's shape, noting every rule that is broken with its JSON
    /// path; what it returns is of use only where nothing was.
    pub fn read_into(properties: &Value, faults: &mut Faults) -> Self {
        let channel = match properties["channel"].as_str() {
            Some("Stable") => Channel::Stable,
            Some("TargetKubernetesVersion") => Channel::TargetKubernetesVersion,
            Some("NodeImage") => Channel::NodeImage,
            Some("SecurityPatch") => Channel::SecurityPatch,
            // The contract has said already what else is no channel.
            _ => Channel::Rapid,
        };
        let images = properties.get("nodeImageSelection").map(|selection| match selection["type"].as_str() {
            Some("Consistent") => ImagePreference::Consistent,
            _ => ImagePreference::Latest,
        });
        if images.is_some() && channel.is_of_images() {
            let message = format!(
                "Channel {} takes no nodeImageSelection: its runs carry the images of the channel. Leave it out.",
                channel.name()
            );
            faults.add(Code::InvalidParameter, IMAGES, message);
        }
        let strategy = text(properties, "updateStrategyId").and_then(|id| {
            let noted = |problem: InvalidResourceId| {
                faults.add(Code::InvalidParameter, STRATEGY, problem.to_string());
            };
            id.parse().map_err(noted).ok()
        });
        Self {
            channel,
            target_kubernetes_version: read_target(properties, channel, faults),
            long_term_support: read_long_term_support(properties, channel, faults),
            node_image_selection: images,
            update_strategy_id: strategy,
            disabled: properties.get("disabled").and_then(Value::as_bool),
        }
    }

    /// Checks the minor that is followed against what has been released.
    ///
    /// # Errors
    /// `InvalidParameter` for a minor that is not released, or not supported (any more).
    pub fn check(&self, catalogue: &Catalogue, now: Timestamp) -> Result<(), Refusal> {
        let Some(minor) = self.target_kubernetes_version else { return Ok(()) };
        if catalogue.newest_patch(minor, now).is_none() {
            let released: Vec<String> =
                catalogue.released_minors(now).iter().map(ToString::to_string).collect();
            let message = format!(
                "Kubernetes {minor} is not released. Minor versions that are: {}.",
                released.join(", ")
            );
            return Err(Refusal::at(Code::InvalidParameter, TARGET_VERSION, message));
        }
        if is_supported(self, minor, catalogue, now) {
            return Ok(());
        }
        let message = match catalogue.support(minor, now) {
            Support::LongTermOnly => format!(
                "Kubernetes {minor} is out of community support. Set longTermSupport to true, or follow a newer minor."
            ),
            _ => format!("Kubernetes {minor} is no longer supported. Follow a newer minor."),
        };
        Err(Refusal::at(Code::InvalidParameter, TARGET_VERSION, message))
    }
}

fn read_target(properties: &Value, channel: Channel, faults: &mut Faults) -> Option<Minor> {
    let given = text(properties, "targetKubernetesVersion");
    match (channel, given) {
        (Channel::TargetKubernetesVersion, None) => {
            let message = "Channel TargetKubernetesVersion needs a targetKubernetesVersion, such as 1.36.";
            faults.add(Code::RequiredPropertyMissing, TARGET_VERSION, message);
            None
        }
        (Channel::TargetKubernetesVersion, Some(given)) => given
            .parse()
            .map_err(|problem| {
                let problem: crate::domain::kubernetes_version::VersionError = problem;
                faults.add(Code::InvalidParameter, TARGET_VERSION, format!("{problem}."));
            })
            .ok(),
        (channel, Some(_)) => {
            let message = format!(
                "Only channel TargetKubernetesVersion takes a targetKubernetesVersion; the channel is {}.",
                channel.name()
            );
            faults.add(Code::InvalidParameter, TARGET_VERSION, message);
            None
        }
        (_, None) => None,
    }
}

fn read_long_term_support(properties: &Value, channel: Channel, faults: &mut Faults) -> Option<bool> {
    let given = properties.get("longTermSupport")?.as_bool();
    if given == Some(true) && channel != Channel::TargetKubernetesVersion {
        let message = format!(
            "longTermSupport can be true only with channel TargetKubernetesVersion; the channel is {}.",
            channel.name()
        );
        faults.add(Code::InvalidParameter, LONG_TERM_SUPPORT, message);
    }
    given
}

fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name)?.as_str()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn now() -> Timestamp {
        "2026-11-30T00:00:00Z".parse().unwrap()
    }

    fn refused(properties: &Value) -> Option<Refusal> {
        let mut faults = Faults::new();
        let spec = ProfileSpec::read_into(properties, &mut faults);
        faults.finish().and_then(|()| spec.check(Catalogue::built_in(), now())).err()
    }

    #[rstest]
    #[case(json!({ "channel": "Rapid" }))]
    #[case(json!({ "channel": "Stable", "nodeImageSelection": { "type": "Consistent" }, "longTermSupport": false }))]
    #[case(json!({ "channel": "NodeImage", "disabled": true }))]
    #[case(json!({ "channel": "SecurityPatch" }))]
    #[case(json!({ "channel": "TargetKubernetesVersion", "targetKubernetesVersion": "1.36" }))]
    #[case(json!({ "channel": "TargetKubernetesVersion", "targetKubernetesVersion": "1.36", "longTermSupport": true }))]
    #[case(json!({ "channel": "TargetKubernetesVersion", "targetKubernetesVersion": "1.33", "longTermSupport": true }))]
    fn a_profile_that_keeps_its_channels_rules_is_taken(#[case] properties: Value) {
        assert_eq!(refused(&properties), None);
    }

    #[rstest]
    #[case::none_named(json!({ "channel": "TargetKubernetesVersion" }), TARGET_VERSION, "needs a")]
    #[case::with_another_channel(json!({ "channel": "Rapid", "targetKubernetesVersion": "1.36" }), TARGET_VERSION, "Only channel")]
    #[case::a_patch(json!({ "channel": "TargetKubernetesVersion", "targetKubernetesVersion": "1.36.2" }), TARGET_VERSION, "MAJOR.MINOR")]
    #[case::not_released(json!({ "channel": "TargetKubernetesVersion", "targetKubernetesVersion": "1.38" }), TARGET_VERSION, "not released")]
    #[case::out_of_support(json!({ "channel": "TargetKubernetesVersion", "targetKubernetesVersion": "1.33" }), TARGET_VERSION, "longTermSupport")]
    #[case::long_term_support(json!({ "channel": "Stable", "longTermSupport": true }), LONG_TERM_SUPPORT, "TargetKubernetesVersion")]
    #[case::images(json!({ "channel": "NodeImage", "nodeImageSelection": { "type": "Latest" } }), IMAGES, "takes no")]
    #[case::patches(json!({ "channel": "SecurityPatch", "nodeImageSelection": { "type": "Latest" } }), IMAGES, "takes no")]
    #[case::strategy(json!({ "channel": "Rapid", "updateStrategyId": "s" }), STRATEGY, "must start with")]
    fn a_broken_rule_is_reported_where_it_is_broken(
        #[case] properties: Value,
        #[case] target: &str,
        #[case] says: &str,
    ) {
        let refusal = refused(&properties).unwrap();
        assert_eq!(refusal.target.as_deref(), Some(target));
        assert!(refusal.message.contains(says), "{}", refusal.message);
    }

    #[test]
    fn all_faults_are_told_together() {
        let properties = json!({ "channel": "NodeImage", "nodeImageSelection": { "type": "Latest" },
            "targetKubernetesVersion": "1.36", "longTermSupport": true });
        assert_eq!(refused(&properties).unwrap().details.len(), 3);
    }
}
