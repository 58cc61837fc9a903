//! Which version a request means, and whether a cluster may have it.

use crate::domain::catalogue::{Availability, Catalogue, Support};
use crate::domain::kubernetes_version::{KubernetesVersion, RequestedVersion, minors_ahead};
use crate::domain::refusal::{Code, Faults};
use crate::domain::time::Timestamp;

/// Where and for whom versions are resolved.
pub(super) struct Offer<'a> {
    pub(super) catalogue: &'a Catalogue,
    pub(super) region: &'a str,
    pub(super) now: Timestamp,
    /// Whether the cluster is on the long-term support plan.
    pub(super) long_term: bool,
}

impl Offer<'_> {
    /// The version that `text` asks for, given what runs now. `None`, without a fault, where it asks for what runs:
    /// an alias was resolved when it was first set.
    pub(super) fn resolve(
        &self,
        text: &str,
        current: Option<KubernetesVersion>,
        target: &str,
        faults: &mut Faults,
    ) -> Option<KubernetesVersion> {
        let requested: RequestedVersion = match text.parse() {
            Ok(requested) => requested,
            Err(error) => {
                faults.add(Code::InvalidParameter, target, error.to_string());
                return None;
            }
        };
        if current.is_some_and(|current| requested.admits(current)) {
            return None;
        }
        match self.offered(requested) {
            Ok(version) => Some(version),
            Err(problem) => {
                faults.add(Code::InvalidParameter, target, problem);
                None
            }
        }
    }

    fn offered(&self, requested: RequestedVersion) -> Result<KubernetesVersion, String> {
        let minor = requested.minor_version();
        let here = self.offered_here();
        match self.catalogue.support(minor, self.now) {
            Support::LongTermOnly if !self.long_term => {
                return Err(format!(
                    "Kubernetes {minor} has long-term support only: it needs supportPlan AKSLongTermSupport and \
                     sku.tier Premium. {here}"
                ));
            }
            Support::Ended => return Err(format!("Kubernetes {minor} is not offered. {here}")),
            Support::Community | Support::LongTermOnly => {}
        }
        let unavailable = || format!("Kubernetes {requested} is not available in {}. {here}", self.region);
        match requested {
            RequestedVersion::Exact(version) => {
                let there = self.catalogue.version_availability(version, self.region, self.now);
                if there == Availability::Available { Ok(version) } else { Err(unavailable()) }
            }
            RequestedVersion::Alias(minor) => {
                self.catalogue.newest_patch_in(minor, self.region, self.now).ok_or_else(unavailable)
            }
        }
    }

    fn offered_here(&self) -> String {
        let minors = self.catalogue.offered_versions(self.region, self.now);
        let versions: Vec<String> = minors
            .iter()
            .filter(|minor| self.long_term || minor.support == Support::Community)
            .flat_map(|minor| minor.patches.iter().map(|patch| patch.version.to_string()))
            .collect();
        format!("{} offers {}.", self.region, versions.join(", "))
    }
}

/// Checks a move of a control plane or pool: never down and, for a control plane, one minor at a time.
pub(super) fn check_move(
    what: &str,
    from: KubernetesVersion,
    to: KubernetesVersion,
    any_minor: bool,
    target: &str,
    faults: &mut Faults,
) {
    let ahead = minors_ahead(to.minor_version(), from.minor_version());
    if to < from {
        let message = format!("{what} cannot go back from {from} to {to}.");
        faults.add(Code::InvalidParameter, target, message);
    } else if ahead > 1 && !any_minor {
        let next = from.minor_version().next();
        let message = format!(
            "{what} cannot go from {from} to {to} at once: minors are not skipped. Go to {next} first."
        );
        faults.add(Code::InvalidParameter, target, message);
    }
}

/// Checks that a pool is not ahead of its control plane.
pub(super) fn check_not_ahead(
    pool: &str,
    version: KubernetesVersion,
    control_plane: KubernetesVersion,
    target: &str,
    faults: &mut Faults,
) {
    if version > control_plane {
        let message = format!(
            "Agent pool {pool} cannot have {version}: its control plane has {control_plane}. Upgrade that first."
        );
        faults.add(Code::InvalidParameter, target, message);
    }
}
