//! What a new cluster and a new pool are.

use super::agent_pool::AgentPool;
use super::spec::{ClusterSpec, PoolSpec};
use super::versions::{Offer, check_not_ahead};
use super::{LONG_TERM_SUPPORT, ManagedCluster, PoolMode, string_at};
use crate::domain::catalogue::{Catalogue, normal_region};
use crate::domain::etag::ETag;
use crate::domain::ids::IdSource;
use crate::domain::kubernetes_version::KubernetesVersion;
use crate::domain::lifecycle::Lifecycle;
use crate::domain::node_image::{OsType, family_for, os_skus};
use crate::domain::observed_cluster::PowerState;
use crate::domain::refusal::{Code, Faults, Refusal};
use crate::domain::resource_id::ResourceId;
use crate::domain::system_data::SystemData;
use crate::domain::time::Timestamp;

/// Nodes of a pool that names no count.
const DEFAULT_COUNT: u32 = 1;

/// The cluster that a PUT makes, as it is when that has succeeded.
///
/// # Errors
/// `LocationRequired`, `LocationNotAvailable`, or whatever of versions and pools can't be, each with its path;
/// `QuotaExceeded` for too many pools.
pub fn create(
    id: ResourceId,
    spec: ClusterSpec,
    catalogue: &Catalogue,
    system_data: SystemData,
    now: Timestamp,
    ids: &dyn IdSource,
) -> Result<ManagedCluster, Refusal> {
    let location = check_location(spec.location, catalogue)?;
    let region = normal_region(&location);
    let long_term = string_at(&spec.properties, &["supportPlan"])
        .is_some_and(|plan| plan.eq_ignore_ascii_case(LONG_TERM_SUPPORT));
    let offer = Offer { catalogue, region: &region, now, long_term };
    let mut faults = Faults::new();
    let path = "properties.kubernetesVersion";
    let version = match &spec.kubernetes_version {
        Some(text) => offer.resolve(text, None, path, &mut faults),
        None => catalogue.default_version(&region, now),
    };
    let Some(version) = version else {
        faults.finish()?;
        let message = format!("{region} has no Kubernetes version that could be the default; name one.");
        return Err(Refusal::at(Code::InvalidParameter, path, message));
    };
    let pools = spec.pools.unwrap_or_default();
    if !pools.iter().any(|pool| pool.mode == Some(PoolMode::System)) {
        let message = "A cluster needs at least one agent pool with mode System.";
        faults.add(Code::InvalidParameter, "properties.agentPoolProfiles", message);
    }
    let pools: Vec<AgentPool> =
        pools.into_iter().filter_map(|pool| new_pool(pool, version, &offer, ids, &mut faults)).collect();
    faults.finish()?;
    let cluster = ManagedCluster {
        id,
        location,
        tags: spec.tags,
        envelope: spec.envelope,
        properties: spec.properties,
        kubernetes_version: spec.kubernetes_version.unwrap_or_else(|| version.to_string()),
        current_version: version,
        power: PowerState::Running,
        lifecycle: Lifecycle::succeeded(),
        pools,
        maintenance: std::collections::BTreeMap::new(),
        behavior: None,
        operations: Vec::new(),
        system_data,
    };
    cluster.check_pool_quota(cluster.pools.len())?;
    Ok(cluster)
}

fn check_location(location: Option<String>, catalogue: &Catalogue) -> Result<String, Refusal> {
    let Some(location) = location else {
        let message = "A managed cluster needs a location.";
        return Err(Refusal::at(Code::LocationRequired, "location", message));
    };
    catalogue.check_region(&location)?;
    Ok(location)
}

/// The pool that a PUT adds to `cluster`.
///
/// # Errors
/// What of it can't be, with its path; `QuotaExceeded` for too many pools; `OperationNotAllowed` on a stopped cluster.
pub fn create_pool(
    cluster: &ManagedCluster,
    spec: PoolSpec,
    catalogue: &Catalogue,
    now: Timestamp,
    ids: &dyn IdSource,
) -> Result<AgentPool, Refusal> {
    let region = cluster.region();
    let offer = Offer { catalogue, region: &region, now, long_term: cluster.long_term_support() };
    let mut faults = Faults::new();
    let name = spec.name.clone();
    let pool = new_pool(spec, cluster.current_version, &offer, ids, &mut faults);
    faults.finish()?;
    cluster.check_pool_quota(cluster.pools.len() + 1)?;
    cluster.check_running("adding a pool")?;
    pool.ok_or_else(|| Refusal::new(Code::InvalidParameter, format!("Agent pool {name} cannot be made.")))
}

