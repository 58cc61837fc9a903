//! An update run as a resource: what was asked for, and the run it became.

use serde::{Deserialize, Serialize};

use super::spec::RunSpec;
use super::state::Run;
use crate::domain::resource_id::ResourceId;
use crate::domain::strategy::Strategy;
use crate::domain::system_data::SystemData;

/// The resource `F/updateRuns/{r}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UpdateRun {
    /// Its id.
    pub id: ResourceId,
    /// Who made and last changed it.
    pub system_data: SystemData,
    /// What was asked for, as it was sent.
    pub spec: RunSpec,
    /// The strategy it follows: its own, or the snapshot of the one that `spec` names; none: one by one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Strategy>,
    /// The auto-upgrade profile that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auto_upgrade_profile_id: Option<ResourceId>,
    /// Plan and progress.
    pub run: Run,
}

impl UpdateRun {
    /// Whether a PUT of `spec` would change nothing. The snapshot may be sent along with the id it was taken from.
    pub fn is_unchanged_by(&self, spec: &RunSpec) -> bool {
        let same_id = spec.update_strategy_id == self.spec.update_strategy_id;
        let same_strategy = match (&spec.strategy, &spec.update_strategy_id) {
            (None, Some(_)) => true,
            (strategy, _) => *strategy == self.strategy,
        };
        same_id
            && same_strategy
            && RunSpec { strategy: None, update_strategy_id: None, ..spec.clone() }
                == RunSpec { strategy: None, update_strategy_id: None, ..self.spec.clone() }
    }
}
