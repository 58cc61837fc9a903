//! Kubeconfigs: they lead to nothing, because the clusters are simulated.

use axum::Json;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::domain::managed_cluster::{ManagedCluster, fqdn};

/// The kubeconfig of a role.
pub(super) async fn credential(call: &Call, role: &str) -> Result<Json<Value>, ApiError> {
    let stored = call.service.read::<ManagedCluster>(&call.id).await?;
    let value = STANDARD.encode(kubeconfig(&stored.entity, role));
    Ok(Json(json!({ "kubeconfigs": [{ "name": role, "value": value }] })))
}

fn kubeconfig(cluster: &ManagedCluster, role: &str) -> String {
    let (name, group) = (cluster.id.name(), cluster.id.resource_group_name().unwrap_or_default());
    let (server, user) = (fqdn(cluster), format!("{role}_{group}_{name}"));
    format!(
        "apiVersion: v1\nkind: Config\npreferences: {{}}\ncurrent-context: {name}\n\
         clusters:\n- name: {name}\n  cluster:\n    server: https://{server}:443\n\
         contexts:\n- name: {name}\n  context:\n    cluster: {name}\n    user: {user}\n\
         users:\n- name: {user}\n  user:\n    token: simulated\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::managed_cluster::testing;

    #[test]
    fn a_kubeconfig_names_the_cluster_and_the_role() {
        let cluster = testing::create(&testing::body()).unwrap();
        insta::assert_snapshot!(kubeconfig(&cluster, "clusterUser"));
    }
}
