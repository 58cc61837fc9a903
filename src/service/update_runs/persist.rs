//! How a run is stored: its head in a record, each member in a row, each gate that was reached in a record of its own.

use std::collections::BTreeSet;

use crate::domain::gate::Gate;
use crate::domain::system_data::SystemData;
use crate::domain::update_run::UpdateRun;
use crate::domain::update_run::command::Changes;
use crate::domain::update_run::state::{GatePlace, Member};
use crate::service::Service;
use crate::store::{
    Entity, Kind, Locator, MemberRow, NewRecord, Record, StoreError, Stored, Transaction, Update,
};

impl Entity for UpdateRun {
    const KIND: Kind = Kind::UpdateRun;

    fn locator(&self) -> Locator {
        Locator::from(&self.id)
    }
}

impl Entity for Gate {
    const KIND: Kind = Kind::Gate;

    fn locator(&self) -> Locator {
        Locator::from(&self.id)
    }
}

/// What is to be saved of a run.
#[derive(Debug, Default)]
pub(super) struct Dirty {
    pub(super) members: BTreeSet<u32>,
    pub(super) gates: Vec<GatePlace>,
    /// Who approved, where a user's PATCH of a gate is what changed: the gate's name and its new `systemData`.
    pub(super) approval: Option<(uuid::Uuid, SystemData)>,
}

impl From<Changes> for Dirty {
    fn from(changes: Changes) -> Self {
        Self { members: changes.members, gates: changes.gates, approval: None }
    }
}

impl Service {
    /// Writes a run that was read at `stored.version`; `head` is that write, under its new tag. `stored` follows it.
    pub(super) async fn save_run(
        &self,
        tx: &mut dyn Transaction,
        stored: &mut Stored<UpdateRun>,
        head: Update,
        dirty: &Dirty,
    ) -> Result<(), StoreError> {
        let etag = head.etag;
        tx.update(&[head]).await?;
        let members = &stored.entity.run.members;
        let rows: Vec<MemberRow> =
            dirty.members.iter().map(|ordinal| row(*ordinal, &members[*ordinal as usize])).collect();
        if !rows.is_empty() {
            tx.update_members(&stored.entity.id.key(), &rows).await?;
        }
        for place in &dirty.gates {
            self.save_gate(tx, &stored.entity, *place, dirty).await?;
        }
        (stored.etag, stored.version) = (etag, stored.version + 1);
        Ok(())
    }

    /// Makes a gate's record follow its run; a gate that was never reached has none.
    async fn save_gate(
        &self,
        tx: &mut dyn Transaction,
        run: &UpdateRun,
        place: GatePlace,
        dirty: &Dirty,
    ) -> Result<(), StoreError> {
        let Some(mut gate) = Gate::of_run(&run.id, &run.run, place) else { return Ok(()) };
        let approved = dirty
            .approval
            .as_ref()
            .filter(|(name, _)| gate.id.name().eq_ignore_ascii_case(&name.to_string()));
        gate.system_data = approved.map(|(_, system_data)| system_data.clone());
        match tx.get(Kind::Gate, &gate.id.key()).await? {
            None => tx.insert(&[NewRecord::of(&gate, self.new_etag())]).await,
            Some(record) => {
                let before = record.decode::<Gate>()?;
                gate.system_data = gate.system_data.or_else(|| before.system_data.clone());
                tx.update(&[Update::of(&gate, before.version, self.new_etag())]).await
            }
        }
    }
}

/// Removes the records of all gates a run has reached.
pub(super) async fn delete_gates(tx: &mut dyn Transaction, run: &UpdateRun) -> Result<(), StoreError> {
    let fleet = run.id.parent().expect("a run is in a fleet");
    let mut keys: Vec<String> =
        run.run.gates().filter_map(|(_, gate)| Some(Gate::id_of(&fleet, gate.id?).key())).collect();
    keys.sort_unstable();
    for gate in tx.get_many(Kind::Gate, &keys).await? {
        tx.delete(&gate.key, gate.version).await?;
    }
    Ok(())
}

/// All members as rows.
pub(super) fn rows(run: &UpdateRun) -> Vec<MemberRow> {
    (0..).zip(&run.run.members).map(|(ordinal, member)| row(ordinal, member)).collect()
}

fn row(ordinal: u32, member: &Member) -> MemberRow {
    MemberRow {
        ordinal,
        cluster: member.cluster.key(),
        open: !member.state().is_over(),
        body: serde_json::to_string(member).expect("a member has string keys only"),
    }
}

/// Rows as members, which stand by ordinal.
pub(super) fn decode_members(run: &str, rows: Vec<MemberRow>) -> Result<Vec<Member>, StoreError> {
    rows.into_iter()
        .map(|row| {
            serde_json::from_str(&row.body).map_err(|source| StoreError::Corrupt {
                key: format!("{run} member {}", row.ordinal),
                source,
            })
        })
        .collect()
}

/// The head alone, to see whether it changed.
pub(super) fn head(record: &Record) -> &str {
    &record.body
}
