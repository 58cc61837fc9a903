//! What a PUT on a cluster or pool that exists changes at once, and what it asks to be upgraded.

use super::create::new_pool;
use super::spec::{ClusterSpec, PoolSpec};
use super::versions::{Offer, check_move, check_not_ahead};
use super::{LONG_TERM_SUPPORT, ManagedCluster, PoolMode, string_at};
use crate::domain::catalogue::{Catalogue, normal_region};
use crate::domain::ids::IdSource;
use crate::domain::kubernetes_version::KubernetesVersion;
use crate::domain::observed_cluster::{PoolUpgrade, UpgradeRequest};
use crate::domain::refusal::{Code, Faults, Refusal};
use crate::domain::time::Timestamp;

/// What a PUT makes of a cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct Replacement {
    /// The cluster with all that changes at once.
    pub cluster: ManagedCluster,
    /// The upgrade that is to follow.
    pub request: UpgradeRequest,
}

/// A PUT on an existing cluster.
///
/// # Errors
/// `InvalidResourceLocation` for another region; what else can't be, with its path; `QuotaExceeded` for too many pools; `OperationNotAllowed` for an
/// upgrade of a stopped cluster, or a change of its nodes.
pub fn replace(
    existing: &ManagedCluster,
    spec: ClusterSpec,
    catalogue: &Catalogue,
    now: Timestamp,
    ids: &dyn IdSource,
) -> Result<Replacement, Refusal> {
    let region = existing.region();
    if let Some(location) = spec.location.filter(|location| normal_region(location) != region) {
        let message = format!("{} is in {region}; it cannot move to {location}.", existing.id);
        return Err(Refusal::at(Code::InvalidResourceLocation, "location", message));
    }
    let long_term = string_at(&spec.properties, &["supportPlan"])
        .is_some_and(|plan| plan.eq_ignore_ascii_case(LONG_TERM_SUPPORT));
    let offer = Offer { catalogue, region: &region, now, long_term };
    let mut faults = Faults::new();
    let mut cluster = existing.clone();
    let mut request = UpgradeRequest::default();
    (cluster.tags, cluster.envelope, cluster.properties) = (spec.tags, spec.envelope, spec.properties);
    if let Some(text) = spec.kubernetes_version {
        let path = "properties.kubernetesVersion";
        request.control_plane = offer.resolve(&text, Some(existing.current_version), path, &mut faults);
        if let Some(to) = request.control_plane {
            check_move("The control plane", existing.current_version, to, false, path, &mut faults);
        }
        cluster.kubernetes_version = text;
    }
    if let Some(pools) = spec.pools {
        let control_plane = request.control_plane.unwrap_or(existing.current_version);
        replace_pools(&mut cluster, pools, control_plane, &offer, ids, &mut request, &mut faults);
    }
    faults.finish()?;
    if cluster.pools.len() > existing.pools.len() {
        cluster.check_pool_quota(cluster.pools.len())?;
    }
    let replaced = Replacement { cluster, request };
    check_running(existing, &replaced)?;
    Ok(replaced)
}

fn replace_pools(
    cluster: &mut ManagedCluster,
    pools: Vec<PoolSpec>,
    control_plane: KubernetesVersion,
    offer: &Offer<'_>,
    ids: &dyn IdSource,
    request: &mut UpgradeRequest,
    faults: &mut Faults,
) {
    let path = "properties.agentPoolProfiles";
    for pool in &cluster.pools {
        if !pools.iter().any(|spec| spec.name.eq_ignore_ascii_case(&pool.name)) {
            let message = format!(
                "Agent pool {} is missing; a PUT of the cluster does not remove pools: DELETE the pool itself.",
                pool.name
            );
            faults.add(Code::InvalidParameter, path, message);
        }
    }
    for spec in pools {
        if cluster.pool(&spec.name).is_some() {
            request.pools.extend(change_pool(cluster, spec, control_plane, offer, faults));
        } else {
            // A pool that is new starts at what the control plane runs now: it cannot wait for its upgrade.
            let pool = new_pool(spec, cluster.current_version, offer, ids, faults);
            cluster.pools.extend(pool);
        }
    }
    check_system_pool(cluster, path, faults);
}

/// A PUT on an existing pool.
///
/// # Errors
/// What can't be, with its path; `OperationNotAllowed` for an upgrade of a stopped cluster, or a change of its
/// nodes.
pub fn replace_pool(
    existing: &ManagedCluster,
    spec: PoolSpec,
    catalogue: &Catalogue,
    now: Timestamp,
) -> Result<Replacement, Refusal> {
    let region = existing.region();
    let offer = Offer { catalogue, region: &region, now, long_term: existing.long_term_support() };
    let mut faults = Faults::new();
    let mut cluster = existing.clone();
    let pools = change_pool(&mut cluster, spec, existing.current_version, &offer, &mut faults);
    check_system_pool(&cluster, "properties.mode", &mut faults);
    faults.finish()?;
    let request = UpgradeRequest { pools: pools.into_iter().collect(), ..UpgradeRequest::default() };
    let replaced = Replacement { cluster, request };
    check_running(existing, &replaced)?;
    Ok(replaced)
}

