//! Making and replacing a run (the fleet resources: update run).

use std::collections::BTreeMap;

use super::persist;
use crate::domain::catalogue::Catalogue;
use crate::domain::etag::{ETag, Preconditions};
use crate::domain::fleet::Fleet;
use crate::domain::ids;
use crate::domain::lifecycle::ProvisioningState;
use crate::domain::member::Member;
use crate::domain::node_image::NodeImage;
use crate::domain::refusal::{Code, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::domain::strategy::Strategy;
use crate::domain::system_data::SystemData;
use crate::domain::time::Timestamp;
use crate::domain::update_run::plan::{Candidate, plan};
use crate::domain::update_run::spec::Origin;
use crate::domain::update_run::state::{Run, UpdateState};
use crate::domain::update_run::target::{ImageSelection, UpgradeType};
use crate::domain::update_run::{RunSpec, UpdateRun, rollup};
use crate::service::resource::{Outcome, Written, find};
use crate::service::strategies::strategy_of_fleet;
use crate::service::{CallContext, Service, ServiceError};
use crate::store::{Access, Kind, StoreError, Stored, Transaction};

impl Service {
    /// Creates a run, replaces one that has not started, or confirms one that has.
    ///
    /// # Errors
    /// `ParentResourceNotFound`; `PreconditionFailed`; what `decode` and the domain find wrong with the body;
    /// `OperationNotAllowed` where the run has started and the body would change it; storage's.
    pub async fn put_update_run(
        &self,
        context: &CallContext,
        id: &ResourceId,
        preconditions: &Preconditions,
        decode: impl FnOnce(Option<&UpdateRun>) -> Result<RunSpec, Refusal> + Send,
    ) -> Result<Written<UpdateRun>, ServiceError> {
        let mut tx = self.store.begin(Access::Write).await?;
        let fleet = self.parent::<Fleet>(tx.as_mut(), id).await?;
        self.existing_for_put::<UpdateRun>(tx.as_mut(), id, preconditions).await?;
        let existing = super::load(tx.as_mut(), id).await?;
        let spec = decode(existing.as_ref().map(|stored| &stored.entity))?;
        if let Some(stored) = existing.filter(|stored| stored.run.status.state != UpdateState::NotStarted) {
            return unchanged(stored, &spec);
        }
        let existing = find::<UpdateRun>(tx.as_mut(), id).await?;
        let strategy = resolve_strategy(tx.as_mut(), id, &spec, existing.as_deref()).await?;
        self.check_children_writable(tx.as_mut(), &fleet).await?;
        let system_data = match &existing {
            None => SystemData::created(&context.principal, self.clock.now()),
            Some(stored) => stored.system_data.clone().modified(&context.principal, self.clock.now()),
        };
        let origin = origin(existing.as_deref(), &spec);
        let candidates = members_to_plan(tx.as_mut(), &fleet.id).await?;
        let run = self.planned(tx.as_mut(), &spec, origin, strategy.as_ref(), &candidates).await?;
        let profile = existing.as_ref().and_then(|stored| stored.auto_upgrade_profile_id.clone());
        // In the fleet's own casing, and the run's as it was first written, whatever the URL's.
        let id = existing
            .as_ref()
            .map_or_else(|| fleet.id.child("updateRuns", id.name()), |stored| stored.entity.id.clone());
        let entity = UpdateRun { id, system_data, spec, strategy, auto_upgrade_profile_id: profile, run };
        let outcome = if existing.is_some() { Outcome::Replaced } else { Outcome::Created };
        let etag = self.save_planned(tx.as_mut(), &entity, existing.map(|stored| stored.version)).await?;
        self.commit(tx).await?;
        Ok(Written { entity, etag, outcome, operation: None })
    }

    /// Writes a run that has just been planned, with all its members: a new one, or in place of the one read at version
    /// `existing`.
    pub(in crate::service) async fn save_planned(
        &self,
        tx: &mut dyn Transaction,
        entity: &UpdateRun,
        existing: Option<i64>,
    ) -> Result<ETag, StoreError> {
        let etag = self.save(tx, entity, existing).await?;
        tx.replace_members(&entity.id.key(), &persist::rows(entity)).await?;
        Ok(etag)
    }

    /// The plan over `candidates`, the fleet's members as they are now.
    pub(in crate::service) async fn planned(
        &self,
        tx: &mut dyn Transaction,
        spec: &RunSpec,
        origin: Origin,
        strategy: Option<&Strategy>,
        candidates: &[Candidate],
    ) -> Result<Run, ServiceError> {
        let now = self.clock.now();
        let (_, catalogue) = self.catalogue.edition(tx).await?;
        let target = spec.target(origin, &catalogue, now)?;
        let mut run = plan(ids::derived(&self.ids.next().to_string()), target, strategy, candidates);
        let chosen = self.consistent_images(tx, &run, &catalogue, now).await?;
        if let ImageSelection::Consistent { selected, .. } = &mut run.target.images {
            *selected = chosen;
        }
        rollup::apply(&mut run, now);
        Ok(run)
    }

    /// For each image family in the members' pools, the newest version that all regions of the run's clusters have.
    /// Empty for other selections.
    pub(super) async fn consistent_images(
        &self,
        tx: &mut dyn Transaction,
        run: &Run,
        catalogue: &Catalogue,
        now: Timestamp,
    ) -> Result<BTreeMap<String, NodeImage>, StoreError> {
        if !matches!(run.target.images, ImageSelection::Consistent { .. }) {
            return Ok(BTreeMap::new());
        }
        let mut keys: Vec<String> = run.members.iter().map(|member| member.cluster.key()).collect();
        keys.sort_unstable();
        keys.dedup();
        let clusters = self.clusters.observe(tx, &keys, now).await?;
        let regions = clusters.values().map(|cluster| cluster.location.clone()).collect();
        let families: std::collections::BTreeSet<&str> = clusters
            .values()
            .flat_map(|cluster| cluster.pools.iter().map(|pool| pool.image.family.as_str()))
            .collect();
        let newest = |family: &str| catalogue.newest_common_image(family, &regions, now);
        Ok(families.into_iter().filter_map(|family| Some((family.to_owned(), newest(family)?))).collect())
    }
}

/// What stays of an existing run's origin when a user replaces it by `spec`.
fn origin(existing: Option<&UpdateRun>, spec: &RunSpec) -> Origin {
    let Some(existing) = existing else { return Origin::default() };
    Origin {
        by_auto_upgrade: existing.auto_upgrade_profile_id.is_some(),
        security_patch: existing.run.target.security_patch && spec.upgrade == UpgradeType::NodeImageOnly,
    }
}

/// A run that has started can only be confirmed.
fn unchanged(stored: Stored<UpdateRun>, spec: &RunSpec) -> Result<Written<UpdateRun>, ServiceError> {
    if stored.is_unchanged_by(spec) {
        let Stored { entity, etag, .. } = stored;
        return Ok(Written { entity, etag, outcome: Outcome::Replaced, operation: None });
    }
    Err(Refusal::new(
        Code::OperationNotAllowed,
        format!(
            "The update run is {:?}: once it has started it cannot be changed. Make a new run.",
            stored.run.status.state
        ),
    )
    .into())
}

/// The strategy that a run follows: its own, or a snapshot of the one that is named.
async fn resolve_strategy(
    tx: &mut dyn Transaction,
    run: &ResourceId,
    spec: &RunSpec,
    existing: Option<&UpdateRun>,
) -> Result<Option<Strategy>, ServiceError> {
    const TARGET: &str = "properties.updateStrategyId";
    let Some(named) = &spec.update_strategy_id else { return Ok(spec.strategy.clone()) };
    if let Some(own) = &spec.strategy {
        let is_own_id = existing.is_some_and(|run| run.spec.update_strategy_id.as_ref() == Some(named));
        return if is_own_id { Ok(Some(own.clone())) } else { Err(both_given(TARGET)) };
    }
    let fleet = run.parent().expect("a run is in a fleet");
    Ok(Some(strategy_of_fleet(tx, &fleet, named, TARGET).await?.strategy))
}

fn both_given(target: &str) -> ServiceError {
    let message = "Give strategy or updateStrategyId, not both.";
    Refusal::at(Code::InvalidParameter, target, message).into()
}

/// The members that are planned: all but those that are leaving, in the order in which they joined.
pub(in crate::service) async fn members_to_plan(
    tx: &mut dyn Transaction,
    fleet: &ResourceId,
) -> Result<Vec<Candidate>, StoreError> {
    let mut candidates = Vec::new();
    for record in tx.children(Kind::Member, &fleet.key()).await? {
        let member = record.decode::<Member>()?.entity;
        if member.lifecycle.state != ProvisioningState::Deleting {
            candidates.push(Candidate {
                name: member.id.name().to_owned(),
                cluster: member.cluster_resource_id.clone(),
                group: member.group.clone(),
                labels: member.all_labels(),
            });
        }
    }
    Ok(candidates)
}
