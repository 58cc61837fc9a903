//! A gate as a resource: where a run waits for an approval or a time (the fleet resources: gate).
//!
//! Made by the engine when it is reached, never by users; what it says about its state follows its run.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::resource_id::ResourceId;
use super::system_data::SystemData;
use super::update_run::Run;
use super::update_run::state::{GateKind, GatePlace, Timing, UpdateState};

/// The resource `F/gates/{guid}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Gate {
    /// Its id.
    pub id: ResourceId,
    /// The run it holds back.
    pub run: ResourceId,
    /// For people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// What opens it.
    pub kind: GateKind,
    /// `Approval` or `ScheduledStart`, for filters.
    pub gate_type: String,
    /// The stage it stands at.
    pub stage: String,
    /// The group it stands at; none where it is the stage's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Before or after.
    pub timing: Timing,
    /// Pending, Completed or Skipped.
    pub state: UpdateState,
    /// Who approved it; absent until somebody writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_data: Option<SystemData>,
}

impl Gate {
    /// The resource of the gate at `place` of a run, once that is reached.
    pub fn of_run(run_id: &ResourceId, run: &Run, place: GatePlace) -> Option<Self> {
        let stage = &run.stages[place.stage];
        let (_, gate) = run.gates().find(|(other, _)| *other == place)?;
        let fleet = run_id.parent()?;
        let gate_type = match gate.kind {
            GateKind::Approval => "Approval",
            GateKind::ScheduledStart { .. } => "ScheduledStart",
        };
        Some(Self {
            id: Self::id_of(&fleet, gate.id?),
            run: run_id.clone(),
            display_name: gate.display_name.clone(),
            kind: gate.kind.clone(),
            gate_type: gate_type.to_owned(),
            stage: stage.name.clone(),
            group: place.group.map(|group| stage.groups[group].name.clone()),
            timing: place.timing,
            state: gate.status.state,
            system_data: None,
        })
    }

    /// The id of gate `name` of a fleet.
    pub fn id_of(fleet: &ResourceId, name: Uuid) -> ResourceId {
        fleet.child("gates", &name.to_string())
    }
}