/// A new pool; `None` where a fault was noted.
pub(super) fn new_pool(
    spec: PoolSpec,
    control_plane: KubernetesVersion,
    offer: &Offer<'_>,
    ids: &dyn IdSource,
    faults: &mut Faults,
) -> Option<AgentPool> {
    let path = |member: &str| format!("{}{member}", spec.path);
    let (mode, os) = (spec.mode.unwrap_or_default(), spec.os.unwrap_or_default());
    let count = spec.count.unwrap_or(DEFAULT_COUNT);
    if mode == PoolMode::System && count == 0 {
        faults.add(Code::InvalidParameter, path("count"), "A System pool needs at least one node.");
    }
    let version = match &spec.orchestrator_version {
        // An alias of the control plane's minor means the control plane's patch, not a newer one.
        Some(text) => offer
            .resolve(text, Some(control_plane), &path("orchestratorVersion"), faults)
            .unwrap_or(control_plane),
        None => control_plane,
    };
    check_not_ahead(&spec.name, version, control_plane, &path("orchestratorVersion"), faults);
    let os_sku = spec.os_sku.unwrap_or_else(|| default_sku(os).to_owned());
    let family = family_for(os, Some(&os_sku))?;
    let Some(image) = offer.catalogue.newest_image(family, offer.region, offer.now) else {
        let target = format!("{}osSKU", spec.path);
        let message = format!("{} has no node image of {family} for osSKU {os_sku}.", offer.region);
        faults.add(Code::InvalidParameter, target, message);
        return None;
    };
    Some(AgentPool {
        name: spec.name,
        etag: ETag(ids.next()),
        lifecycle: Lifecycle::succeeded(),
        count,
        mode,
        os,
        os_sku,
        orchestrator_version: spec.orchestrator_version.unwrap_or_else(|| version.to_string()),
        current_version: version,
        image,
        envelope: spec.envelope.unwrap_or_default(),
        properties: spec.properties,
    })
}

fn default_sku(os: OsType) -> &'static str {
    os_skus(os).next().unwrap_or("Ubuntu")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::*;
    use crate::domain::managed_cluster::testing::{self, NOW};

    fn made(change: impl FnOnce(&mut Value)) -> Result<ManagedCluster, Refusal> {
        let mut body = testing::body();
        change(&mut body);
        testing::create(&body)
    }

    fn asks_for(body: &mut Value, version: &str) {
        body["properties"]["kubernetesVersion"] = json!(version);
        body["properties"]["agentPoolProfiles"][1]["orchestratorVersion"] = json!(version);
    }

    #[test]
    fn a_cluster_that_asks_for_nothing_gets_the_defaults() {
        let cluster = made(|body| {
            body["properties"].as_object_mut().unwrap().shift_remove("kubernetesVersion");
        })
        .unwrap();
        assert_eq!(cluster.current_version.to_string(), "1.36.4");
        assert_eq!(cluster.pools[0].image.to_string(), "AKSUbuntu-2204gen2containerd-202611.02.0");
        assert_eq!(cluster.pools[0].current_version, cluster.current_version);
    }

    #[test]
    fn an_alias_is_resolved_and_kept_as_it_was_sent() {
        let cluster = made(|body| asks_for(body, "1.35")).unwrap();
        assert_eq!(
            (cluster.kubernetes_version.as_str(), cluster.current_version.to_string()),
            ("1.35", "1.35.4".to_owned())
        );
        assert!(cluster.observe(NOW.parse().unwrap()).busy.is_none());
    }

    #[rstest]
    #[case("/location", json!(null), "location")]
    #[case("/location", json!("atlantis"), "location")]
    #[case("/properties/kubernetesVersion", json!("1.31.1"), "properties.kubernetesVersion")]
    #[case("/properties/kubernetesVersion", json!("1.34"), "properties.kubernetesVersion")]
    #[case("/properties/kubernetesVersion", json!("1.36.77"), "properties.kubernetesVersion")]
    #[case("/properties/kubernetesVersion", json!("latest"), "properties.kubernetesVersion")]
    #[case("/properties/agentPoolProfiles", json!([]), "properties.agentPoolProfiles")]
    #[case("/properties/agentPoolProfiles/0/mode", json!("User"), "properties.agentPoolProfiles")]
    #[case("/properties/agentPoolProfiles/0/count", json!(0), "properties.agentPoolProfiles[0].count")]
    #[case("/properties/agentPoolProfiles/1/orchestratorVersion", json!("1.37.0"),
        "properties.agentPoolProfiles[1].orchestratorVersion")]
    fn a_cluster_that_cannot_be_is_refused(
        #[case] pointer: &str,
        #[case] value: Value,
        #[case] target: &str,
    ) {
        let refusal = made(|body| *body.pointer_mut(pointer).unwrap() = value).unwrap_err();
        assert_eq!(refusal.target.as_deref(), Some(target), "{refusal}");
    }

    #[test]
    fn long_term_minors_need_the_plan() {
        let cluster = made(|body| {
            asks_for(body, "1.34");
            body["properties"]["supportPlan"] = json!("AKSLongTermSupport");
            body["sku"] = json!({"name": "Base", "tier": "Premium"});
        });
        assert!(cluster.unwrap().long_term_support());
    }
}
