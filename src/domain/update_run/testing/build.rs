//! Short ways to say what a scenario is about.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use chrono::TimeDelta;

use super::super::skip::{SkipTarget, TargetType};
use super::super::target::{ImageSelection, Target, UpgradeType};
use crate::domain::catalogue::Catalogue;
use crate::domain::strategy::Strategy;
use crate::domain::time::Timestamp;
use crate::domain::window::MaintenanceWindow;

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    Catalogue::from_json(include_str!("catalogue.json")).expect("the scenarios' catalogue is a good one")
});

/// Three regions, a few versions and images, some not everywhere yet.
pub fn catalogue() -> Catalogue {
    CATALOGUE.clone()
}

/// An instant.
pub fn at(text: &str) -> Timestamp {
    text.parse().expect("an instant in RFC 3339")
}

/// So many minutes.
pub fn minutes(n: i64) -> TimeDelta {
    TimeDelta::minutes(n)
}

/// A strategy from its JSON form.
pub fn strategy(stages: serde_json::Value) -> Strategy {
    let stages = serde_json::from_value(stages).expect("stages in the contract's form");
    Strategy { stages }
}

/// A maintenance window from its JSON form.
pub fn window(json: serde_json::Value) -> MaintenanceWindow {
    serde_json::from_value(json).expect("a maintenance window in the contract's form")
}

/// Every day from `start` (UTC) for so many hours.
pub fn daily(start: &str, hours: u8) -> MaintenanceWindow {
    window(serde_json::json!({
        "schedule": {"daily": {"intervalDays": 1}},
        "durationHours": hours,
        "startDate": "2026-01-01",
        "startTime": start,
    }))
}

/// Control plane, pools and images, with the newest images.
pub fn full(version: &str) -> Target {
    Target {
        upgrade: UpgradeType::Full,
        version: Some(version.parse().expect("an exact version")),
        images: ImageSelection::Latest,
        by_auto_upgrade: false,
        security_patch: false,
    }
}

/// Node images only, the newest.
pub fn images() -> Target {
    Target { upgrade: UpgradeType::NodeImageOnly, version: None, ..full("1.0.0") }
}

/// The control plane only.
pub fn control_plane(version: &str) -> Target {
    Target { upgrade: UpgradeType::ControlPlaneOnly, ..full(version) }
}

/// The same with consistent images.
#[expect(clippy::needless_pass_by_value, reason = "it is made where it is changed")]
pub fn consistent(target: Target) -> Target {
    Target { images: ImageSelection::Consistent { selected: BTreeMap::new(), fixed: false }, ..target }
}

/// The same with given images.
#[expect(clippy::needless_pass_by_value, reason = "it is made where it is changed")]
pub fn custom(target: Target, images: &[&str]) -> Target {
    let images = images.iter().map(|image| image.parse().expect("a node image"));
    let images = images.map(|image: crate::domain::node_image::NodeImage| (image.family.clone(), image));
    Target { images: ImageSelection::Custom { images: images.collect() }, ..target }
}

/// A member as a target of a skip.
pub fn member(name: &str) -> SkipTarget {
    SkipTarget { kind: TargetType::Member, name: name.to_owned() }
}

/// A group as a target of a skip.
pub fn group(name: &str) -> SkipTarget {
    SkipTarget { kind: TargetType::Group, name: name.to_owned() }
}

/// A stage as a target of a skip.
pub fn stage(name: &str) -> SkipTarget {
    SkipTarget { kind: TargetType::Stage, name: name.to_owned() }
}

/// The wait after a stage as a target of a skip.
pub fn wait_after(name: &str) -> SkipTarget {
    SkipTarget { kind: TargetType::AfterStageWait, name: name.to_owned() }
}