/// Changes a pool at once, apart from its version; what is to be upgraded is returned.
fn change_pool(
    cluster: &mut ManagedCluster,
    spec: PoolSpec,
    control_plane: KubernetesVersion,
    offer: &Offer<'_>,
    faults: &mut Faults,
) -> Option<PoolUpgrade> {
    let path = |member: &str| format!("{}{member}", spec.path);
    let pool = cluster.pool_mut(&spec.name)?;
    if let Some(os) = spec.os.filter(|os| *os != pool.os) {
        let message = format!("Agent pool {} is {:?}; that cannot change to {os:?}.", pool.name, pool.os);
        faults.add(Code::PropertyChangeNotAllowed, path("osType"), message);
    }
    if let Some(sku) = spec.os_sku.as_ref().filter(|sku| !sku.eq_ignore_ascii_case(&pool.os_sku)) {
        let message =
            format!("Agent pool {} has osSKU {}; that cannot change to {sku}.", pool.name, pool.os_sku);
        faults.add(Code::PropertyChangeNotAllowed, path("osSKU"), message);
    }
    let (count, mode) = (spec.count.unwrap_or(pool.count), spec.mode.unwrap_or(pool.mode));
    if mode == PoolMode::System && count == 0 {
        faults.add(Code::InvalidParameter, path("count"), "A System pool needs at least one node.");
    }
    (pool.count, pool.mode) = (count, mode);
    let (name, current) = (pool.name.clone(), pool.current_version);
    // Immutable, so an absent one stays.
    let creation_data = pool.properties.shift_remove("creationData");
    pool.properties = spec.properties;
    pool.envelope = spec.envelope.unwrap_or_else(|| std::mem::take(&mut pool.envelope));
    if let Some(creation_data) = creation_data {
        pool.properties.entry("creationData").or_insert(creation_data);
    }
    let text = spec.orchestrator_version?;
    let target = format!("{}orchestratorVersion", spec.path);
    let to = offer.resolve(&text, Some(current), &target, faults);
    pool.orchestrator_version = text;
    let to = to?;
    check_move(&format!("Agent pool {name}"), current, to, true, &target, faults);
    check_not_ahead(&name, to, control_plane, &target, faults);
    Some(PoolUpgrade { name, version: Some(to), image: None, drop_snapshot: false })
}

fn check_system_pool(cluster: &ManagedCluster, target: &str, faults: &mut Faults) {
    if !cluster.pools.iter().any(|pool| pool.mode == PoolMode::System) {
        let message = "A cluster needs at least one agent pool with mode System.";
        faults.add(Code::InvalidParameter, target, message);
    }
}

