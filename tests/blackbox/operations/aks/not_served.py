"""What the AKS SDK has and the service has not, and why."""

_BY_REASON = {
    "clusters have no network": [
        "managed_clusters.list_outbound_network_dependencies_endpoints",
        "private_endpoint_connections.begin_delete",
        "private_endpoint_connections.get",
        "private_endpoint_connections.list",
        "private_endpoint_connections.update",
        "private_link_resources.list",
        "resolve_private_link_service_id.post",
    ],
    "nodes are counted, not simulated one by one": [
        "agent_pools.begin_delete_machines",
        "machines.get",
        "machines.list",
    ],
    "there is no directory, nor anybody to trust": [
        "identity_bindings.begin_create_or_update",
        "identity_bindings.begin_delete",
        "identity_bindings.get",
        "identity_bindings.list_by_managed_cluster",
        "managed_clusters.begin_reset_aad_profile",
        "managed_clusters.begin_reset_service_principal_profile",
        "managed_clusters.begin_rotate_cluster_certificates",
        "managed_clusters.begin_rotate_service_account_signing_keys",
        "managed_clusters.get_access_profile",
        "managed_clusters.list_cluster_monitoring_user_credentials",
        "trusted_access_role_bindings.begin_create_or_update",
        "trusted_access_role_bindings.begin_delete",
        "trusted_access_role_bindings.get",
        "trusted_access_role_bindings.list",
        "trusted_access_roles.list",
    ],
    "nothing runs in a cluster": [
        "managed_clusters.begin_run_command",
        "managed_clusters.get_command_result",
        "managed_clusters.get_mesh_revision_profile",
        "managed_clusters.get_mesh_upgrade_profile",
        "managed_clusters.list_mesh_revision_profiles",
        "managed_clusters.list_mesh_upgrade_profiles",
    ],
    "a fleet's managed namespaces are served, a single cluster's are not": [
        "managed_namespaces.begin_create_or_update",
        "managed_namespaces.begin_delete",
        "managed_namespaces.get",
        "managed_namespaces.list_by_managed_cluster",
        "managed_namespaces.list_credential",
        "managed_namespaces.update",
    ],
    "a pool's upgrade profile and a region's versions tell the same": [
        "agent_pools.get_available_agent_pool_versions",
    ],
}

#: The reason by operation.
NOT_SERVED = {operation: reason for reason, operations in _BY_REASON.items() for operation in operations}
