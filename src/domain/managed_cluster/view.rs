//! Clusters, pools and maintenance configurations as bodies of answers: what is simulated around what was sent.

use serde_json::{Map, Value, json};

use super::{AgentPool, ConfigurationName, MAX_AGENT_POOLS, MaintenanceConfiguration, ManagedCluster};
use crate::domain::etag::ETag;
use crate::domain::ids::derived;
use crate::domain::observed_cluster::PowerState;
use crate::domain::resource_id::ResourceId;

/// A cluster's body.
pub fn cluster_view(cluster: &ManagedCluster, etag: ETag) -> Value {
    let mut body = Map::new();
    body.insert("id".to_owned(), json!(cluster.id));
    body.insert("name".to_owned(), json!(cluster.id.name()));
    body.insert("type".to_owned(), json!(cluster.id.type_name()));
    body.insert("location".to_owned(), json!(cluster.location));
    if !cluster.tags.is_empty() {
        body.insert("tags".to_owned(), json!(cluster.tags));
    }
    body.insert("eTag".to_owned(), json!(etag));
    body.insert("systemData".to_owned(), json!(cluster.system_data));
    body.insert("properties".to_owned(), Value::Object(cluster_properties(cluster)));
    body.extend(cluster.envelope.clone());
    body.entry("sku").or_insert_with(|| json!({"name": "Base", "tier": "Free"}));
    Value::Object(body)
}

fn cluster_properties(cluster: &ManagedCluster) -> Map<String, Value> {
    let mut properties = Map::new();
    properties.insert("provisioningState".to_owned(), json!(cluster.lifecycle.state));
    properties.insert("powerState".to_owned(), power(cluster.power));
    properties.insert("kubernetesVersion".to_owned(), json!(cluster.kubernetes_version));
    properties.insert("currentKubernetesVersion".to_owned(), json!(cluster.current_version));
    properties.insert("maxAgentPools".to_owned(), json!(MAX_AGENT_POOLS));
    properties.insert("fqdn".to_owned(), json!(fqdn(cluster)));
    let profiles: Vec<Value> =
        cluster.pools.iter().map(|pool| Value::Object(pool_profile(pool, cluster.power))).collect();
    properties.insert("agentPoolProfiles".to_owned(), Value::Array(profiles));
    properties.extend(cluster.properties.clone());
    properties.entry("supportPlan").or_insert_with(|| json!("KubernetesOfficial"));
    let nodes = node_resource_group(cluster);
    properties.entry("identityProfile").or_insert_with(|| identity_profile(cluster, &nodes));
    properties.entry("nodeResourceGroup").or_insert_with(|| json!(nodes));
    properties
}

/// The group of its nodes: the one that was asked for, else AKS's own.
fn node_resource_group(cluster: &ManagedCluster) -> String {
    let asked = cluster.properties.get("nodeResourceGroup").and_then(Value::as_str).map(str::to_owned);
    let group = cluster.id.resource_group_name().unwrap_or_default();
    asked.unwrap_or_else(|| format!("MC_{group}_{}_{}", cluster.id.name(), cluster.region()))
}

/// The identity by which nodes pull images; AKS makes one for every cluster, in the group of its nodes.
fn identity_profile(cluster: &ManagedCluster, nodes: &str) -> Value {
    let subscription = cluster.id.subscription_id();
    let id = format!(
        "/subscriptions/{subscription}/resourceGroups/{nodes}/providers/Microsoft.ManagedIdentity/\
         userAssignedIdentities/{}-agentpool",
        cluster.id.name()
    );
    let derived = |what: &str| derived(&format!("{what} of the nodes of {}", cluster.id.key()));
    json!({ "kubeletidentity": {
        "resourceId": id,
        "clientId": derived("client"),
        "objectId": derived("object")
    } })
}

/// The name of its API server, which leads nowhere.
pub fn fqdn(cluster: &ManagedCluster) -> String {
    let prefix = cluster.properties.get("dnsPrefix").and_then(Value::as_str);
    let prefix = prefix.unwrap_or_else(|| cluster.id.name()).to_ascii_lowercase();
    let hash = &derived(&cluster.id.key()).simple().to_string()[..8];
    format!("{prefix}-{hash}.hcp.{}.azmk8s.io", cluster.region())
}

