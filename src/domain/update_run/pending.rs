//! What a member that waits says: a code for programs, a message for people (the engine: explain).

use super::state::{Explanation, PendingReason};
use crate::domain::time::{Timestamp, to_rfc3339};

/// Where releases are tracked, for messages about what is not there yet.
const TRACKERS: &str =
    "Releases are tracked at https://releases.aks.azure.com and, here, at /simulator/catalogue.";

/// A waiting member's code.
pub fn code(reason: &PendingReason) -> &'static str {
    match reason {
        PendingReason::VersionNotAvailable { .. } => "KubernetesVersionNotAvailable",
        PendingReason::ImageNotAvailable { .. } => "NodeImageVersionNotAvailable",
        PendingReason::WindowClosed { .. } => "MaintenanceWindowClosed",
        PendingReason::OperationInProgress { .. } => "OperationInProgress",
        PendingReason::NoFreeSlot { .. } => "WaitingForSlot",
    }
}

/// A waiting member's code and message.
pub fn explain(reason: &PendingReason) -> Explanation {
    let message = match reason {
        PendingReason::VersionNotAvailable { version, region, in_regions, comes_at } => {
            not_available(&format!("Kubernetes version {version}"), region, in_regions, *comes_at)
        }
        PendingReason::ImageNotAvailable { image, region, in_regions, comes_at, .. } => {
            not_available(&format!("Node image {image}"), region, in_regions, *comes_at)
        }
        PendingReason::WindowClosed { opens: Some(opens) } => format!(
            "The cluster's maintenance window is closed; it opens next at {}. The upgrade starts then.",
            to_rfc3339(*opens)
        ),
        PendingReason::WindowClosed { opens: None } => {
            "The cluster's maintenance window is closed and never opens again. Change its maintenance \
             configuration, or skip the member."
                .to_owned()
        }
        PendingReason::OperationInProgress { operation, until } => format!(
            "Another operation is in progress on the cluster: {operation}{}. The upgrade starts when it has ended.",
            until.map(|until| format!(", until {}", to_rfc3339(until))).unwrap_or_default()
        ),
        PendingReason::NoFreeSlot { .. } => {
            "The cluster can be upgraded; it starts when one of the group's and the stage's concurrent upgrades \
             has ended."
                .to_owned()
        }
    };
    Explanation::new(code(reason), message)
}

fn not_available(what: &str, region: &str, in_regions: &[String], comes_at: Option<Timestamp>) -> String {
    let there = match in_regions {
        [] => "It is in no region yet.".to_owned(),
        regions => format!("It is available in {}.", regions.join(", ")),
    };
    let when = match comes_at {
        Some(at) => format!("It comes to {region} at {}.", to_rfc3339(at)),
        None => format!("When it comes to {region} is not known yet."),
    };
    format!(
        "{what} is not yet available in region {region}. {there} {when} The upgrade starts then. {TRACKERS}"
    )
}
