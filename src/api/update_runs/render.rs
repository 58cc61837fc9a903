//! A run on the wire: what was asked for, and how far it is.

use serde_json::{Value, json};

use crate::api::contract::ResourceType;
use crate::api::contract::table::update_run::TYPE;
use crate::api::resource::{Envelope, Rendered, object};
use crate::domain::etag::ETag;
use crate::domain::gate::Gate as GateResource;
use crate::domain::resource_id::ResourceId;
use crate::domain::time::{Timestamp, to_rfc3339};
use crate::domain::update_run::UpdateRun;
use crate::domain::update_run::spec::RunSpec;
use crate::domain::update_run::state::{Explanation, Gate, Group, Member, Run, Stage, Status};
use crate::domain::update_run::target::ImageSelection;

impl Rendered for UpdateRun {
    const CONTRACT: Option<&'static ResourceType> = Some(&TYPE);

    fn body(&self, etag: ETag) -> Value {
        let properties = object([
            ("provisioningState", json!("Succeeded")),
            ("updateStrategyId", json!(self.spec.update_strategy_id)),
            ("strategy", json!(self.strategy)),
            ("managedClusterUpdate", cluster_update(&self.spec)),
            ("status", RunView { id: &self.id, run: &self.run }.status()),
            ("autoUpgradeProfileId", json!(self.auto_upgrade_profile_id)),
        ]);
        Envelope {
            id: &self.id,
            etag: Some(etag.quoted()),
            system_data: Some(&self.system_data),
            tracked: Vec::new(),
            properties,
        }
        .into_body()
    }
}

fn cluster_update(spec: &RunSpec) -> Value {
    let selection = spec.node_image_selection.as_ref().map(|selection| {
        let images: Vec<Value> =
            selection.custom_node_image_versions.iter().map(|image| json!({ "version": image })).collect();
        object([("type", json!(selection.kind)), ("customNodeImageVersions", json!(images))])
    });
    object([
        (
            "upgrade",
            object([("type", json!(spec.upgrade)), ("kubernetesVersion", json!(spec.kubernetes_version))]),
        ),
        ("nodeImageSelection", json!(selection)),
    ])
}

struct RunView<'a> {
    id: &'a ResourceId,
    run: &'a Run,
}

impl RunView<'_> {
    /// `nodeImageSelection` is there also where it is empty.
    fn status(&self) -> Value {
        let everybody = 0..self.run.members.len() as u32;
        let stages: Vec<Value> = self.run.stages.iter().map(|stage| self.stage(stage)).collect();
        json!({
            "status": status(&self.run.status),
            "stages": stages,
            "nodeImageSelection": selected_images(&self.run.target.images),
            "failureCount": self.run.failures(&everybody),
        })
    }

    fn stage(&self, stage: &Stage) -> Value {
        let groups: Vec<Value> = stage.groups.iter().map(|group| self.group(group)).collect();
        let wait = stage
            .wait
            .as_ref()
            .map(|wait| json!({ "status": status(&wait.status), "waitDurationInSeconds": wait.seconds }));
        object([
            ("status", status(&stage.status)),
            ("name", json!(stage.name)),
            ("failureCount", json!(self.run.failures(&stage.members()))),
            ("maxAllowedFailures", json!(stage.max_allowed_failures)),
            ("maxConcurrency", json!(stage.max_concurrency)),
            ("groups", json!(groups)),
            ("beforeGates", self.gates(&stage.before_gates)),
            ("afterGates", self.gates(&stage.after_gates)),
            ("afterStageWaitStatus", json!(wait)),
        ])
    }

    fn group(&self, group: &Group) -> Value {
        let members: Vec<Value> = self.run.members_of(&group.members).iter().map(member).collect();
        object([
            ("status", status(&group.status)),
            ("name", json!(group.name)),
            ("failureCount", json!(self.run.failures(&group.members))),
            ("maxAllowedFailures", json!(group.max_allowed_failures)),
            ("maxConcurrency", json!(group.max_concurrency)),
            ("members", json!(members)),
            ("beforeGates", self.gates(&group.before_gates)),
            ("afterGates", self.gates(&group.after_gates)),
        ])
    }

    fn gates(&self, gates: &[Gate]) -> Value {
        let fleet = self.id.parent();
        let id = |gate: &Gate| Some(GateResource::id_of(fleet.as_ref()?, gate.id?).to_string());
        gates
            .iter()
            .map(|gate| {
                object([
                    ("displayName", json!(gate.display_name)),
                    ("gateId", json!(id(gate))),
                    ("status", status(&gate.status)),
                ])
            })
            .collect()
    }
}

fn member(member: &Member) -> Value {
    object([
        ("status", status(&member.status)),
        ("name", json!(member.name)),
        ("clusterResourceId", json!(member.cluster.to_string())),
        ("operationId", json!(member.operation)),
        ("message", json!(member.message)),
    ])
}

fn status(status: &Status) -> Value {
    let time = |at: Option<Timestamp>| json!(at.map(to_rfc3339));
    object([
        ("startTime", time(status.start_time)),
        ("completedTime", time(status.completed_time)),
        ("state", json!(status.state)),
        ("error", json!(status.error.as_ref().map(explanation))),
    ])
}

fn explanation(error: &Explanation) -> Value {
    let details: Vec<Value> = error.details.iter().map(explanation).collect();
    object([("code", json!(error.code)), ("message", json!(error.message)), ("details", json!(details))])
}

fn selected_images(images: &ImageSelection) -> Value {
    let selected = match images {
        ImageSelection::Latest => return json!({}),
        ImageSelection::Consistent { selected, .. } => selected,
        ImageSelection::Custom { images } => images,
    };
    let versions: Vec<Value> = selected.values().map(|image| json!({ "version": image })).collect();
    json!({ "selectedNodeImageVersions": versions })
}