fn power(power: PowerState) -> Value {
    json!({ "code": power })
}

/// A pool as an element of its cluster's body.
pub fn pool_profile(pool: &AgentPool, power_state: PowerState) -> Map<String, Value> {
    let mut profile = Map::new();
    profile.insert("name".to_owned(), json!(pool.name));
    profile.extend(pool_properties(pool, power_state));
    profile
}

fn pool_properties(pool: &AgentPool, power_state: PowerState) -> Map<String, Value> {
    let mut properties = Map::new();
    properties.insert("eTag".to_owned(), json!(pool.etag));
    properties.insert("provisioningState".to_owned(), json!(pool.lifecycle.state));
    properties.insert("powerState".to_owned(), power(power_state));
    properties.insert("count".to_owned(), json!(pool.count));
    properties.insert("mode".to_owned(), json!(pool.mode));
    properties.insert("osType".to_owned(), json!(pool.os));
    properties.insert("osSKU".to_owned(), json!(pool.os_sku));
    properties.insert("orchestratorVersion".to_owned(), json!(pool.orchestrator_version));
    properties.insert("currentOrchestratorVersion".to_owned(), json!(pool.current_version));
    properties.insert("nodeImageVersion".to_owned(), json!(pool.image));
    properties.extend(pool.properties.clone());
    properties.entry("type").or_insert_with(|| json!("VirtualMachineScaleSets"));
    properties
}

/// A pool's body.
pub fn pool_view(cluster: &ManagedCluster, pool: &AgentPool) -> Value {
    let id = cluster.id.child("agentPools", &pool.name);
    let body = json!({
        "id": id,
        "name": pool.name,
        "type": id.type_name(),
        "properties": pool_properties(pool, cluster.power),
    });
    with_envelope(body, &pool.envelope)
}

/// A body with what was sent beside `properties`.
pub(in crate::domain) fn with_envelope(mut body: Value, envelope: &Map<String, Value>) -> Value {
    if let Value::Object(body) = &mut body {
        body.extend(envelope.clone());
    }
    body
}

/// A maintenance configuration's body.
pub fn maintenance_view(
    cluster: &ResourceId,
    name: ConfigurationName,
    configuration: &MaintenanceConfiguration,
) -> Value {
    let id = cluster.child("maintenanceConfigurations", name.as_str());
    let body = json!({
        "id": id,
        "name": name.as_str(),
        "type": id.type_name(),
        "eTag": configuration.etag,
        "systemData": configuration.system_data,
        "properties": configuration.properties,
    });
    with_envelope(body, &configuration.envelope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::managed_cluster::{read_cluster, testing};

    #[test]
    fn a_body_shows_what_is_simulated_and_what_was_sent() {
        let cluster = testing::create(&testing::body()).unwrap();
        insta::assert_json_snapshot!(cluster_view(&cluster, ETag(uuid::Uuid::nil())));
    }

    #[test]
    fn a_body_can_be_sent_back_unchanged() {
        let cluster = testing::create(&testing::body()).unwrap();
        let view = cluster_view(&cluster, ETag(uuid::Uuid::nil()));
        let spec = read_cluster(view.as_object().unwrap().clone()).unwrap();
        assert_eq!(spec.kubernetes_version.as_deref(), Some("1.36.2"));
        assert_eq!(spec.properties.get("dnsPrefix"), cluster.properties.get("dnsPrefix"));
        let names: Vec<_> = spec.pools.unwrap().into_iter().map(|pool| pool.name).collect();
        assert_eq!(names, ["sys", "work", "win"]);
    }

    #[test]
    fn a_pool_carries_its_tag_among_its_properties() {
        let cluster = testing::create(&testing::body()).unwrap();
        let view = pool_view(&cluster, &cluster.pools[1]);
        assert_eq!(view["properties"]["eTag"], json!(cluster.pools[1].etag));
        assert_eq!(view["type"], "Microsoft.ContainerService/managedClusters/agentPools");
        assert!(view.get("eTag").is_none());
    }
}
