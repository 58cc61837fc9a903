//! What the engine is shown of the world, and the loop that lets it ask for more.

use std::collections::{BTreeMap, BTreeSet};

use crate::cluster::UpgradeOutcome;
use crate::domain::catalogue::Catalogue;
use crate::domain::lifecycle::ProvisioningState;
use crate::domain::member::Member as FleetMember;
use crate::domain::observed_cluster::ObservedCluster;
use crate::domain::resource_id::ResourceId;
use crate::domain::time::Timestamp;
use crate::domain::update_run::judge::{Verdict, judge, window_for};
use crate::domain::update_run::observe::{Outcome, Seen, View, WindowBook};
use crate::domain::update_run::state::{Explanation, Run};
use crate::domain::update_run::{Step, advance};
use crate::service::Service;
use crate::store::{Kind, Record, StoreError, Transaction};

/// What is known of a run's members besides their progress; kept between ticks, as it changes rarely.
#[derive(Clone, Debug, Default)]
pub(super) struct Sight {
    pub(super) windows: WindowBook,
}

/// One look at the world for one advance.
pub(super) struct Look<'a> {
    pub(super) fleet: ResourceId,
    pub(super) now: Timestamp,
    pub(super) releases: i64,
    pub(super) catalogue: &'a Catalogue,
    pub(super) touched: Vec<u32>,
    pub(super) seen: BTreeMap<u32, Seen>,
    /// Members in flight whose operation is to be asked after.
    pub(super) ask: BTreeSet<u32>,
}

impl Service {
    /// Sees every member that is not over: the beginning of a run's stay in memory.
    pub(super) async fn first_sight(
        &self,
        tx: &mut dyn Transaction,
        run: &Run,
        look: &mut Look<'_>,
    ) -> Result<Sight, StoreError> {
        let open: BTreeSet<u32> =
            (0..).zip(&run.members).filter(|(_, member)| !member.state().is_over()).map(|(n, _)| n).collect();
        look.seen = self.see(tx, run, &look.fleet, &open, look.now).await?;
        look.ask.extend(run.all_in_flight());
        let window = |ordinal: u32| match look.seen.get(&ordinal) {
            Some(Seen::Cluster(cluster)) => window_for(run.target.upgrade, cluster).cloned(),
            _ => None,
        };
        Ok(Sight { windows: WindowBook::new((0..run.members.len() as u32).map(window), look.now) })
    }

    /// Brings what is kept up to date: what was touched is seen anew.
    pub(super) async fn next_sight(
        &self,
        tx: &mut dyn Transaction,
        run: &Run,
        sight: &mut Sight,
        look: &mut Look<'_>,
    ) -> Result<(), StoreError> {
        let open = |ordinal: &&u32| !run.member(**ordinal).state().is_over();
        let touched: BTreeSet<u32> = look.touched.iter().filter(open).copied().collect();
        look.seen = self.see(tx, run, &look.fleet, &touched, look.now).await?;
        look.ask
            .extend(touched.iter().copied().filter(|ordinal| run.member(*ordinal).state().is_in_flight()));
        for (&ordinal, seen) in &look.seen {
            let window = match seen {
                Seen::Cluster(cluster) => window_for(run.target.upgrade, cluster).cloned(),
                _ => None,
            };
            sight.windows.set(ordinal, window, look.now);
        }
        if let Some(stage) = run.current_stage() {
            sight.windows.refresh(run.stages[stage].members(), look.now);
        }
        Ok(())
    }

    /// Advances a run as far as it goes, showing it whatever it asks for.
    pub(super) async fn advance_run(
        &self,
        tx: &mut dyn Transaction,
        run: Run,
        sight: &mut Sight,
        mut look: Look<'_>,
    ) -> Result<Step, StoreError> {
        let outcomes = self.outcomes(tx, &run, &look.ask).await?;
        let mut run = run;
        let mut before = (BTreeSet::new(), Vec::new(), Vec::new());
        loop {
            let view = View {
                catalogue: look.catalogue,
                releases: look.releases,
                windows: &sight.windows,
                seen: &look.seen,
                outcomes: &outcomes,
                touched: &look.touched,
            };
            let mut step = advance(run, view, look.now);
            step.changed.append(&mut before.0);
            step.gates.append(&mut before.1);
            step.effects.append(&mut before.2);
            if step.observe.is_empty() {
                return Ok(step);
            }
            look.seen.extend(self.see(tx, &step.next, &look.fleet, &step.observe, look.now).await?);
            before = (step.changed, step.gates, step.effects);
            run = step.next;
        }
    }

