//! A gate on the wire.

use serde_json::{Value, json};

use crate::api::contract::ResourceType;
use crate::api::contract::table::gate::TYPE;
use crate::api::resource::{Envelope, Rendered, object};
use crate::domain::etag::ETag;
use crate::domain::gate::Gate;
use crate::domain::time::to_rfc3339;
use crate::domain::update_run::state::GateKind;

impl Rendered for Gate {
    const CONTRACT: Option<&'static ResourceType> = Some(&TYPE);

    fn body(&self, etag: ETag) -> Value {
        let schedule = match &self.kind {
            GateKind::Approval => Value::Null,
            GateKind::ScheduledStart { schedule, absolute } => object([
                ("startDay", json!(schedule.start_day)),
                ("startTime", json!(schedule.start_time)),
                ("utcOffset", json!(schedule.utc_offset)),
                ("absoluteStartTime", json!(absolute.map(to_rfc3339))),
            ]),
        };
        let place = object([
            ("name", json!(self.run.name())),
            ("stage", json!(self.stage)),
            ("group", json!(self.group)),
            ("timing", json!(self.timing)),
        ]);
        let properties = object([
            ("provisioningState", json!("Succeeded")),
            ("displayName", json!(self.display_name)),
            ("gateType", json!(self.gate_type)),
            ("scheduledStartProperties", schedule),
            ("target", json!({ "id": self.run.to_string(), "updateRunProperties": place })),
            ("state", json!(self.state)),
        ]);
        Envelope {
            id: &self.id,
            etag: Some(etag.quoted()),
            system_data: self.system_data.as_ref(),
            tracked: Vec::new(),
            properties,
        }
        .into_body()
    }
}