/// That what a PUT makes of a cluster's pools, and asks to be upgraded, needs no nodes of a stopped one.
fn check_running(existing: &ManagedCluster, replaced: &Replacement) -> Result<(), Refusal> {
    let nodes = |cluster: &ManagedCluster| -> Vec<(String, u32)> {
        cluster.pools.iter().map(|pool| (pool.name.clone(), pool.count)).collect()
    };
    if replaced.request != UpgradeRequest::default() {
        existing.check_running("upgrading it")
    } else if nodes(existing) != nodes(&replaced.cluster) {
        existing.check_running("changing the nodes of its pools")
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::*;
    use crate::domain::managed_cluster::testing::{self, Ids, NOW};
    use crate::domain::managed_cluster::{read_cluster, read_pool};
    use crate::domain::observed_cluster::PowerState;

    fn put(change: impl FnOnce(&mut Value)) -> Result<Replacement, Refusal> {
        let cluster = testing::create(&testing::body()).unwrap();
        let mut body = testing::body();
        change(&mut body);
        let spec = read_cluster(body.as_object().unwrap().clone())?;
        replace(&cluster, spec, Catalogue::built_in(), NOW.parse().unwrap(), &Ids::default())
    }

    #[test]
    fn the_same_body_again_asks_for_nothing() {
        assert_eq!(put(|_| {}).unwrap().request, UpgradeRequest::default());
        let alias = put(|body| body["properties"]["kubernetesVersion"] = json!("1.36")).unwrap();
        assert_eq!(alias.request, UpgradeRequest::default());
    }

    #[test]
    fn a_raised_version_upgrades_the_control_plane_then_the_pools_that_ask_for_it() {
        let replaced = put(|body| {
            body["properties"]["kubernetesVersion"] = json!("1.37.1");
            body["properties"]["agentPoolProfiles"][1]["orchestratorVersion"] = json!("1.37.0");
        })
        .unwrap();
        assert_eq!(replaced.request.control_plane, Some("1.37.1".parse().unwrap()));
        let pools: Vec<_> = replaced.request.pools.iter().map(|pool| (&*pool.name, pool.version)).collect();
        assert_eq!(pools, [("work", Some("1.37.0".parse().unwrap()))]);
        assert_eq!(replaced.cluster.current_version.to_string(), "1.36.2");
        assert_eq!(replaced.cluster.kubernetes_version, "1.37.1");
    }

    #[rstest]
    #[case("/properties/kubernetesVersion", json!("1.36.1"), "properties.kubernetesVersion")]
    #[case("/properties/kubernetesVersion", json!("1.35"), "properties.kubernetesVersion")]
    #[case("/properties/agentPoolProfiles/1/orchestratorVersion", json!("1.36.3"),
        "properties.agentPoolProfiles[1].orchestratorVersion")]
    #[case("/properties/agentPoolProfiles/1/osType", json!("Windows"),
        "properties.agentPoolProfiles[1].osType")]
    #[case("/properties/agentPoolProfiles/0/mode", json!("User"), "properties.agentPoolProfiles")]
    #[case("/location", json!("westus2"), "location")]
    fn what_cannot_change_is_refused(#[case] pointer: &str, #[case] value: Value, #[case] target: &str) {
        let refusal = put(|body| *body.pointer_mut(pointer).unwrap() = value).unwrap_err();
        assert_eq!(refusal.target.as_deref(), Some(target), "{refusal}");
    }

    #[test]
    fn minors_are_not_skipped() {
        let mut cluster = testing::create(&testing::body()).unwrap();
        cluster.current_version = "1.35.1".parse().unwrap();
        let mut body = testing::body();
        body["properties"]["kubernetesVersion"] = json!("1.37.1");
        let spec = read_cluster(body.as_object().unwrap().clone()).unwrap();
        let now = NOW.parse().unwrap();
        let refusal = replace(&cluster, spec, Catalogue::built_in(), now, &Ids::default()).unwrap_err();
        assert!(refusal.message.contains("Go to 1.36 first"), "{refusal}");
    }

    #[test]
    fn a_pool_that_is_not_listed_is_not_removed_silently() {
        let refusal = put(|body| {
            body["properties"]["agentPoolProfiles"].as_array_mut().unwrap().pop();
        });
        assert!(refusal.unwrap_err().message.contains("DELETE the pool"));
    }

    #[rstest]
    #[case::tags("/tags", json!({ "a": "b" }), None)]
    #[case::settings("/properties/agentPoolProfiles/1/maxPods", json!(50), None)]
    #[case::count("/properties/agentPoolProfiles/1/count", json!(24), Some("before changing the nodes"))]
    #[case::pool("/properties/agentPoolProfiles/3", json!({ "name": "more" }), Some("before changing the nodes"))]
    #[case::version("/properties/kubernetesVersion", json!("1.36.3"), Some("before upgrading it"))]
    fn a_stopped_cluster_takes_what_needs_no_nodes(
        #[case] pointer: &str,
        #[case] value: Value,
        #[case] refused: Option<&str>,
    ) {
        let mut cluster = testing::create(&testing::body()).unwrap();
        cluster.power = PowerState::Stopped;
        let mut body = testing::body();
        let (parent, member) = pointer.rsplit_once('/').unwrap();
        match body.pointer_mut(parent).unwrap() {
            Value::Array(pools) => pools.push(value),
            parent => parent[member] = value,
        }
        let spec = read_cluster(body.as_object().unwrap().clone()).unwrap();
        let replaced = replace(&cluster, spec, Catalogue::built_in(), NOW.parse().unwrap(), &Ids::default());
        let said = replaced.err().map(|refusal| (refusal.code, refusal.message));
        assert_eq!(said.as_ref().map(|(code, _)| *code), refused.map(|_| Code::OperationNotAllowed));
        assert!(said.is_none_or(|(_, message)| message.contains(refused.unwrap())));
    }

    #[test]
    fn the_last_system_pool_stays_one() {
        let cluster = testing::create(&testing::body()).unwrap();
        let body = json!({"properties": {"mode": "User"}});
        let spec = read_pool("sys", body.as_object().unwrap().clone()).unwrap();
        let refusal = replace_pool(&cluster, spec, Catalogue::built_in(), NOW.parse().unwrap()).unwrap_err();
        assert_eq!(refusal.target.as_deref(), Some("properties.mode"));
    }
}