    /// Whether any member of a run that is planned would not be skipped if it were judged now.
    pub(in crate::service) async fn has_work(
        &self,
        tx: &mut dyn Transaction,
        fleet: &ResourceId,
        run: &Run,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let (_, catalogue) = self.catalogue.edition(tx).await?;
        let open: BTreeSet<u32> =
            (0..).zip(&run.members).filter(|(_, member)| !member.state().is_over()).map(|(n, _)| n).collect();
        let seen = self.see(tx, run, fleet, &open, now).await?;
        let is_skipped = |seen| matches!(judge(&run.target, seen, &catalogue, now), Verdict::Skip(_));
        Ok(!seen.values().all(is_skipped))
    }

    async fn see(
        &self,
        tx: &mut dyn Transaction,
        run: &Run,
        fleet: &ResourceId,
        ordinals: &BTreeSet<u32>,
        now: Timestamp,
    ) -> Result<BTreeMap<u32, Seen>, StoreError> {
        if ordinals.is_empty() {
            return Ok(BTreeMap::new());
        }
        let keys = |key: &dyn Fn(u32) -> String| {
            let keys: BTreeSet<String> = ordinals.iter().map(|ordinal| key(*ordinal)).collect();
            keys.into_iter().collect::<Vec<String>>()
        };
        let member_key = |ordinal: u32| fleet.child("members", &run.member(ordinal).name).key();
        let cluster_key = |ordinal: u32| run.member(ordinal).cluster.key();
        let members = joined(tx.peek_many(Kind::Member, &keys(&member_key)).await?)?;
        let clusters = self.clusters.observe(tx, &keys(&cluster_key), now).await?;
        let see = |ordinal: u32| {
            let cluster = &run.member(ordinal).cluster;
            let joined = members.get(&member_key(ordinal)).is_some_and(|joined| joined == cluster);
            seen(joined, cluster, clusters.get(&cluster_key(ordinal)))
        };
        Ok(ordinals.iter().map(|&ordinal| (ordinal, see(ordinal))).collect())
    }

    async fn outcomes(
        &self,
        tx: &mut dyn Transaction,
        run: &Run,
        ask: &BTreeSet<u32>,
    ) -> Result<BTreeMap<u32, Outcome>, StoreError> {
        let asked: Vec<(u32, uuid::Uuid)> =
            ask.iter().filter_map(|&ordinal| Some((ordinal, run.member(ordinal).operation?))).collect();
        if asked.is_empty() {
            return Ok(BTreeMap::new());
        }
        let ids: Vec<uuid::Uuid> = asked.iter().map(|(_, id)| *id).collect();
        let mut outcomes = self.clusters.outcomes(tx, &ids).await?;
        let outcome = |(ordinal, id): (u32, uuid::Uuid)| match outcomes.remove(&id) {
            Some(UpgradeOutcome::InProgress) => None,
            None => Some((ordinal, Outcome::NotStarted)),
            Some(UpgradeOutcome::Succeeded { at }) => Some((ordinal, Outcome::Succeeded { at })),
            Some(UpgradeOutcome::Failed { at, error }) => {
                Some((ordinal, Outcome::Failed { at, error: Explanation::new(&error.code, error.message) }))
            }
        };
        Ok(asked.into_iter().filter_map(outcome).collect())
    }
}

/// The clusters of those member records that are not leaving, by key.
fn joined(records: Vec<Record>) -> Result<BTreeMap<String, ResourceId>, StoreError> {
    let mut joined = BTreeMap::new();
    for record in records {
        let key = record.key.clone();
        let member = record.decode::<FleetMember>()?.entity;
        if member.lifecycle.state != ProvisioningState::Deleting {
            joined.insert(key, member.cluster_resource_id);
        }
    }
    Ok(joined)
}

fn seen(joined: bool, cluster: &ResourceId, observed: Option<&ObservedCluster>) -> Seen {
    match observed {
        _ if !joined => Seen::LeftFleet,
        _ if !cluster.is_container_service("managedClusters") => Seen::Unsupported,
        Some(observed) => Seen::Cluster(observed.clone()),
        None => Seen::ClusterMissing,
    }
}
